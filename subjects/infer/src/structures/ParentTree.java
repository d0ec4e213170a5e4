package structures;

/** A search tree whose nodes know their parents. */
public class ParentTree {
    Node top;

    static class Node {
        Node parent;
        Node smaller;
        Node larger;
        int key;
    }

    /** Adds a key unless it is there. */
    public void add(int key) {
        Node above = null;
        Node node = top;
        while (node != null) {
            if (key == node.key) {
                return;
            }
            above = node;
            node = key < node.key ? node.smaller : node.larger;
        }
        Node added = new Node();
        added.key = key;
        added.parent = above;
        if (above == null) {
            top = added;
        } else if (key < above.key) {
            above.smaller = added;
        } else {
            above.larger = added;
        }
    }

    /** Removes the smallest key. */
    public void removeSmallest() {
        if (top == null) {
            return;
        }
        Node node = top;
        while (node.smaller != null) {
            node = node.smaller;
        }
        if (node.larger != null) {
            node.larger.parent = node.parent;
        }
        if (node.parent == null) {
            top = node.larger;
        } else {
            node.parent.smaller = node.larger;
        }
    }

    /** Whether a key is there. */
    public boolean contains(int key) {
        Node node = top;
        while (node != null && node.key != key) {
            node = key < node.key ? node.smaller : node.larger;
        }
        return node != null;
    }
}
