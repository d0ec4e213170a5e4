package korat;

import java.util.HashSet;
import java.util.LinkedList;
import java.util.Set;

/** A binary search tree whose predicate goes through the nodes with a work list. */
public class SearchTree {
    public static class Node {
        Node left;
        Node right;
        int key;
    }

    Node root;
    int size;

    /** Whether this is a tree with as many nodes as it says, its keys in order. */
    public boolean repOk() {
        if (root == null) {
            return size == 0;
        }
        if (!isTree()) {
            return false;
        }
        if (count(root) != size) {
            return false;
        }
        return isOrdered(root, null, null);
    }

    private boolean isTree() {
        Set<Node> visited = new HashSet<>();
        LinkedList<Node> waiting = new LinkedList<>();
        visited.add(root);
        waiting.add(root);
        while (!waiting.isEmpty()) {
            Node node = waiting.removeFirst();
            if (node.left != null) {
                if (!visited.add(node.left)) {
                    return false;
                }
                waiting.add(node.left);
            }
            if (node.right != null) {
                if (!visited.add(node.right)) {
                    return false;
                }
                waiting.add(node.right);
            }
        }
        return true;
    }

    private int count(Node node) {
        return node == null ? 0 : 1 + count(node.left) + count(node.right);
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
