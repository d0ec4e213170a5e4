package subjects.aa;

import java.util.NoSuchElementException;

/**
 * A set of integers as an AA tree: a search tree with levels, in which a node may be on the level
 * of its parent only if it is a right child whose parent is not such a child itself. One sentinel
 * of level 0 stands for every empty subtree.
 */
public class AaTree {
    Node root;
    Node sentinel;

    /** A node of the tree, or the sentinel. */
    static class Node {
        int element;
        Node left;
        Node right;
        int level;

        Node(int element, Node below, int level) {
            this.element = element;
            this.left = below;
            this.right = below;
            this.level = level;
        }
    }

    /** An empty tree. */
    public AaTree() {
        sentinel = new Node(0, null, 0);
        sentinel.left = sentinel;
        sentinel.right = sentinel;
        root = sentinel;
    }

    /** Whether there is no element. */
    public boolean isEmpty() {
        return root == sentinel;
    }

    /** Removes all elements. */
    public void makeEmpty() {
        root = sentinel;
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
        Node t = root;
        while (t != sentinel) {
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
        if (root == sentinel) {
            throw new NoSuchElementException();
        }
        Node t = root;
        while (t.left != sentinel) {
            t = t.left;
        }
        return t.element;
    }

    /** The greatest element. */
    public int findMax() {
        if (root == sentinel) {
            throw new NoSuchElementException();
        }
        return findMax(root).element;
    }

    /** Adds x to the tree t and returns the new tree. */
    Node insert(int x, Node t) {
        if (t == sentinel) {
            return new Node(x, sentinel, 1);
        }
        if (x < t.element) {
            t.left = insert(x, t.left);
        } else if (x > t.element) {
            t.right = insert(x, t.right);
        } else {
            return t;
        }
        return split(skew(t));
    }

    /** Removes x from the tree t and returns the new tree. */
    Node remove(int x, Node t) {
        if (t == sentinel) {
            return t;
        }
        if (x < t.element) {
            t.left = remove(x, t.left);
        } else if (x > t.element) {
            t.right = remove(x, t.right);
        } else if (t.left == sentinel) {
            return t.right;
        } else {
            t.element = findMax(t.left).element;
            t.left = remove(t.element, t.left);
        }
        return lower(t);
    }

    /** The rightmost node of the tree t, which is not empty. */
    Node findMax(Node t) {
        while (t.right != sentinel) {
            t = t.right;
        }
        return t;
    }

    /** Makes a tree valid, one of whose subtrees may have become a level lower. */
    Node lower(Node t) {
        int level = Math.min(t.left.level, t.right.level) + 1;
        if (t.level > level) {
            t.level = level;
            if (t.right.level > level) {
                t.right.level = level;
            }
            t = skew(t);
            t.right = skew(t.right);
            t.right.right = skew(t.right.right);
            t = split(t);
            t.right = split(t.right);
        }
        return t;
    }

    /**
     * Turns a left child on the level of its parent into the parent of that. The sentinel, its own
     * left child, is turned into itself.
     */
    Node skew(Node t) {
        if (t.left.level == t.level) {
            Node child = t.left;
            t.left = child.right;
            child.right = t;
            return child;
        }
        return t;
    }

    /** Lifts the middle one of three nodes on one level. The tree t is not empty. */
    Node split(Node t) {
        if (t.right.right.level == t.level) {
            Node child = t.right;
            t.right = child.left;
            child.left = t;
            child.level++;
            return child;
        }
        return t;
    }

    /** Whether the sentinel is sound, elements are in order, and levels are those of an AA tree. */
    public boolean repOK() {
        return ordered(root) && levelled(root);
    }

    /** Whether t is the whole tree and valid, or one of its subtrees is a level too low. */
    boolean acceptsLower(Node t) {
        if (t != root || !ordered(t) || t == sentinel || !levelled(t.left) || !levelled(t.right)) {
            return false;
        }
        int left = t.level - t.left.level;
        int right = t.level - t.right.level;
        return left == 1 && (right == 1 || right == 2 || right == 0 && flat(t.right))
            || left == 2 && (right == 1 || right == 0 && flat(t.right));
    }

    /** Whether t is the whole tree and valid, or its left child is on its own level. */
    boolean acceptsSkew(Node t) {
        if (t != root || !ordered(t)) {
            return false;
        }
        return levelled(t)
            || levelled(t.left) && levelled(t.right) && t.left.level == t.level && flat(t.left)
                && (t.right.level == t.level - 1 || t.right.level == t.level && flat(t.right));
    }

    /** Whether t is the whole tree, not empty, and valid but for two links to the right. */
    boolean acceptsSplit(Node t) {
        if (t != root || !ordered(t) || t == sentinel) {
            return false;
        }
        return levelled(t)
            || levelled(t.left) && levelled(t.right) && t.left.level == t.level - 1
                && t.right.level == t.level && t.right.right.level == t.level;
    }

    /** Whether the sentinel is sound and the elements of a tree are in order. */
    private boolean ordered(Node t) {
        return sentinel != null && sentinel.level == 0
            && sentinel.left == sentinel && sentinel.right == sentinel
            && ordered(t, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Whether elements grow from left to right. That excludes cycles and shared nodes. */
    private boolean ordered(Node t, long low, long high) {
        return t == sentinel
            || t != null && low < t.element && t.element < high
                && ordered(t.left, low, t.element) && ordered(t.right, t.element, high);
    }

    private boolean levelled(Node t) {
        return t == sentinel
            || t.left.level == t.level - 1
                && (t.right.level == t.level - 1 || t.right.level == t.level && flat(t.right))
                && levelled(t.left) && levelled(t.right);
    }

    /** Whether the right child is below the node. */
    private static boolean flat(Node t) {
        return t.right.level == t.level - 1;
    }
}
