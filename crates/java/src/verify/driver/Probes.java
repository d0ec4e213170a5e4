package heapwright.verify;

/**
 * What was executed, a flag per probe. There is a second copy of this class in the package
 * java.util, for classes of the JDK; it has to work before the virtual machine is up, and must not
 * run the code that is measured, so it uses nothing but arrays.
 */
public final class Probes {
    private static boolean[][] executed = new boolean[16][];

    /** What counts of it, when only the tests do. */
    private static boolean[][] counted = new boolean[16][];

    private static int depth;

    private Probes() {}

    /** The probes of a class. */
    public static synchronized boolean[] of(int index, int count) {
        if (index >= executed.length) {
            executed = grow(executed, index);
            counted = grow(counted, index);
        }
        if (executed[index] == null) {
            executed[index] = new boolean[count];
            counted[index] = new boolean[count];
        }
        return executed[index];
    }

    /** A method of the tests begins: what was executed outside of all of them does not count. */
    public static synchronized void enter() {
        if (depth++ > 0) {
            return;
        }
        for (boolean[] probes : executed) {
            for (int i = 0; probes != null && i < probes.length; i++) {
                probes[i] = false;
            }
        }
    }

    /** A method of the tests ends. */
    public static synchronized void leave() {
        if (--depth > 0) {
            return;
        }
        for (int index = 0; index < executed.length; index++) {
            for (int i = 0; executed[index] != null && i < executed[index].length; i++) {
                counted[index][i] |= executed[index][i];
            }
        }
    }

    /** What was executed of a class, or null for nothing. */
    public static synchronized boolean[] executed(int index) {
        return index < executed.length ? executed[index] : null;
    }

    /** What methods of the tests executed of a class, or null for nothing. */
    public static synchronized boolean[] counted(int index) {
        return index < counted.length ? counted[index] : null;
    }

    private static boolean[][] grow(boolean[][] table, int index) {
        boolean[][] grown = new boolean[index * 2][];
        for (int i = 0; i < table.length; i++) {
            grown[i] = table[i];
        }
        return grown;
    }
}
