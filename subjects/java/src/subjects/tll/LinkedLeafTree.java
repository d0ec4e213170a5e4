package subjects.tll;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * A binary tree whose inner nodes have two children, whose nodes know their parents, and whose
 * leaves are linked from left to right.
 */
public class LinkedLeafTree {
    Node root;

    /** A leaf, or an inner node with two children. */
    static class Node {
        int value;
        Node left;
        Node right;
        Node parent;
        Node next;

        Node(int value) {
            this.value = value;
        }
    }

    /** Sets the parents and the links of the leaves in a tree that has the right children only. */
    public void linkLeaves() {
        if (root != null) {
            setTree(root, null, null);
        }
    }

    /**
     * Sets the parents and the links of the leaves of the tree t, whose parent is given, and whose
     * last leaf is followed by `after`. Returns the first leaf.
     */
    static Node setTree(Node t, Node parent, Node after) {
        t.parent = parent;
        if (t.right == null) {
            t.next = after;
            return t;
        }
        t.next = null;
        Node middle = setTree(t.right, t, after);
        return setTree(t.left, t, middle);
    }

    /** Turns a leaf into an inner node, with one leaf for its own value and one for another. */
    public void splitLeaf(Node leaf, int value) {
        Node first = new Node(leaf.value);
        Node second = new Node(value);
        first.parent = leaf;
        second.parent = leaf;
        first.next = second;
        second.next = leaf.next;
        Node before = root;
        while (before.left != null) {
            before = before.left;
        }
        if (before != leaf) {
            while (before.next != leaf) {
                before = before.next;
            }
            before.next = first;
        }
        leaf.next = null;
        leaf.left = first;
        leaf.right = second;
    }

    /** Whether the tree is empty, or a tree with right parents and right links of the leaves. */
    public boolean repOK() {
        if (root == null) {
            return true;
        }
        if (!shaped(root, null)) {
            return false;
        }
        Node first = root;
        while (first.left != null) {
            first = first.left;
        }
        return linked(root, null) == first;
    }

    /**
     * Whether every node has no child or two different ones, and the right parent. Since the
     * parent of a node tells from where it is reached, no walk down meets a node twice.
     */
    private static boolean shaped(Node t, Node parent) {
        if (t.parent != parent || (t.left == null) != (t.right == null)) {
            return false;
        }
        return t.left == null
            || t.left != t.right && t.next == null && shaped(t.left, t) && shaped(t.right, t);
    }

    /** The first leaf of a shaped tree if its leaves are linked up to `after`, otherwise null. */
    private static Node linked(Node t, Node after) {
        if (t.left == null) {
            return t.next == after ? t : null;
        }
        Node middle = linked(t.right, after);
        return middle == null ? null : linked(t.left, middle);
    }

    /** Whether there is no node, or children only as a tree has them. */
    boolean acceptsLinkLeaves() {
        return root == null || acceptsSetTree(root, null, null);
    }

    /** Whether every node below t has no child or two, and is reached in one way only. */
    static boolean acceptsSetTree(Node t, Node parent, Node after) {
        return isTree(t, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static boolean isTree(Node t, Set<Node> seen) {
        if (t == null || !seen.add(t)) {
            return false;
        }
        return t.left == null && t.right == null || isTree(t.left, seen) && isTree(t.right, seen);
    }
}
