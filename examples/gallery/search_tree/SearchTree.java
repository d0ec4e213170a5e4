/** A set of numbers as a binary search tree. */
public class SearchTree {
    static class Node {
        int value;
        Node left;
        Node right;

        Node(int value) {
            this.value = value;
        }
    }

    Node root;

    /** Adds a number, unless it is there. */
    public boolean add(int value) {
        if (root == null) {
            root = new Node(value);
            return true;
        }
        Node node = root;
        while (node.value != value) {
            Node next = value < node.value ? node.left : node.right;
            if (next == null) {
                if (value < node.value) {
                    node.left = new Node(value);
                } else {
                    node.right = new Node(value);
                }
                return true;
            }
            node = next;
        }
        return false;
    }

    /** Takes the smallest number out. */
    public int removeLeast() {
        if (root == null) {
            throw new IllegalStateException("empty");
        }
        if (root.left == null) {
            int least = root.value;
            root = root.right;
            return least;
        }
        Node parent = root;
        while (parent.left.left != null) {
            parent = parent.left;
        }
        int least = parent.left.value;
        parent.left = parent.left.right;
        return least;
    }

    /** The smallest number that is at least `limit`, or `limit` if there is none. */
    public int ceiling(int limit) {
        Node best = null;
        for (Node node = root; node != null; ) {
            if (node.value < limit) {
                node = node.right;
            } else {
                best = node;
                node = node.left;
            }
        }
        return best == null ? limit : best.value;
    }
}
