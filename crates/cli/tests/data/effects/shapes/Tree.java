package shapes;

import help.Marker;
import help.Marks;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Consumer;

/** Trees of two nodes or more under the root, by predicates that say the same in different ways. */
public class Tree {
    public Node root;

    /** What is tested. */
    public int count() {
        return count(root);
    }

    private static int count(Node node) {
        return node == null ? 0 : 1 + count(node.left) + count(node.right);
    }

    // The root is marked if it has a left child, and only then it may have a right one: so the
    // mark is written after a branch on something open, and read later.

    /** Everything in one place. */
    public boolean inlined() {
        if (root == null || root.mark) {
            return false;
        }
        if (root.left != null) {
            root.mark = true;
        }
        if (!root.mark) {
            return false;
        }
        root.mark = false;
        return root.right != null && isTree();
    }

    /** The mark is set by a static method of another package. */
    public boolean byStatic() {
        if (root == null || root.mark) {
            return false;
        }
        if (root.left != null) {
            Marks.set(root);
        }
        if (!root.mark) {
            return false;
        }
        Marks.unset(root);
        return root.right != null && isTree();
    }

    /** The mark is set by an object behind an interface. */
    public boolean byInterface() {
        if (root == null || root.mark) {
            return false;
        }
        Marker marker = new Marker.Plain();
        if (root.left != null) {
            marker.set(root);
        }
        if (!root.mark) {
            return false;
        }
        Marks.unset(root);
        return root.right != null && isTree();
    }

    /** The mark is set by a lambda expression. */
    public boolean byLambda() {
        if (root == null || root.mark) {
            return false;
        }
        Consumer<Node> marker = node -> node.mark = true;
        if (root.left != null) {
            marker.accept(root);
        }
        if (!root.mark) {
            return false;
        }
        Marks.unset(root);
        return root.right != null && isTree();
    }

    /** The mark is set by code of the JDK that calls back. */
    public boolean byCallback() {
        if (root == null || root.mark) {
            return false;
        }
        ArrayDeque<Node> nodes = new ArrayDeque<>();
        nodes.add(root);
        if (root.left != null) {
            nodes.forEach(Marks::set);
        }
        if (!root.mark) {
            return false;
        }
        Marks.unset(root);
        return root.right != null && isTree();
    }

    private boolean isTree() {
        Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        return isTree(root, seen);
    }

    private static boolean isTree(Node node, Set<Node> seen) {
        if (node == null) {
            return true;
        }
        return !node.mark && node.depth == 0 && seen.add(node)
            && isTree(node.left, seen) && isTree(node.right, seen);
    }

    /** A tree, by a set of the JDK. */
    public boolean byHashSet() {
        return root != null && !root.mark && plain(root, new HashSet<>());
    }

    private static boolean plain(Node node, Set<Node> seen) {
        if (node == null) {
            return true;
        }
        return !node.mark && node.depth == 0 && seen.add(node)
            && plain(node.left, seen) && plain(node.right, seen);
    }

    /** A tree, by marks that a helper of another package sets and takes off. */
    public boolean byMarks() {
        if (root == null) {
            return false;
        }
        boolean ok = marked(root);
        if (ok) {
            Marks.clear(root);
        }
        return ok;
    }

    private static boolean marked(Node node) {
        if (node == null) {
            return true;
        }
        return node.depth == 0 && Marks.first(node) && marked(node.left) && marked(node.right);
    }
}
