package shapes;

/** A node of a list or a tree, with a field that only predicates write. */
public class Node {
    public Node left;
    public Node right;
    public boolean mark;
    public int depth;
}
