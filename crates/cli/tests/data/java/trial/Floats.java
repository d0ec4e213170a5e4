package trial;

/** Floating-point numbers with everything that is special about them. */
public class Floats {
    double sum;
    float last;

    public static String kind(double x) {
        if (x != x) {
            return "not a number";
        }
        if (x == Double.POSITIVE_INFINITY || x == Double.NEGATIVE_INFINITY) {
            return "infinite";
        }
        if (x == 0) {
            return 1 / x < 0 ? "negative zero" : "zero";
        }
        return Math.abs(x) < Double.MIN_NORMAL ? "subnormal" : "normal";
    }

    public static int round(float x) {
        int whole = (int) x;
        if (x - whole >= 0.5f) {
            return whole + 1;
        }
        if (x - whole <= -0.5f) {
            return whole - 1;
        }
        return whole;
    }

    public void add(double x) {
        sum += x;
        last = (float) x;
        if (last != x) {
            sum -= last;
        }
    }

    public static boolean between(double low, double x, double high) {
        return low <= x && x <= high;
    }

    public static double root(double x) {
        if (x < 0) {
            throw new IllegalArgumentException();
        }
        double root = Math.sqrt(x);
        return root == Math.floor(root) ? root : -root;
    }

    public static double wave(double x) {
        double y = Math.sin(x) + Math.exp(x);
        if (y > 2) {
            return Math.pow(y, 1.5);
        }
        return y;
    }

    public static long cast(double x) {
        long whole = (long) x;
        if (whole == Long.MAX_VALUE) {
            return -1;
        }
        return whole % 7 == 3 ? whole : 0;
    }

    public static int compare(float a, float b) {
        if (a < b) {
            return -1;
        }
        if (a > b) {
            return 1;
        }
        return Float.compare(a, b);
    }
}
