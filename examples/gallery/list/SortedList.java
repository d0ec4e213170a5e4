/** Numbers in a singly linked list, smallest first; a number may be there several times. */
public class SortedList {
    static class Node {
        int value;
        Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    Node first;

    /** Puts a number in its place. */
    public void add(int value) {
        if (first == null || value <= first.value) {
            first = new Node(value, first);
            return;
        }
        Node before = first;
        while (before.next != null && before.next.value < value) {
            before = before.next;
        }
        before.next = new Node(value, before.next);
    }

    /** Takes all copies of a number out. Says how many there were. */
    public int removeAll(int value) {
        int count = 0;
        while (first != null && first.value == value) {
            first = first.next;
            count++;
        }
        if (first == null) {
            return count;
        }
        for (Node node = first; node.next != null; ) {
            if (node.next.value == value) {
                node.next = node.next.next;
                count++;
            } else {
                node = node.next;
            }
        }
        return count;
    }

    /** Turns the order around: the largest number is first afterwards. */
    public void reverse() {
        Node done = null;
        while (first != null) {
            Node next = first.next;
            first.next = done;
            done = first;
            first = next;
        }
        first = done;
    }
}
