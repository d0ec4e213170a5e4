data subjects.avl.AvlTree { subjects.avl.AvlNode root; }
data subjects.avl.AvlNode {
    int element;
    subjects.avl.AvlNode left;
    subjects.avl.AvlNode right;
    int height;
}
