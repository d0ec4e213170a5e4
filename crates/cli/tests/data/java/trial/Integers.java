package trial;

/** Integer arithmetic where it overflows, and the narrow types. */
public class Integers {
    private int total;
    private long wide;
    private byte small;
    private short middle;

    public static boolean sumOverflows(int a, int b) {
        int sum = a + b;
        return a > 0 && b > 0 && sum < 0;
    }

    public static int absolute(int x) {
        int result = x < 0 ? -x : x;
        if (result < 0) {
            return Integer.MAX_VALUE;
        }
        return result;
    }

    public static int quotient(int a, int b) {
        if (a == Integer.MIN_VALUE && b == -1) {
            return 0;
        }
        return a / b;
    }

    public static long remainder(long a, long b) {
        long rest = a % b;
        if (rest < 0) {
            return rest + Math.abs(b);
        }
        return rest;
    }

    public static int bits(int x) {
        int count = 0;
        while (x != 0) {
            x &= x - 1;
            count++;
        }
        return count;
    }

    public static int shifts(int x, int by) {
        if (x << by < 0) {
            return x >> by;
        }
        if (x >>> by > 100) {
            return x >>> by;
        }
        return ~x ^ by;
    }

    public byte narrow(int x) {
        small += x;
        if (small < 0 && x > 0) {
            middle = (short) (x * 3);
            return (byte) middle;
        }
        return small;
    }

    public boolean collect(int x) {
        total += x;
        wide += (long) total * x;
        if (wide > 1_000_000_000_000L) {
            total = 0;
            return true;
        }
        return wide < 0;
    }

    public static int multiply(int a, int b) {
        long exact = (long) a * b;
        if (exact != (int) exact) {
            throw new ArithmeticException("too large");
        }
        return (int) exact;
    }
}
