package structures;

/** A heap that keeps no balance. */
public class SkewHeap {
    Tree root;
    int size;

    static class Tree {
        Tree left;
        Tree right;
        int key;
    }

    private static Tree merge(Tree a, Tree b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        if (b.key < a.key) {
            return merge(b, a);
        }
        Tree left = a.left;
        a.left = merge(a.right, b);
        a.right = left;
        return a;
    }

    /** Adds a key. */
    public void add(int key) {
        Tree tree = new Tree();
        tree.key = key;
        root = merge(root, tree);
        size++;
    }

    /** Takes the smallest key out. */
    public void poll() {
        root = merge(root.left, root.right);
        size--;
    }
}
