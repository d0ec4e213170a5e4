package structures;

/** A list with a node in front that holds no value. */
public class HeaderList {
    Node header = new Node();

    static class Node {
        Object value;
        Node next;
    }

    /** Adds a value at the end. */
    public void append(Object value) {
        Node last = header;
        while (last.next != null) {
            last = last.next;
        }
        last.next = new Node();
        last.next.value = value;
    }

    /** Removes the first value. */
    public void removeFirst() {
        if (header.next != null) {
            header.next = header.next.next;
        }
    }
}
