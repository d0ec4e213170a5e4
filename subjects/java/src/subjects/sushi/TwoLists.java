package subjects.sushi;

/** A method that changes one list and then compares it with another one. */
public class TwoLists {
    private TwoLists() {}

    /**
     * Appends x to the first list, removes the element that n others precede, and says whether the
     * two lists then have the same elements.
     */
    public static boolean equalAfterRemoval(IntList first, IntList second, int x, int n) {
        first.addLast(x);
        first.removeNth(n);
        if (first.size != second.size) {
            return false;
        }
        IntList.Node a = first.header.next;
        IntList.Node b = second.header.next;
        while (a != first.header) {
            if (a.element != b.element) {
                return false;
            }
            a = a.next;
            b = b.next;
        }
        return true;
    }
}
