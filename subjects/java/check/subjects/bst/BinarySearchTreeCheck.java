package subjects.bst;

import static subjects.Check.outcome;
import static subjects.Check.same;
import static subjects.Check.that;

import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeSet;

/** Random operations on the tree and on the one of java.util. */
public final class BinarySearchTreeCheck {
    private BinarySearchTreeCheck() {}

    /** Ends with an error at the first difference. */
    public static void main(String[] arguments) {
        Random random = new Random(4);
        for (int round = 0; round < 2000; round++) {
            BinarySearchTree tree = new BinarySearchTree();
            TreeSet<Integer> oracle = new TreeSet<>();
            int range = 4 + random.nextInt(60);
            for (int step = 0; step < 120; step++) {
                int x = random.nextInt(range);
                switch (random.nextInt(8)) {
                    case 0: case 1: case 2: tree.insert(x); oracle.add(x); break;
                    case 3: case 4: tree.remove(x); oracle.remove(x); break;
                    case 5: same(tree.contains(x), oracle.contains(x), "contains"); break;
                    case 6:
                        Integer first = oracle.pollFirst();
                        if (first != null) {
                            same(tree.removeMin(), first, "removeMin");
                        } else {
                            same(outcome(tree::removeMin),
                                NoSuchElementException.class, "removeMin");
                        }
                        break;
                    default: if (random.nextInt(60) == 0) { tree.makeEmpty(); oracle.clear(); }
                }
                that(tree.repOK(), "repOK");
                same(tree.isEmpty(), oracle.isEmpty(), "isEmpty");
                same(outcome(tree::findMin), outcome(oracle::first), "findMin");
                same(outcome(tree::findMax), outcome(oracle::last), "findMax");
            }
            for (int x = 0; x < range; x++) {
                same(tree.contains(x), oracle.contains(x), "contains");
            }
        }
        BinarySearchTree broken = new BinarySearchTree();
        broken.insert(1);
        broken.root.left = broken.root;
        that(!broken.repOK(), "cycle");
        System.out.println("BinarySearchTree: ok");
    }
}
