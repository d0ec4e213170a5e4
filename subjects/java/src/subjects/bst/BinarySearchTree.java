package subjects.bst;

import java.util.NoSuchElementException;

/** A set of integers as a binary search tree without balance. */
public class BinarySearchTree {
    BinaryNode root;

    /** Whether there is no element. */
    public boolean isEmpty() {
        return root == null;
    }

    /** Removes all elements. */
    public void makeEmpty() {
        root = null;
    }

    /** Adds an element unless it is there already. */
    public void insert(int x) {
        root = insert(x, root);
    }

    /** Removes an element if it is there. */
    public void remove(int x) {
        root = remove(x, root);
    }

    /** Whether an element is there. */
    public boolean contains(int x) {
        return find(x, root) != null;
    }

    /** The smallest element. */
    public int findMin() {
        BinaryNode node = findMin(root);
        if (node == null) {
            throw new NoSuchElementException();
        }
        return node.element;
    }

    /** The greatest element. */
    public int findMax() {
        BinaryNode node = findMax(root);
        if (node == null) {
            throw new NoSuchElementException();
        }
        return node.element;
    }

    /** Removes the smallest element and returns it. */
    public int removeMin() {
        if (root == null) {
            throw new NoSuchElementException();
        }
        BinaryNode above = null;
        BinaryNode node = root;
        while (node.left != null) {
            above = node;
            node = node.left;
        }
        if (above == null) {
            root = node.right;
        } else {
            above.left = node.right;
        }
        return node.element;
    }

    /** Adds x to the tree t and returns the new tree. */
    BinaryNode insert(int x, BinaryNode t) {
        if (t == null) {
            return new BinaryNode(x);
        }
        if (x < t.element) {
            t.left = insert(x, t.left);
        } else if (x > t.element) {
            t.right = insert(x, t.right);
        }
        return t;
    }

    /** Removes x from the tree t and returns the new tree. */
    BinaryNode remove(int x, BinaryNode t) {
        if (t == null) {
            return t;
        }
        if (x < t.element) {
            t.left = remove(x, t.left);
        } else if (x > t.element) {
            t.right = remove(x, t.right);
        } else if (t.left != null && t.right != null) {
            t.element = findMin(t.right).element;
            t.right = remove(t.element, t.right);
        } else {
            t = (t.left != null) ? t.left : t.right;
        }
        return t;
    }

    /** The node of the tree t that holds x, or null. */
    BinaryNode find(int x, BinaryNode t) {
        while (t != null) {
            if (x < t.element) {
                t = t.left;
            } else if (x > t.element) {
                t = t.right;
            } else {
                return t;
            }
        }
        return null;
    }

    /** The leftmost node of the tree t, or null. */
    BinaryNode findMin(BinaryNode t) {
        if (t == null) {
            return null;
        } else if (t.left == null) {
            return t;
        }
        return findMin(t.left);
    }

    /** The rightmost node of the tree t, or null. */
    BinaryNode findMax(BinaryNode t) {
        if (t != null) {
            while (t.right != null) {
                t = t.right;
            }
        }
        return t;
    }

    /**
     * Whether the elements grow from left to right. That also excludes cycles and shared nodes:
     * wherever a node occurs a second time, its element is out of order.
     */
    public boolean repOK() {
        return repOK(root);
    }

    /** The same for the tree below a node. */
    static boolean repOK(BinaryNode t) {
        return ordered(t, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static boolean ordered(BinaryNode t, long low, long high) {
        return t == null
            || low < t.element && t.element < high
                && ordered(t.left, low, t.element) && ordered(t.right, t.element, high);
    }
}
