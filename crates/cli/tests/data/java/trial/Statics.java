package trial;

/** Static fields: counters, caches, tables. */
public class Statics {
    private static int counter;
    static Object cache;
    private static final int[] TABLE = {1, 1, 2, 3, 5, 8};
    private static final String[] NAMES;
    static long[] recent = new long[2];
    public static String mode = "fast";
    static volatile boolean stopped;

    static {
        NAMES = new String[3];
        for (int i = 0; i < NAMES.length; i++) {
            NAMES[i] = "n" + i;
        }
    }

    public static int next() {
        if (counter < 0) {
            counter = 0;
        }
        return ++counter;
    }

    public static Object cached(Object fresh) {
        if (cache == null) {
            cache = fresh;
        }
        return cache;
    }

    public static int fibonacci(int n) {
        if (n < TABLE.length) {
            return TABLE[n];
        }
        return fibonacci(n - 1) + fibonacci(n - 2);
    }

    public static String name(int i) {
        return i >= 0 && i < NAMES.length ? NAMES[i] : "none";
    }

    public static boolean remember(long x) {
        if (recent[0] == x || recent[1] == x) {
            return false;
        }
        recent[1] = recent[0];
        recent[0] = x;
        return true;
    }

    public static boolean isFast() {
        return mode != null && mode.equals("fast");
    }

    public int instance() {
        if (stopped) {
            return -1;
        }
        stopped = true;
        return counter;
    }
}
