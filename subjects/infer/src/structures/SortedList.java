package structures;

/** A set of integers as a sorted list without duplicates. */
public class SortedList {
    Node first;

    static class Node {
        int value;
        Node next;
    }

    /** Adds a value; false if it is there already. */
    public boolean add(int value) {
        Node before = null;
        Node node = first;
        while (node != null && node.value < value) {
            before = node;
            node = node.next;
        }
        if (node != null && node.value == value) {
            return false;
        }
        Node added = new Node();
        added.value = value;
        added.next = node;
        if (before == null) {
            first = added;
        } else {
            before.next = added;
        }
        return true;
    }

    /** Removes a value if it is there. */
    public void remove(int value) {
        Node before = null;
        Node node = first;
        while (node != null && node.value < value) {
            before = node;
            node = node.next;
        }
        if (node == null || node.value != value) {
            return;
        }
        if (before == null) {
            first = node.next;
        } else {
            before.next = node.next;
        }
    }
}
