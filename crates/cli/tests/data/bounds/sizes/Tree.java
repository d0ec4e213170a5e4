package sizes;

/** Search trees; the last branch needs a path of 12 nodes to the right. */
public class Tree {
    Tree left;
    Tree right;
    int key;

    static int depth(Tree root, int key) {
        int depth = 0;
        Tree node = root;
        while (node != null) {
            depth++;
            if (key == node.key) {
                break;
            }
            node = key < node.key ? node.left : node.right;
        }
        if (depth >= 12) {
            return -1;
        }
        return depth;
    }
}
