package subjects.rbt;

import static subjects.Check.outcome;
import static subjects.Check.same;
import static subjects.Check.that;

import java.util.Random;
import java.util.TreeMap;

/** Random operations on the red-black tree and on the one of java.util. */
public final class RedBlackTreeCheck {
    private RedBlackTreeCheck() {}

    /** Ends with an error at the first difference. */
    public static void main(String[] arguments) {
        Random random = new Random(5);
        for (int round = 0; round < 2000; round++) {
            RedBlackTree tree = new RedBlackTree();
            TreeMap<Integer, Object> oracle = new TreeMap<>();
            int range = 4 + random.nextInt(60);
            for (int step = 0; step < 120; step++) {
                int x = random.nextInt(range);
                switch (random.nextInt(8)) {
                    case 0: case 1: case 2:
                        same(tree.put(x, step), oracle.put(x, step), "put");
                        break;
                    case 3: case 4: same(tree.remove(x), oracle.remove(x), "remove"); break;
                    case 5: same(tree.get(x), oracle.get(x), "get"); break;
                    case 6:
                        RedBlackTree.Entry entry = tree.getEntry(x);
                        RedBlackTree.Entry after = RedBlackTree.successor(entry);
                        RedBlackTree.Entry before = RedBlackTree.predecessor(entry);
                        same(after == null ? null : after.key,
                            entry == null ? null : oracle.higherKey(x), "successor");
                        same(before == null ? null : before.key,
                            entry == null ? null : oracle.lowerKey(x), "predecessor");
                        break;
                    default: if (random.nextInt(60) == 0) { tree.clear(); oracle.clear(); }
                }
                that(tree.repOK(), "repOK");
                same(tree.size(), oracle.size(), "size");
                same(tree.isEmpty(), oracle.isEmpty(), "isEmpty");
                same(tree.containsKey(x), oracle.containsKey(x), "containsKey");
                same(outcome(tree::firstKey), outcome(oracle::firstKey), "firstKey");
                same(outcome(tree::lastKey), outcome(oracle::lastKey), "lastKey");
            }
            for (int x = 0; x < range; x++) {
                same(tree.get(x), oracle.get(x), "get");
            }
        }
        RedBlackTree broken = new RedBlackTree();
        broken.put(1, null);
        broken.put(2, null);
        broken.getEntry(2).red = false;
        that(!broken.repOK(), "colour");
        broken.getEntry(2).red = true;
        broken.getEntry(2).parent = null;
        that(!broken.repOK(), "parent");
        broken.getEntry(2).parent = broken.getEntry(1);
        RedBlackTree.Entry first = broken.getEntry(1);
        RedBlackTree.Entry second = broken.getEntry(2);
        that(broken.acceptsRotateLeft(first) && !broken.acceptsRotateLeft(second), "rotateLeft");
        that(!broken.acceptsRotateRight(first), "rotateRight");
        that(broken.acceptsFixAfterInsertion(second), "fixAfterInsertion");
        that(!broken.acceptsFixAfterInsertion(first), "fixAfterInsertion");
        that(!broken.acceptsFixAfterDeletion(null, first), "fixAfterDeletion");
        second.red = false;
        that(broken.acceptsFixAfterDeletion(null, first), "fixAfterDeletion");
        that(!broken.acceptsFixAfterDeletion(second, first), "fixAfterDeletion");
        System.out.println("RedBlackTree: ok");
    }
}
