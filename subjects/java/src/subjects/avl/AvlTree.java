package subjects.avl;

import java.util.NoSuchElementException;

/** A set of integers as a search tree in which the heights of siblings differ by at most one. */
public class AvlTree {
    AvlNode root;

    /** Whether there is no element. */
    public boolean isEmpty() {
        return root == null;
    }

    /** Removes all elements. */
    public void makeEmpty() {
        root = null;
    }

    /** The number of nodes on the longest way down. */
    public int height() {
        return height(root);
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
        AvlNode t = root;
        while (t != null) {
            if (x < t.element) {
                t = t.left;
            } else if (x > t.element) {
                t = t.right;
            } else {
                return true;
            }
        }
        return false;
    }

    /** The smallest element. */
    public int findMin() {
        if (root == null) {
            throw new NoSuchElementException();
        }
        return findMin(root).element;
    }

    /** The greatest element. */
    public int findMax() {
        if (root == null) {
            throw new NoSuchElementException();
        }
        AvlNode t = root;
        while (t.right != null) {
            t = t.right;
        }
        return t.element;
    }

    /** Adds x to the tree t and returns the new tree. */
    AvlNode insert(int x, AvlNode t) {
        if (t == null) {
            return new AvlNode(x);
        }
        if (x < t.element) {
            t.left = insert(x, t.left);
        } else if (x > t.element) {
            t.right = insert(x, t.right);
        } else {
            return t;
        }
        return balance(t);
    }

    /** Removes x from the tree t and returns the new tree. */
    AvlNode remove(int x, AvlNode t) {
        if (t == null) {
            return null;
        }
        if (x < t.element) {
            t.left = remove(x, t.left);
        } else if (x > t.element) {
            t.right = remove(x, t.right);
        } else if (t.left == null) {
            return t.right;
        } else if (t.right == null) {
            return t.left;
        } else {
            t.element = findMin(t.right).element;
            t.right = remove(t.element, t.right);
        }
        return balance(t);
    }

    /** The leftmost node of the tree t, which is not empty. */
    AvlNode findMin(AvlNode t) {
        while (t.left != null) {
            t = t.left;
        }
        return t;
    }

    /**
     * Makes an AVL tree of the node t, whose subtrees are AVL trees with heights that differ by at
     * most two, and whose own height may be out of date.
     */
    static AvlNode balance(AvlNode t) {
        int difference = height(t.left) - height(t.right);
        if (difference > 1) {
            if (height(t.left.left) >= height(t.left.right)) {
                return rotateWithLeftChild(t);
            }
            return doubleWithLeftChild(t);
        }
        if (difference < -1) {
            if (height(t.right.right) >= height(t.right.left)) {
                return rotateWithRightChild(t);
            }
            return doubleWithRightChild(t);
        }
        update(t);
        return t;
    }

    /** The height of a tree, 0 for the empty one. */
    static int height(AvlNode t) {
        return t == null ? 0 : t.height;
    }

    /** Puts the left child in the place of the node, and the node to its right. */
    static AvlNode rotateWithLeftChild(AvlNode t) {
        AvlNode child = t.left;
        t.left = child.right;
        child.right = t;
        update(t);
        update(child);
        return child;
    }

    /** Puts the right child in the place of the node, and the node to its left. */
    static AvlNode rotateWithRightChild(AvlNode t) {
        AvlNode child = t.right;
        t.right = child.left;
        child.left = t;
        update(t);
        update(child);
        return child;
    }

    /** Puts the left child's right child in the place of the node. */
    static AvlNode doubleWithLeftChild(AvlNode t) {
        t.left = rotateWithRightChild(t.left);
        return rotateWithLeftChild(t);
    }

    /** Puts the right child's left child in the place of the node. */
    static AvlNode doubleWithRightChild(AvlNode t) {
        t.right = rotateWithLeftChild(t.right);
        return rotateWithRightChild(t);
    }

    private static void update(AvlNode t) {
        t.height = Math.max(height(t.left), height(t.right)) + 1;
    }

    /** Whether elements are in order, heights are right, and siblings are of similar height. */
    public boolean repOK() {
        return repOK(root);
    }

    /** The same for the tree below a node. */
    static boolean repOK(AvlNode t) {
        return ordered(t) && balanced(t);
    }

    /** Whether the subtrees are AVL trees whose heights differ by at most two. */
    static boolean acceptsBalance(AvlNode t) {
        return t != null && ordered(t) && balanced(t.left) && balanced(t.right)
            && Math.abs(height(t.left) - height(t.right)) <= 2;
    }

    /** Whether there is a left child, and only the heights of the two nodes may be wrong. */
    static boolean acceptsRotateWithLeftChild(AvlNode t) {
        return t != null && t.left != null && ordered(t)
            && balanced(t.left.left) && balanced(t.left.right) && balanced(t.right);
    }

    /** Whether there is a right child, and only the heights of the two nodes may be wrong. */
    static boolean acceptsRotateWithRightChild(AvlNode t) {
        return t != null && t.right != null && ordered(t)
            && balanced(t.left) && balanced(t.right.left) && balanced(t.right.right);
    }

    /** Whether the left child has a right child, and only the heights of the three may be wrong. */
    static boolean acceptsDoubleWithLeftChild(AvlNode t) {
        return t != null && t.left != null && ordered(t) && balanced(t.right)
            && balanced(t.left.left) && acceptsOnlyHeight(t.left.right);
    }

    /** Whether the right child has a left child, and only the heights of the three may be wrong. */
    static boolean acceptsDoubleWithRightChild(AvlNode t) {
        return t != null && t.right != null && ordered(t) && balanced(t.left)
            && balanced(t.right.right) && acceptsOnlyHeight(t.right.left);
    }

    private static boolean acceptsOnlyHeight(AvlNode t) {
        return t != null && balanced(t.left) && balanced(t.right);
    }

    private static boolean ordered(AvlNode t) {
        return ordered(t, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Whether elements grow from left to right. That excludes cycles and shared nodes. */
    private static boolean ordered(AvlNode t, long low, long high) {
        return t == null
            || low < t.element && t.element < high
                && ordered(t.left, low, t.element) && ordered(t.right, t.element, high);
    }

    private static boolean balanced(AvlNode t) {
        return t == null
            || balanced(t.left) && balanced(t.right)
                && Math.abs(height(t.left) - height(t.right)) <= 1
                && t.height == Math.max(height(t.left), height(t.right)) + 1;
    }
}
