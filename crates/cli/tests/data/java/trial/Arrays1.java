package trial;

/** Arrays of numbers. */
public class Arrays1 {
    private int[] data;
    private int size;
    private final long[][] grid = new long[2][3];

    public void push(int x) {
        if (size == data.length) {
            int[] larger = new int[size * 2 + 1];
            System.arraycopy(data, 0, larger, 0, size);
            data = larger;
        }
        data[size++] = x;
    }

    public static int maximum(int[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("nothing");
        }
        int best = values[0];
        for (int i = 1; i < values.length; i++) {
            if (values[i] > best) {
                best = values[i];
            }
        }
        return best;
    }

    public static void sort(int[] values) {
        for (int i = 1; i < values.length; i++) {
            for (int j = i; j > 0 && values[j - 1] > values[j]; j--) {
                int swap = values[j];
                values[j] = values[j - 1];
                values[j - 1] = swap;
            }
        }
    }

    public static int search(int[] sorted, int wanted) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < wanted) {
                low = middle + 1;
            } else if (sorted[middle] > wanted) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return -1;
    }

    public long set(int row, int column, long value) {
        long old = grid[row][column];
        grid[row][column] = value;
        return old;
    }

    public static long diagonal(long[][] matrix) {
        long sum = 0;
        for (int i = 0; i < matrix.length; i++) {
            sum += matrix[i][i];
        }
        return sum;
    }

    public static boolean[] sieve(int n) {
        boolean[] composite = new boolean[n];
        for (int i = 2; i < n; i++) {
            for (int j = 2 * i; j < n; j += i) {
                composite[j] = true;
            }
        }
        return composite;
    }

    public static boolean same(byte[] a, byte[] b) {
        if (a == b) {
            return true;
        }
        return java.util.Arrays.equals(a, b);
    }

    public static float mean(float[] values) {
        float sum = 0;
        for (float value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
