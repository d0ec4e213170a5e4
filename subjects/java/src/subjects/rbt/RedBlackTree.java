package subjects.rbt;

import java.util.NoSuchElementException;

/** A map from integers to objects as a red-black tree whose entries know their parents. */
public class RedBlackTree {
    private Entry root;
    private int size;

    /** A key with its value. */
    static class Entry {
        int key;
        Object value;
        Entry left;
        Entry right;
        Entry parent;
        boolean red;

        Entry(int key, Object value, Entry parent) {
            this.key = key;
            this.value = value;
            this.parent = parent;
            this.red = true;
        }
    }

    /** The number of entries. */
    public int size() {
        return size;
    }

    /** Whether there is no entry. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Removes all entries. */
    public void clear() {
        root = null;
        size = 0;
    }

    /** The value of a key, or null. */
    public Object get(int key) {
        Entry entry = getEntry(key);
        return entry == null ? null : entry.value;
    }

    /** Whether a key is there. */
    public boolean containsKey(int key) {
        return getEntry(key) != null;
    }

    /** The smallest key. */
    public int firstKey() {
        if (root == null) {
            throw new NoSuchElementException();
        }
        Entry entry = root;
        while (entry.left != null) {
            entry = entry.left;
        }
        return entry.key;
    }

    /** The greatest key. */
    public int lastKey() {
        if (root == null) {
            throw new NoSuchElementException();
        }
        Entry entry = root;
        while (entry.right != null) {
            entry = entry.right;
        }
        return entry.key;
    }

    /** Gives a key a value; returns the one that it had before, or null. */
    public Object put(int key, Object value) {
        Entry above = null;
        Entry entry = root;
        while (entry != null) {
            above = entry;
            if (key < entry.key) {
                entry = entry.left;
            } else if (key > entry.key) {
                entry = entry.right;
            } else {
                Object old = entry.value;
                entry.value = value;
                return old;
            }
        }
        Entry added = new Entry(key, value, above);
        if (above == null) {
            root = added;
        } else if (key < above.key) {
            above.left = added;
        } else {
            above.right = added;
        }
        size++;
        fixAfterInsertion(added);
        return null;
    }

    /** Removes a key; returns its value, or null. */
    public Object remove(int key) {
        Entry entry = getEntry(key);
        if (entry == null) {
            return null;
        }
        Object old = entry.value;
        deleteEntry(entry);
        return old;
    }

    /** The entry of a key, or null. */
    Entry getEntry(int key) {
        Entry entry = root;
        while (entry != null) {
            if (key < entry.key) {
                entry = entry.left;
            } else if (key > entry.key) {
                entry = entry.right;
            } else {
                return entry;
            }
        }
        return null;
    }

    /** The entry with the next greater key, or null. */
    static Entry successor(Entry entry) {
        if (entry == null) {
            return null;
        }
        if (entry.right != null) {
            Entry next = entry.right;
            while (next.left != null) {
                next = next.left;
            }
            return next;
        }
        Entry above = entry.parent;
        while (above != null && entry == above.right) {
            entry = above;
            above = above.parent;
        }
        return above;
    }

    /** The entry with the next smaller key, or null. */
    static Entry predecessor(Entry entry) {
        if (entry == null) {
            return null;
        }
        if (entry.left != null) {
            Entry next = entry.left;
            while (next.right != null) {
                next = next.right;
            }
            return next;
        }
        Entry above = entry.parent;
        while (above != null && entry == above.left) {
            entry = above;
            above = above.parent;
        }
        return above;
    }

    /** Removes an entry of the tree. */
    void deleteEntry(Entry entry) {
        Entry gone = entry;
        if (entry.left != null && entry.right != null) {
            gone = successor(entry);
            entry.key = gone.key;
            entry.value = gone.value;
        }
        Entry child = gone.left != null ? gone.left : gone.right;
        replace(gone, child);
        if (child != null) {
            child.parent = gone.parent;
        }
        size--;
        if (!gone.red) {
            fixAfterDeletion(child, gone.parent);
        }
    }

    /** Puts the right child in the place of an entry, which becomes that child's left child. */
    void rotateLeft(Entry entry) {
        Entry child = entry.right;
        replace(entry, child);
        child.parent = entry.parent;
        entry.right = child.left;
        if (child.left != null) {
            child.left.parent = entry;
        }
        child.left = entry;
        entry.parent = child;
    }

    /** Puts the left child in the place of an entry, which becomes that child's right child. */
    void rotateRight(Entry entry) {
        Entry child = entry.left;
        replace(entry, child);
        child.parent = entry.parent;
        entry.left = child.right;
        if (child.right != null) {
            child.right.parent = entry;
        }
        child.right = entry;
        entry.parent = child;
    }

    /** Lets the parent of an entry, or the tree itself, name another entry in its place. */
    private void replace(Entry entry, Entry other) {
        if (entry.parent == null) {
            root = other;
        } else if (entry == entry.parent.left) {
            entry.parent.left = other;
        } else {
            entry.parent.right = other;
        }
    }

