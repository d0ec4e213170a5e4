package trial;

/** A binary search tree without a specification. */
public class SearchTree {
    static class Node {
        int key;
        Node left;
        Node right;
    }

    private Node root;
    private int size;

    public boolean add(int key) {
        Node fresh = new Node();
        fresh.key = key;
        if (root == null) {
            root = fresh;
            size = 1;
            return true;
        }
        Node node = root;
        while (true) {
            if (key == node.key) {
                return false;
            }
            Node child = key < node.key ? node.left : node.right;
            if (child == null) {
                break;
            }
            node = child;
        }
        if (key < node.key) {
            node.left = fresh;
        } else {
            node.right = fresh;
        }
        size++;
        return true;
    }

    public boolean contains(int key) {
        Node node = root;
        while (node != null) {
            if (key == node.key) {
                return true;
            }
            node = key < node.key ? node.left : node.right;
        }
        return false;
    }

    public int height() {
        return height(root);
    }

    private static int height(Node node) {
        return node == null ? 0 : 1 + Math.max(height(node.left), height(node.right));
    }

    public boolean ordered() {
        return ordered(root, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private boolean ordered(Node node, long low, long high) {
        if (node == null) {
            return true;
        }
        if (node.key <= low || node.key >= high) {
            return false;
        }
        return ordered(node.left, low, node.key) && ordered(node.right, node.key, high);
    }

    public int removeSmallest() {
        if (root.left == null) {
            int key = root.key;
            root = root.right;
            size--;
            return key;
        }
        Node parent = root;
        while (parent.left.left != null) {
            parent = parent.left;
        }
        int key = parent.left.key;
        parent.left = parent.left.right;
        size--;
        return key;
    }
}
