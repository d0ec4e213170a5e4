/** Arrays of every type. */
public class Arrays1 {
    static int test_ints() { int[] a = new int[5]; for (int i = 0; i < 5; i++) a[i] = i * i; return a[4] + a.length; }
    static long test_longs() { long[] a = {1L << 40, -1}; a[1] += a[0]; return a[1]; }
    static byte test_bytes() { byte[] a = {1, 2, (byte) 200}; a[0] += 127; return (byte) (a[0] + a[2]); }
    static short test_shorts() { short[] a = new short[2]; a[1] = (short) 70000; return a[1]; }
    static char test_chars() { char[] a = {'x', 'y'}; a[0]++; return a[0]; }
    static boolean test_boolean_array() { boolean[] a = new boolean[3]; a[1] = !a[0]; boolean[] b = a; return b[1] && !b[2]; }
    static float test_floats() { float[] a = {1.5f, 2}; return a[0] * a[1]; }
    static double test_doubles() { double[] a = {1.5, 2}; return a[0] / a[1]; }
    static int test_two_dimensions() { int[][] a = new int[3][4]; a[2][3] = 7; a[0] = new int[] {5}; return a[2][3] + a[0][0] + a[0].length * 10 + a[1].length * 100; }
    static int test_three_dimensions() { int[][][] a = new int[2][3][]; return a[1].length + (a[1][2] == null ? 10 : 20); }
    static int test_jagged() { long[][] a = {{1}, {2, 3}, {}}; int n = 0; for (long[] r : a) n = n * 10 + r.length; return n; }
    static int test_index_too_large() { int[] a = new int[2]; return a[2]; }
    static int test_index_negative() { int[] a = new int[2]; int i = -1; a[i] = 3; return 0; }
    static int test_null_array() { int[] a = null; return a[0]; }
    static int test_null_length() { int[] a = null; return a.length; }
    static int test_negative_size() { int n = -1; return new int[n].length; }
    static int test_negative_inner_size() { int n = -1; return new int[3][n].length; }
    static int test_negative_size_of_nothing() { int n = -1; return new int[0][n].length; }
    static int test_array_store() { Object[] a = new String[1]; a[0] = Integer.valueOf(1); return 0; }
    static int test_array_store_ok() { Object[] a = new Number[2]; a[0] = Integer.valueOf(1); a[1] = null; return a[0] == null ? 1 : 2; }
    static boolean test_covariance() { Object o = new String[0]; return o instanceof Object[] && o instanceof CharSequence[] && !(o instanceof Integer[]) && o instanceof Cloneable; }
    static boolean test_nested_covariance() { Object o = new int[0][0]; return o instanceof Object[] && !(o instanceof Object[][]) && o instanceof int[][]; }
    static boolean test_primitive_arrays_differ() { Object o = new int[0]; return !(o instanceof Object[]) && !(o instanceof long[]) && o instanceof java.io.Serializable; }
    static int test_clone() { int[] a = {1, 2, 3}; int[] b = a.clone(); b[0] = 9; return a[0] * 100 + b[0] * 10 + b.length; }
    static boolean test_clone_class() { Object[] a = new String[] {"x"}; Object[] b = a.clone(); return b instanceof String[] && b[0] == a[0] && a != b; }
    static int test_arraycopy() { int[] a = {1, 2, 3, 4, 5}; System.arraycopy(a, 0, a, 1, 4); int n = 0; for (int x : a) n = n * 10 + x; return n; }
    static int test_arraycopy_down() { int[] a = {1, 2, 3, 4, 5}; System.arraycopy(a, 1, a, 0, 4); int n = 0; for (int x : a) n = n * 10 + x; return n; }
    static int test_arraycopy_bounds() { int[] a = {1, 2}; System.arraycopy(a, 1, a, 0, 2); return 0; }
    static int test_arraycopy_overflow() { int[] a = {1, 2}; System.arraycopy(a, 1, a, 1, Integer.MAX_VALUE); return 0; }
    static int test_arraycopy_negative() { int[] a = {1, 2}; System.arraycopy(a, -1, a, 0, 1); return 0; }
    static int test_arraycopy_null() { int[] a = {1, 2}; System.arraycopy(a, 0, null, 0, 1); return 0; }
    static int test_arraycopy_types() { System.arraycopy(new int[1], 0, new long[1], 0, 1); return 0; }
    static int test_arraycopy_stores() { Object[] a = {"a", 1}; String[] b = new String[2]; try { System.arraycopy(a, 0, b, 0, 2); return 0; } catch (ArrayStoreException e) { return b[0] == "a" ? 1 : 2; } }
    static int test_arraycopy_widening() { String[] a = {"a", "b"}; Object[] b = new Object[3]; System.arraycopy(a, 0, b, 1, 2); return b[0] == null && b[2] == "b" ? 1 : 0; }
    static int test_bubble_sort() {
        int[] a = {5, 3, 9, 1, 7, 2};
        for (int i = 0; i < a.length; i++) for (int j = 0; j + 1 < a.length - i; j++) if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
        int n = 0; for (int x : a) n = n * 10 + x; return n;
    }
    static boolean pick(boolean which) { boolean[] a = null; if (which) a = new boolean[] {true}; else a = new boolean[] {false}; return a[0]; }
    static boolean test_boolean_join() { return pick(true) && !pick(false); }
    static int test_swap_elements() { int[] a = {1, 2}; int i = 0; int t = a[i]; a[i] = a[i + 1]; a[++i] = t; return a[0] * 10 + a[1]; }
    static long test_long_compound() { long[] a = {5}; int i = 0; a[i++] *= 3; a[0] <<= 2; return a[0]++ * 100 + a[0] + i; }
}