    /** Makes the tree valid in which the red entry x may have a red parent or be the root. */
    void fixAfterInsertion(Entry x) {
        while (x.parent != null && x.parent.red) {
            Entry parent = x.parent;
            Entry above = parent.parent;
            if (parent == above.left) {
                if (isRed(above.right)) {
                    parent.red = false;
                    above.right.red = false;
                    above.red = true;
                    x = above;
                } else {
                    if (x == parent.right) {
                        x = parent;
                        rotateLeft(x);
                    }
                    x.parent.red = false;
                    above.red = true;
                    rotateRight(above);
                }
            } else {
                if (isRed(above.left)) {
                    parent.red = false;
                    above.left.red = false;
                    above.red = true;
                    x = above;
                } else {
                    if (x == parent.left) {
                        x = parent;
                        rotateRight(x);
                    }
                    x.parent.red = false;
                    above.red = true;
                    rotateLeft(above);
                }
            }
        }
        root.red = false;
    }

    /**
     * Makes the tree valid in which every way through x has one black entry less than the others.
     * The parent is given as well because x may be null, and is null where x is the root.
     */
    void fixAfterDeletion(Entry x, Entry parent) {
        while (x != root && !isRed(x)) {
            if (x == parent.left) {
                Entry sibling = parent.right;
                if (sibling.red) {
                    sibling.red = false;
                    parent.red = true;
                    rotateLeft(parent);
                    sibling = parent.right;
                }
                if (!isRed(sibling.left) && !isRed(sibling.right)) {
                    sibling.red = true;
                    x = parent;
                    parent = x.parent;
                } else {
                    if (!isRed(sibling.right)) {
                        sibling.left.red = false;
                        sibling.red = true;
                        rotateRight(sibling);
                        sibling = parent.right;
                    }
                    sibling.red = parent.red;
                    parent.red = false;
                    sibling.right.red = false;
                    rotateLeft(parent);
                    x = root;
                }
            } else {
                Entry sibling = parent.left;
                if (sibling.red) {
                    sibling.red = false;
                    parent.red = true;
                    rotateRight(parent);
                    sibling = parent.left;
                }
                if (!isRed(sibling.left) && !isRed(sibling.right)) {
                    sibling.red = true;
                    x = parent;
                    parent = x.parent;
                } else {
                    if (!isRed(sibling.left)) {
                        sibling.right.red = false;
                        sibling.red = true;
                        rotateLeft(sibling);
                        sibling = parent.left;
                    }
                    sibling.red = parent.red;
                    parent.red = false;
                    sibling.left.red = false;
                    rotateRight(parent);
                    x = root;
                }
            }
        }
        if (x != null) {
            x.red = false;
        }
    }

    private static boolean isRed(Entry entry) {
        return entry != null && entry.red;
    }

    /**
     * Whether keys are in order, parents are right, the root is black, red entries have black
     * children, all ways down have equally many black entries, and the size is right.
     */
    public boolean repOK() {
        return linked() && !isRed(root) && count(root) == size
            && blackHeight(root, null, null, null, 0) >= 0;
    }

    /** Whether the keys are in order, parents are right, and the entry has a right child. */
    boolean acceptsRotateLeft(Entry entry) {
        return linked() && contains(root, entry) && entry.right != null;
    }

    /** Whether the keys are in order, parents are right, and the entry has a left child. */
    boolean acceptsRotateRight(Entry entry) {
        return linked() && contains(root, entry) && entry.left != null;
    }

    /** Whether the tree would be valid if its red entry x passed for a black one. */
    boolean acceptsFixAfterInsertion(Entry x) {
        return linked() && contains(root, x) && x.red && count(root) == size
            && (root == x || !isRed(root)) && blackHeight(root, null, x, x.parent, 0) >= 0;
    }

    /** Whether the tree would be valid if x were black and had another black entry above it. */
    boolean acceptsFixAfterDeletion(Entry x, Entry parent) {
        if (!linked() || count(root) != size) {
            return false;
        }
        if (x == null && parent != null) {
            if (!contains(root, parent) || (parent.left == null) == (parent.right == null)) {
                return false;
            }
        } else if (x == null ? root != null : !contains(root, x) || x.parent != parent) {
            return false;
        }
        return (root == x || !isRed(root)) && blackHeight(root, null, x, parent, 1) >= 0;
    }

    /** Whether keys grow from left to right, which excludes cycles, and parents are right. */
    private boolean linked() {
        return linked(root, null, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static boolean linked(Entry entry, Entry above, long low, long high) {
        return entry == null
            || entry.parent == above && low < entry.key && entry.key < high
                && linked(entry.left, entry, low, entry.key)
                && linked(entry.right, entry, entry.key, high);
    }

    /**
     * The number of black entries on every way down, or -1 where colours are wrong. The subtree
     * `odd` below `oddParent` passes for a black one, with some more black entries than it has.
     */
    private static int blackHeight(
            Entry entry, Entry above, Entry odd, Entry oddParent, int missing) {
        int height = 0;
        if (entry != null) {
            height = blackHeight(entry.left, entry, odd, oddParent, missing);
            if (height < 0 || height != blackHeight(entry.right, entry, odd, oddParent, missing)) {
                return -1;
            }
            if (!entry.red) {
                height++;
            } else if (isRed(entry.left) && entry.left != odd
                || isRed(entry.right) && entry.right != odd) {
                return -1;
            }
        }
        return entry == odd && above == oddParent ? height + missing : height;
    }

    private static int count(Entry entry) {
        return entry == null ? 0 : count(entry.left) + 1 + count(entry.right);
    }

    private static boolean contains(Entry t, Entry entry) {
        return t != null && (t == entry || contains(t.left, entry) || contains(t.right, entry));
    }
}
