package heapwright.verify;

/**
 * What was executed, a flag per probe, and which ways jumps and switches went in the last test. There
 * is a second copy of this class in the package java.util, for classes of the JDK; it has to work
 * before the virtual machine is up, and must not run the code that is measured, so it uses nothing
 * but arrays.
 */
public final class Probes {
    /** A switch that met more values than this in one test is not compared. */
    static final int MOST_VALUES = 256;

    private static final int NOT_TAKEN = 1;
    private static final int TAKEN = 2;

    private static boolean[][] executed = new boolean[16][];

    /** What counts of it, when only the tests do. */
    private static boolean[][] counted = new boolean[16][];

    private static int depth;

    /** Whether the ways of jumps are written down: inside of tests only. */
    private static boolean listening;

    /** For each jump, whether it was taken, and whether not. */
    private static byte[] ways = new byte[64];

    /** For each switch, the number of values that it met, and these values. */
    private static int[][] values = new int[64][];

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
        listening = true;
    }

    /** A method of the tests ends. */
    public static synchronized void leave() {
        if (--depth > 0) {
            return;
        }
        listening = false;
        for (int index = 0; index < executed.length; index++) {
            for (int i = 0; executed[index] != null && i < executed[index].length; i++) {
                counted[index][i] |= executed[index][i];
            }
        }
    }

    /** A test begins, which is listened to from here on, or when one of its methods begins. */
    public static synchronized void begin(boolean listen) {
        for (int i = 0; i < ways.length; i++) {
            ways[i] = 0;
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = null;
        }
        listening = listen;
    }

    /** A test has ended: the ways of jumps, by number. */
    public static synchronized byte[] ways() {
        listening = false;
        return ways;
    }

    /** The values of switches, by number. */
    public static synchronized int[][] values() {
        return values;
    }

    /** A jump that compares a number with 0. The opcodes are those of class files. */
    public static void number(int value, int opcode, int jump) {
        numbers(value, 0, opcode + 6, jump);
    }

    /** A jump that compares two numbers. */
    public static void numbers(int a, int b, int opcode, int jump) {
        if (!listening) {
            return;
        }
        boolean taken;
        switch (opcode) {
            case 159:
                taken = a == b;
                break;
            case 160:
                taken = a != b;
                break;
            case 161:
                taken = a < b;
                break;
            case 162:
                taken = a >= b;
                break;
            case 163:
                taken = a > b;
                break;
            default:
                taken = a <= b;
                break;
        }
        note(jump, taken);
    }

    /** A jump that compares a reference with null. */
    public static void reference(Object a, int opcode, int jump) {
        if (listening) {
            note(jump, (a == null) == (opcode == 198));
        }
    }

    /** A jump that compares two references. */
    public static void references(Object a, Object b, int opcode, int jump) {
        if (listening) {
            note(jump, (a == b) == (opcode == 165));
        }
    }

    /** A switch. */
    public static void choice(int value, int jump) {
        if (!listening) {
            return;
        }
        if (jump >= values.length) {
            growWays(jump);
        }
        int[] known = values[jump];
        if (known == null) {
            known = new int[8];
            values[jump] = known;
        }
        int count = known[0];
        for (int i = 1; i <= count && i < known.length; i++) {
            if (known[i] == value) {
                return;
            }
        }
        if (count >= MOST_VALUES) {
            known[0] = MOST_VALUES + 1;
            return;
        }
        if (count + 1 >= known.length) {
            int[] grown = new int[known.length * 2];
            for (int i = 0; i < known.length; i++) {
                grown[i] = known[i];
            }
            known = grown;
            values[jump] = known;
        }
        known[count + 1] = value;
        known[0] = count + 1;
    }

    private static void note(int jump, boolean taken) {
        if (jump >= ways.length) {
            growWays(jump);
        }
        ways[jump] |= (byte) (taken ? TAKEN : NOT_TAKEN);
    }

    private static synchronized void growWays(int jump) {
        if (jump >= ways.length) {
            byte[] grown = new byte[jump * 2];
            for (int i = 0; i < ways.length; i++) {
                grown[i] = ways[i];
            }
            ways = grown;
        }
        if (jump >= values.length) {
            int[][] grown = new int[jump * 2][];
            for (int i = 0; i < values.length; i++) {
                grown[i] = values[i];
            }
            values = grown;
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
