package structures;

/** A heap in which the shortest way down is always the right one. */
public class LeftistHeap {
    Node root;

    static class Node {
        int key;
        int rank;
        Node left;
        Node right;
    }

    private static int rank(Node node) {
        return node == null ? 0 : node.rank;
    }

    private static Node merge(Node a, Node b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        if (b.key < a.key) {
            Node c = a;
            a = b;
            b = c;
        }
        a.right = merge(a.right, b);
        if (rank(a.left) < rank(a.right)) {
            Node c = a.left;
            a.left = a.right;
            a.right = c;
        }
        a.rank = rank(a.right) + 1;
        return a;
    }

    /** Adds a key. */
    public void insert(int key) {
        Node node = new Node();
        node.key = key;
        node.rank = 1;
        root = merge(root, node);
    }

    /** Takes the smallest key out. */
    public int removeSmallest() {
        int smallest = root.key;
        root = merge(root.left, root.right);
        return smallest;
    }
}
