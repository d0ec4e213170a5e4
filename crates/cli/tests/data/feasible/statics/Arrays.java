package statics;

public class Arrays {
    static final int[] cache = new int[16];
    private static final long[] squares = new long[8];
    private static final Object[] slots = new Object[4];
    private static final int[][] grid = {{1, 2}, {3, 4}};
    private static final int[] leaked = {5, 6, 7};
    private static final boolean[] flags = new boolean[2];
    public static final char[] letters = {'a', 'b'};
    private static final int[] swapped = {1, 2};

    public static boolean isCached(int i) {
        if (cache[i & 15] != 0) {
            return true;
        }
        cache[i & 15] = i | 1;
        return false;
    }

    public static boolean isSquareKnown(int i) {
        int at = i & 7;
        if (squares[at] == 0) {
            squares[at] = (long) at * at + 1;
            return false;
        }
        return true;
    }

    public static boolean isTaken(Object o) {
        for (Object slot : slots) {
            if (slot != null) {
                return true;
            }
        }
        slots[0] = "taken";
        return false;
    }

    public static boolean isGridChanged() {
        if (grid[1][0] == 9) {
            return true;
        }
        int[] row = grid[1];
        row[0] = 9;
        return false;
    }

    static int[] leak() {
        return leaked;
    }

    public static boolean isLeakUsed() {
        if (leaked[0] != 5) {
            return true;
        }
        return false;
    }

    public static boolean toggles() {
        flags[1] = !flags[1];
        if (flags[1]) {
            return false;
        }
        return true;
    }

    public static boolean isUpper() {
        if (letters[0] == 'A') {
            return true;
        }
        return false;
    }

    public static boolean isSwapped() {
        java.util.Arrays.fill(swapped, swapped[0] + 1);
        if (swapped[1] == 3) {
            return true;
        }
        return false;
    }
}
