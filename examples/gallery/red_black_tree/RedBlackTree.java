/** A set of numbers as a red-black tree, repaired on the way back from an insertion. */
public class RedBlackTree {
    static class Node {
        int value;
        boolean red;
        Node left;
        Node right;

        Node(int value, boolean red) {
            this.value = value;
            this.red = red;
        }
    }

    Node root;

    /** Adds a number, unless it is there. */
    public void add(int value) {
        root = add(root, value);
        root.red = false;
    }

    private static Node add(Node node, int value) {
        if (node == null) {
            return new Node(value, true);
        }
        if (value < node.value) {
            node.left = add(node.left, value);
            return repairedLeft(node);
        }
        if (value > node.value) {
            node.right = add(node.right, value);
            return repairedRight(node);
        }
        return node;
    }

    private static Node repairedLeft(Node top) {
        if (top.red || !isRed(top.left)) {
            return top;
        }
        Node child = top.left;
        if (isRed(child.left)) {
            return raised(child, child.left, top);
        }
        if (isRed(child.right)) {
            Node middle = child.right;
            child.right = middle.left;
            middle.left = child;
            top.left = middle;
            return raised(middle, child, top);
        }
        return top;
    }

    private static Node repairedRight(Node top) {
        if (top.red || !isRed(top.right)) {
            return top;
        }
        Node child = top.right;
        if (isRed(child.right)) {
            top.right = child.left;
            child.left = top;
            child.right.red = false;
            return child;
        }
        if (isRed(child.left)) {
            Node middle = child.left;
            top.right = middle.left;
            child.left = middle.right;
            middle.left = top;
            middle.right = child;
            child.red = false;
            return middle;
        }
        return top;
    }

    /** Puts `middle`, the left child of `right`, above it. */
    private static Node raised(Node middle, Node left, Node right) {
        right.left = middle.right;
        middle.right = right;
        left.red = false;
        return middle;
    }

    private static boolean isRed(Node node) {
        return node != null && node.red;
    }
}
