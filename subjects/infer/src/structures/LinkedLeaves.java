package structures;

/** A tree whose inner nodes have two children, and whose leaves are linked from left to right. */
public class LinkedLeaves {
    Node root = new Node();

    static class Node {
        Node left;
        Node right;
        Node parent;
        Node next;
    }

    /** Turns the leaf with a number, from the left, into an inner node. */
    public void split(int index) {
        Node before = null;
        Node leaf = root;
        while (leaf.left != null) {
            leaf = leaf.left;
        }
        for (int i = 0; i < index; i++) {
            before = leaf;
            leaf = leaf.next;
        }
        leaf.left = new Node();
        leaf.right = new Node();
        leaf.left.parent = leaf;
        leaf.right.parent = leaf;
        leaf.left.next = leaf.right;
        leaf.right.next = leaf.next;
        leaf.next = null;
        if (before != null) {
            before.next = leaf.left;
        }
    }
}
