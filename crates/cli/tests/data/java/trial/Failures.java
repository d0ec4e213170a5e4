package trial;

/** Exceptions of all kinds. */
public class Failures {
    /** An exception with a field. */
    static class Trouble extends Exception {
        final int code;

        Trouble(int code) {
            super("trouble " + code);
            this.code = code;
        }
    }

    /** Something that has to be closed. */
    static class Resource implements AutoCloseable {
        int open = 1;
        boolean stubborn;

        @Override
        public void close() throws Trouble {
            open--;
            if (stubborn) {
                throw new Trouble(open);
            }
        }
    }

    int state;

    public int finallyCounts(int[] values, int index) {
        try {
            return values[index];
        } catch (NullPointerException e) {
            state = 1;
            return -1;
        } catch (ArrayIndexOutOfBoundsException e) {
            state = 2;
            throw e;
        } finally {
            state += 10;
        }
    }

    static int check(int x) throws Trouble {
        if (x > 100) {
            throw new Trouble(x);
        }
        return x;
    }

    static int caught(int x) {
        try {
            return check(x) + check(x + 50);
        } catch (Trouble trouble) {
            return trouble.code == 101 ? -1 : trouble.code;
        }
    }

    static int closing(Resource resource, int divisor) throws Trouble {
        try (Resource used = resource) {
            return used.open / divisor;
        }
    }

    static String nested(Object x) {
        try {
            try {
                return ((String) x).trim();
            } catch (ClassCastException e) {
                throw new IllegalStateException("wrapped", e);
            }
        } catch (IllegalStateException e) {
            return e.getMessage() + (e.getCause() != null);
        }
    }

    static int asserted(int x) {
        assert x > 3 : "small " + x;
        return x * 2;
    }

    static void rethrow(Exception e) throws Exception {
        if (e != null) {
            throw e;
        }
    }

    static int loopWithFinally(int n) {
        int done = 0;
        for (int i = 0; i < n; i++) {
            try {
                if (i == 1) {
                    continue;
                }
                if (i == 3) {
                    break;
                }
            } finally {
                done++;
            }
        }
        return done;
    }

    synchronized int locked(Object lock) {
        synchronized (lock) {
            if (state == 5) {
                throw new IllegalStateException();
            }
            state = 5;
        }
        return state;
    }
}
