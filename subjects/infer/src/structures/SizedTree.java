package structures;

/** A search tree in which every node counts those below it, itself included. */
public class SizedTree {
    Node root;

    static class Node {
        int key;
        int size;
        Node left;
        Node right;
    }

    private static int size(Node node) {
        return node == null ? 0 : node.size;
    }

    /** Adds a key unless it is there. */
    public void insert(int key) {
        root = insert(root, key);
    }

    private static Node insert(Node node, int key) {
        if (node == null) {
            Node added = new Node();
            added.key = key;
            added.size = 1;
            return added;
        }
        if (key < node.key) {
            node.left = insert(node.left, key);
        } else if (key > node.key) {
            node.right = insert(node.right, key);
        }
        node.size = size(node.left) + size(node.right) + 1;
        return node;
    }

    /** The number of keys that are smaller. */
    public int rank(int key) {
        int rank = 0;
        Node node = root;
        while (node != null) {
            if (key <= node.key) {
                node = node.left;
            } else {
                rank += size(node.left) + 1;
                node = node.right;
            }
        }
        return rank;
    }
}
