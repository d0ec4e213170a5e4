package structures;

/** A circle of nodes; there is none, or the one that is current. */
public class Ring {
    Node current;

    static class Node {
        Object content;
        Node next;
    }

    /** Adds an element behind the current one, or as the only one. */
    public void add(Object content) {
        Node node = new Node();
        node.content = content;
        if (current == null) {
            node.next = node;
            current = node;
        } else {
            node.next = current.next;
            current.next = node;
        }
    }

    /** Goes on to the next element. */
    public void turn() {
        if (current != null) {
            current = current.next;
        }
    }

    /** Removes the element behind the current one. */
    public void remove() {
        if (current == null) {
            return;
        }
        if (current.next == current) {
            current = null;
        } else {
            current.next = current.next.next;
        }
    }
}
