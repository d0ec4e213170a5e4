package structures;

/** A list of binomial trees, the degrees of which grow. */
public class BinomialHeap {
    Node trees;

    static class Node {
        int key;
        int degree;
        Node child;
        Node sibling;
    }

    private static Node link(Node a, Node b) {
        if (b.key < a.key) {
            Node c = a;
            a = b;
            b = c;
        }
        b.sibling = a.child;
        a.child = b;
        a.degree++;
        return a;
    }

    private static Node add(Node tree, Node list) {
        while (list != null && list.degree == tree.degree) {
            Node next = list.sibling;
            list.sibling = null;
            tree = link(tree, list);
            list = next;
        }
        tree.sibling = list;
        return tree;
    }

    private static Node merge(Node a, Node b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        if (a.degree < b.degree) {
            a.sibling = merge(a.sibling, b);
            return a;
        }
        if (b.degree < a.degree) {
            b.sibling = merge(a, b.sibling);
            return b;
        }
        Node restOfA = a.sibling;
        Node restOfB = b.sibling;
        a.sibling = null;
        b.sibling = null;
        return add(link(a, b), merge(restOfA, restOfB));
    }

    /** Adds a key. */
    public void insert(int key) {
        Node node = new Node();
        node.key = key;
        trees = add(node, trees);
    }

    /** Takes the smallest key out. */
    public void removeSmallest() {
        Node before = null;
        Node smallest = trees;
        Node last = null;
        for (Node node = trees; node != null; node = node.sibling) {
            if (node.key < smallest.key) {
                smallest = node;
                before = last;
            }
            last = node;
        }
        if (before == null) {
            trees = smallest.sibling;
        } else {
            before.sibling = smallest.sibling;
        }
        Node reversed = null;
        Node child = smallest.child;
        while (child != null) {
            Node next = child.sibling;
            child.sibling = reversed;
            reversed = child;
            child = next;
        }
        trees = merge(trees, reversed);
    }
}
