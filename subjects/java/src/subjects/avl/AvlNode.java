package subjects.avl;

/** A node of an AVL tree. */
class AvlNode {
    int element;
    AvlNode left;
    AvlNode right;
    /** The number of nodes on the longest way down from here, this one included. */
    int height;

    AvlNode(int element) {
        this.element = element;
        this.height = 1;
    }
}
