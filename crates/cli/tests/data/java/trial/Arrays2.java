package trial;

/** Arrays of references. */
public class Arrays2 {
    Object[] items;
    Arrays2[] others;

    public int nulls() {
        int count = 0;
        for (Object item : items) {
            if (item == null) {
                count++;
            }
        }
        return count;
    }

    public boolean contains(Object wanted) {
        for (Object item : items) {
            if (item == wanted) {
                return true;
            }
        }
        return false;
    }

    public static void store(Object[] into, Object value) {
        into[0] = value;
    }

    public static int strings(Object[] values) {
        int count = 0;
        for (Object value : values) {
            if (value instanceof String) {
                count += ((String) value).length();
            } else if (value instanceof Object[]) {
                count += ((Object[]) value).length;
            } else if (value instanceof int[] numbers && numbers.length == 2) {
                count += numbers[1];
            }
        }
        return count;
    }

    public boolean cyclic() {
        for (Arrays2 other : others) {
            if (other == this) {
                return true;
            }
            if (other != null && other.others == others) {
                return true;
            }
        }
        return false;
    }

    public static Object first(Object... values) {
        return values.length > 0 ? values[0] : null;
    }

    public static String[] copy(String[] names, int n) {
        String[] copy = new String[n];
        for (int i = 0; i < n && i < names.length; i++) {
            copy[i] = names[i];
        }
        return copy;
    }

    public static int jagged(int[][] rows) {
        int longest = -1;
        for (int[] row : rows) {
            if (row != null && row.length > longest) {
                longest = row.length;
            }
        }
        return longest;
    }

    public static int[] swapped(int[] pair) {
        int[] copy = pair.clone();
        copy[0] = pair[1];
        copy[1] = pair[0];
        return copy;
    }
}
