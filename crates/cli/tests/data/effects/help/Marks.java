package help;

import shapes.Node;

/** Helpers of predicates in another package: they write to the objects that they look at. */
public final class Marks {
    private Marks() {}

    /** Sets a mark. */
    public static void set(Node node) {
        node.mark = true;
    }

    /** Takes a mark off. */
    public static void unset(Node node) {
        node.mark = false;
    }

    /** Takes the marks off again. */
    public static void clear(Node node) {
        if (node != null && node.mark) {
            node.mark = false;
            clear(node.left);
            clear(node.right);
        }
    }

    /** Sets a mark; says whether there was none. */
    public static boolean first(Node node) {
        boolean first = !node.mark;
        node.mark = true;
        return first;
    }
}
