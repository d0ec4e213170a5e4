package subjects.aa;

import static subjects.Check.outcome;
import static subjects.Check.same;
import static subjects.Check.that;

import java.util.Random;
import java.util.TreeSet;

/** Random operations on the tree and on the one of java.util. */
public final class AaTreeCheck {
    private AaTreeCheck() {}

    /** Ends with an error at the first difference. */
    public static void main(String[] arguments) {
        Random random = new Random(4);
        for (int round = 0; round < 2000; round++) {
            AaTree tree = new AaTree();
            TreeSet<Integer> oracle = new TreeSet<>();
            int range = 4 + random.nextInt(60);
            for (int step = 0; step < 120; step++) {
                int x = random.nextInt(range);
                switch (random.nextInt(8)) {
                    case 0: case 1: case 2: tree.insert(x); oracle.add(x); break;
                    case 3: case 4: tree.remove(x); oracle.remove(x); break;
                    case 5: same(tree.contains(x), oracle.contains(x), "contains"); break;
                    default: if (random.nextInt(60) == 0) { tree.makeEmpty(); oracle.clear(); }
                }
                that(tree.repOK(), "repOK");
                that(tree.acceptsSkew(tree.root), "skew");
                that(tree.isEmpty() != tree.acceptsSplit(tree.root), "split");
                that(tree.isEmpty() != tree.acceptsLower(tree.root), "lower");
                same(tree.isEmpty(), oracle.isEmpty(), "isEmpty");
                same(outcome(tree::findMin), outcome(oracle::first), "findMin");
                same(outcome(tree::findMax), outcome(oracle::last), "findMax");
            }
            for (int x = 0; x < range; x++) {
                same(tree.contains(x), oracle.contains(x), "contains");
            }
        }
        AaTree broken = new AaTree();
        broken.insert(1);
        broken.root.level = 2;
        that(!broken.repOK(), "level");
        that(!broken.acceptsSplit(broken.root) && !broken.acceptsSkew(broken.root), "level");
        broken.root.level = 1;
        broken.root.right = broken.root;
        that(!broken.repOK(), "cycle");
        System.out.println("AaTree: ok");
    }
}
