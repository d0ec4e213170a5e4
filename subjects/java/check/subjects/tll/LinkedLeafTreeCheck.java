package subjects.tll;

import static subjects.Check.that;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random trees, linked at once or grown leaf by leaf, beside a list of their leaves. */
public final class LinkedLeafTreeCheck {
    private LinkedLeafTreeCheck() {}

    /** Ends with an error at the first difference. */
    public static void main(String[] arguments) {
        Random random = new Random(6);
        LinkedLeafTree empty = new LinkedLeafTree();
        empty.linkLeaves();
        that(empty.repOK(), "empty");
        for (int round = 0; round < 2000; round++) {
            LinkedLeafTree tree = new LinkedLeafTree();
            List<LinkedLeafTree.Node> leaves = new ArrayList<>();
            tree.root = random(random, 1 + random.nextInt(10), leaves);
            that(leaves.size() == 1 || !tree.repOK(), "not linked yet");
            that(tree.acceptsLinkLeaves(), "a tree");
            tree.linkLeaves();
            compare(tree, leaves);
            for (int step = 0; step < 10; step++) {
                int index = random.nextInt(leaves.size());
                LinkedLeafTree.Node leaf = leaves.get(index);
                tree.splitLeaf(leaf, step);
                leaves.set(index, leaf.left);
                leaves.add(index + 1, leaf.right);
                compare(tree, leaves);
            }
        }
        LinkedLeafTree broken = new LinkedLeafTree();
        broken.root = new LinkedLeafTree.Node(0);
        broken.root.left = new LinkedLeafTree.Node(0);
        that(!broken.repOK() && !broken.acceptsLinkLeaves(), "one child");
        broken.root.right = broken.root.left;
        that(!broken.repOK() && !broken.acceptsLinkLeaves(), "shared child");
        broken.root.right = broken.root;
        that(!broken.repOK() && !broken.acceptsLinkLeaves(), "cycle");
        System.out.println("LinkedLeafTree: ok");
    }

    private static void compare(LinkedLeafTree tree, List<LinkedLeafTree.Node> leaves) {
        that(tree.repOK(), "repOK");
        LinkedLeafTree.Node leaf = tree.root;
        while (leaf.left != null) {
            leaf = leaf.left;
        }
        for (LinkedLeafTree.Node expected : leaves) {
            that(leaf == expected, "leaf");
            leaf = leaf.next;
        }
        that(leaf == null, "end");
    }

    private static LinkedLeafTree.Node random(
            Random random, int size, List<LinkedLeafTree.Node> leaves) {
        LinkedLeafTree.Node node = new LinkedLeafTree.Node(size);
        if (size == 1) {
            leaves.add(node);
        } else {
            int left = 1 + random.nextInt(size - 1);
            node.left = random(random, left, leaves);
            node.right = random(random, size - left, leaves);
        }
        return node;
    }
}
