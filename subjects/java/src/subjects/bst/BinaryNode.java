package subjects.bst;

/** A node of a binary search tree. */
class BinaryNode {
    int element;
    BinaryNode left;
    BinaryNode right;

    BinaryNode(int element) {
        this.element = element;
    }
}
