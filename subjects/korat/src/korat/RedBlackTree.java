package korat;

import java.util.HashSet;
import java.util.LinkedList;
import java.util.Set;

/** A red-black tree with parent pointers whose predicate goes through the nodes with work lists. */
public class RedBlackTree {
    static final boolean RED = false;

    public static class Node {
        Node left;
        Node right;
        Node parent;
        boolean color;
        int key;
    }

    /** A node on the work list, with the black nodes above it. */
    private static class Way {
        final Node node;
        final int blacks;

        Way(Node node, int blacks) {
            this.node = node;
            this.blacks = blacks;
        }
    }

    Node root;
    int size;

    /** Whether this is a red-black tree with as many nodes as it says, its keys in order. */
    public boolean repOk() {
        if (root == null) {
            return size == 0;
        }
        if (root.parent != null) {
            return false;
        }
        Set<Node> visited = new HashSet<>();
        LinkedList<Node> waiting = new LinkedList<>();
        visited.add(root);
        waiting.add(root);
        while (!waiting.isEmpty()) {
            Node node = waiting.removeFirst();
            Node left = node.left;
            if (left != null) {
                if (!visited.add(left) || left.parent != node) {
                    return false;
                }
                waiting.add(left);
            }
            Node right = node.right;
            if (right != null) {
                if (!visited.add(right) || right.parent != node) {
                    return false;
                }
                waiting.add(right);
            }
        }
        return visited.size() == size && hasRightColors() && isOrdered(root, null, null);
    }

    private boolean hasRightColors() {
        LinkedList<Node> waiting = new LinkedList<>();
        waiting.add(root);
        while (!waiting.isEmpty()) {
            Node node = waiting.removeFirst();
            if (node.color == RED) {
                if (node.left != null && node.left.color == RED) {
                    return false;
                }
                if (node.right != null && node.right.color == RED) {
                    return false;
                }
            }
            if (node.left != null) {
                waiting.add(node.left);
            }
            if (node.right != null) {
                waiting.add(node.right);
            }
        }
        int expected = -1;
        LinkedList<Way> ways = new LinkedList<>();
        ways.add(new Way(root, 0));
        while (!ways.isEmpty()) {
            Way way = ways.removeFirst();
            if (way.node == null) {
                if (expected == -1) {
                    expected = way.blacks;
                } else if (expected != way.blacks) {
                    return false;
                }
            } else {
                int blacks = way.node.color == RED ? way.blacks : way.blacks + 1;
                ways.add(new Way(way.node.left, blacks));
                ways.add(new Way(way.node.right, blacks));
            }
        }
        return true;
    }

    private boolean isOrdered(Node node, Node above, Node below) {
        if (node == null) {
            return true;
        }
        if (above != null && node.key <= above.key || below != null && node.key >= below.key) {
            return false;
        }
        return isOrdered(node.left, above, node) && isOrdered(node.right, node, below);
    }
}
