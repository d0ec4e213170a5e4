package trial;

/** Many kinds of parameters at once. */
public class Mixed {
    byte b;
    short s;
    char c;
    boolean z;
    float f;
    double d;
    long l;
    Object o;

    static int everything(byte b, short s, char c, boolean z, long l, float f, double d) {
        if (z && b < 0 && s > 300) {
            return c == 'x' ? 1 : 2;
        }
        if (l > Integer.MAX_VALUE && f > 1.5f && d < -1e300) {
            return 3;
        }
        return 4;
    }

    boolean fields() {
        if (b == -1 && s == -2 && c > 40000 && z) {
            o = this;
            return true;
        }
        if (f != f || d == 0.5) {
            l = Long.MIN_VALUE;
        }
        return l < 0;
    }

    static Object choose(boolean left, Object a, Mixed b) {
        return left ? a : b.o;
    }

    static void swap(Mixed a, Mixed b) {
        Object old = a.o;
        a.o = b.o;
        b.o = old;
        if (a.o == b.o && a != b) {
            throw new IllegalStateException("same");
        }
    }

    static int dense(int x) {
        switch (x) {
            case 1: return 10;
            case 2: return 20;
            case 3:
            case 4: return 30;
            default: return 0;
        }
    }

    static String sparse(long x) {
        switch ((int) (x / 1000)) {
            case -5: return "a";
            case 70000: return "b";
            case Integer.MAX_VALUE: return "c";
            default: return "";
        }
    }

    static Class<?> type(Object x) {
        return x.getClass() == String.class ? String.class : x.getClass();
    }

    static boolean ternaries(Boolean a, Boolean b) {
        return a ? !b : b ^ a | b;
    }
}
