/** A sorted set of numbers in two lanes: all nodes, and an express lane through some of them. */
public class SkipList {
    static class Node {
        int value;
        Node next;
        Node express;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    /** Stands before all numbers, in both lanes. */
    final Node head = new Node(0, null);

    /** The last node of both lanes together that is before a value. */
    private Node before(int value) {
        Node node = head;
        while (node.express != null && node.express.value < value) {
            node = node.express;
        }
        while (node.next != null && node.next.value < value) {
            node = node.next;
        }
        return node;
    }

    /** Whether a number is in the set. */
    public boolean contains(int value) {
        Node node = before(value).next;
        return node != null && node.value == value;
    }

    /** Adds a number to the lane of all nodes, unless it is there. */
    public boolean add(int value) {
        Node before = before(value);
        if (before.next != null && before.next.value == value) {
            return false;
        }
        before.next = new Node(value, before.next);
        return true;
    }

    /** Makes a new express lane that stops at every second node. */
    public void level() {
        Node stop = head;
        int count = 0;
        for (Node node = head.next; node != null; node = node.next) {
            node.express = null;
            count++;
            if (count % 2 == 0) {
                stop.express = node;
                stop = node;
            }
        }
        stop.express = null;
    }
}
