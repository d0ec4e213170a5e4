data subjects.bst.BinarySearchTree { subjects.bst.BinaryNode root; }
data subjects.bst.BinaryNode {
    int element;
    subjects.bst.BinaryNode left;
    subjects.bst.BinaryNode right;
}
