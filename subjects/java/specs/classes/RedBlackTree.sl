data subjects.rbt.RedBlackTree { subjects.rbt.RedBlackTree$Entry root; int size; }
data subjects.rbt.RedBlackTree$Entry {
    int key;
    Object value;
    subjects.rbt.RedBlackTree$Entry left;
    subjects.rbt.RedBlackTree$Entry right;
    subjects.rbt.RedBlackTree$Entry parent;
    boolean red;
}
