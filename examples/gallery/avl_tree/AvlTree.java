/** A set of numbers as a search tree whose subtrees differ in height by one at most. */
public class AvlTree {
    static class Node {
        int value;
        int height = 1;
        Node left;
        Node right;

        Node(int value) {
            this.value = value;
        }
    }

    Node root;

    /** Adds a number, unless it is there. */
    public void add(int value) {
        root = add(root, value);
    }

    private static Node add(Node node, int value) {
        if (node == null) {
            return new Node(value);
        }
        if (value < node.value) {
            node.left = add(node.left, value);
        } else if (value > node.value) {
            node.right = add(node.right, value);
        }
        return balanced(node);
    }

    /** The tree with its root where it has to be. */
    private static Node balanced(Node node) {
        int lean = height(node.left) - height(node.right);
        if (lean > 1) {
            if (height(node.left.left) < height(node.left.right)) {
                node.left = leftwards(node.left);
            }
            return rightwards(node);
        }
        if (lean < -1) {
            if (height(node.right.right) < height(node.right.left)) {
                node.right = rightwards(node.right);
            }
            return leftwards(node);
        }
        measure(node);
        return node;
    }

    private static Node leftwards(Node node) {
        Node top = node.right;
        node.right = top.left;
        top.left = node;
        measure(node);
        measure(top);
        return top;
    }

    private static Node rightwards(Node node) {
        Node top = node.left;
        node.left = top.right;
        top.right = node;
        measure(node);
        measure(top);
        return top;
    }

    private static void measure(Node node) {
        node.height = 1 + Math.max(height(node.left), height(node.right));
    }

    private static int height(Node node) {
        return node == null ? 0 : node.height;
    }
}
