/** A queue of numbers with the smallest in front: a leftist heap, in which all work is a merge. */
public class LeftistHeap {
    static class Node {
        int value;
        int rank = 1;
        Node left;
        Node right;

        Node(int value) {
            this.value = value;
        }
    }

    Node root;

    /** Adds a number. */
    public void add(int value) {
        root = merge(root, new Node(value));
    }

    /** Takes the smallest number out. */
    public int poll() {
        if (root == null) {
            throw new IllegalStateException("empty");
        }
        int least = root.value;
        root = merge(root.left, root.right);
        return least;
    }

    private static Node merge(Node one, Node other) {
        if (one == null) {
            return other;
        }
        if (other == null) {
            return one;
        }
        if (other.value < one.value) {
            Node swapped = one;
            one = other;
            other = swapped;
        }
        one.right = merge(one.right, other);
        if (one.left == null || one.left.rank < one.right.rank) {
            Node swapped = one.left;
            one.left = one.right;
            one.right = swapped;
        }
        one.rank = one.right == null ? 1 : one.right.rank + 1;
        return one;
    }
}
