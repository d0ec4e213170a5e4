package subjects;

/** Runs the checks of all subjects. */
public final class All {
    private All() {}

    /** Ends with an error as soon as one check fails. */
    public static void main(String[] arguments) {
        subjects.sll.SinglyLinkedListCheck.main(arguments);
        subjects.stack.LinkedStackCheck.main(arguments);
        subjects.dll.DoublyLinkedListCheck.main(arguments);
        subjects.bst.BinarySearchTreeCheck.main(arguments);
        subjects.avl.AvlTreeCheck.main(arguments);
        subjects.rbt.RedBlackTreeCheck.main(arguments);
        subjects.aa.AaTreeCheck.main(arguments);
        subjects.tll.LinkedLeafTreeCheck.main(arguments);
        subjects.sushi.TwoListsCheck.main(arguments);
        subjects.tsafe.TrajectorySynthesizerCheck.main(arguments);
        subjects.gantt.GraphTransactionCheck.main(arguments);
        subjects.math.MathTraversalsCheck.main(arguments);
    }
}
