package java.util;

/** Says whether a java.util.TreeMap with Integers as keys is a red-black tree. */
final class TreeMapRepOk {
    private TreeMapRepOk() {
    }

    static boolean repOk(Comparator<?> comparator, TreeMap.Entry<?, ?> root, int size) {
        if (comparator != null) {
            return false;
        }
        if (root == null) {
            return size == 0;
        }
        if (!root.color || blackHeight(root, null, null, null) < 0) {
            return false;
        }
        return count(root) == size;
    }

    /** Black entries on each way down, or -1 if this is no red-black tree with keys in between. */
    private static int blackHeight(TreeMap.Entry<?, ?> e, TreeMap.Entry<?, ?> parent, Integer low, Integer high) {
        if (e == null) {
            return 0;
        }
        if (e.parent != parent || !(e.key instanceof Integer)) {
            return -1;
        }
        Integer key = (Integer) e.key;
        if (low != null && key <= low || high != null && key >= high) {
            return -1;
        }
        if (!e.color && parent != null && !parent.color) {
            return -1;
        }
        int left = blackHeight(e.left, e, low, key);
        if (left < 0) {
            return -1;
        }
        int right = blackHeight(e.right, e, key, high);
        if (right < 0 || right != left) {
            return -1;
        }
        return e.color ? left + 1 : left;
    }

    private static int count(TreeMap.Entry<?, ?> e) {
        return e == null ? 0 : 1 + count(e.left) + count(e.right);
    }
}
