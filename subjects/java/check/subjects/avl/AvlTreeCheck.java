package subjects.avl;

import static subjects.Check.outcome;
import static subjects.Check.same;
import static subjects.Check.that;

import java.util.Random;
import java.util.TreeSet;

/** Random operations on the tree and on the one of java.util. */
public final class AvlTreeCheck {
    private AvlTreeCheck() {}

    /** Ends with an error at the first difference. */
    public static void main(String[] arguments) {
        Random random = new Random(4);
        for (int round = 0; round < 2000; round++) {
            AvlTree tree = new AvlTree();
            TreeSet<Integer> oracle = new TreeSet<>();
            int range = 4 + random.nextInt(60);
            for (int step = 0; step < 120; step++) {
                int x = random.nextInt(range);
                switch (random.nextInt(8)) {
                    case 0: case 1: case 2: tree.insert(x); oracle.add(x); break;
                    case 3: case 4: tree.remove(x); oracle.remove(x); break;
                    case 5: same(tree.contains(x), oracle.contains(x), "contains"); break;
                    case 6:
                        that(tree.height() <= 1.45 * Math.log(oracle.size() + 2) / Math.log(2),
                            "height");
                        break;
                    default: if (random.nextInt(60) == 0) { tree.makeEmpty(); oracle.clear(); }
                }
                that(tree.repOK(), "repOK");
                that(tree.isEmpty() != AvlTree.acceptsBalance(tree.root), "balance");
                same(tree.isEmpty(), oracle.isEmpty(), "isEmpty");
                same(outcome(tree::findMin), outcome(oracle::first), "findMin");
                same(outcome(tree::findMax), outcome(oracle::last), "findMax");
            }
            for (int x = 0; x < range; x++) {
                same(tree.contains(x), oracle.contains(x), "contains");
            }
        }
        AvlTree broken = new AvlTree();
        broken.insert(1);
        broken.root.height = 2;
        that(!broken.repOK(), "height");
        that(AvlTree.acceptsBalance(broken.root), "balance repairs the height");
        that(!AvlTree.acceptsRotateWithLeftChild(broken.root), "no left child");
        that(!AvlTree.acceptsRotateWithRightChild(broken.root), "no right child");
        that(!AvlTree.acceptsDoubleWithLeftChild(broken.root), "no left child");
        that(!AvlTree.acceptsDoubleWithRightChild(broken.root), "no right child");
        broken.root.height = 1;
        broken.root.right = broken.root;
        that(!broken.repOK(), "cycle");
        System.out.println("AvlTree: ok");
    }
}
