package subjects.sushi;

import java.util.NoSuchElementException;

/** A doubly linked list of integers, a circle through a header node. */
public class IntList {
    Node header;
    int size;

    /** One element between two others. */
    static class Node {
        int element;
        Node next;
        Node previous;
    }

    /** An empty list. */
    public IntList() {
        header = new Node();
        header.next = header;
        header.previous = header;
    }

    void addLast(int element) {
        Node added = new Node();
        added.element = element;
        added.next = header;
        added.previous = header.previous;
        added.previous.next = added;
        header.previous = added;
        size++;
    }

    /** Removes the element that n others precede, or the first one if n is negative. */
    int removeNth(int n) {
        Node node = header.next;
        for (int i = 0; i < n && node != header; i++) {
            node = node.next;
        }
        if (node == header) {
            throw new NoSuchElementException();
        }
        node.previous.next = node.next;
        node.next.previous = node.previous;
        size--;
        return node.element;
    }

    /** Whether `size` steps and one more lead round the circle, and each can be taken back. */
    public boolean repOK() {
        if (header == null || size < 0) {
            return false;
        }
        Node node = header;
        for (int i = 0; i <= size; i++) {
            if (i > 0 && node == header) {
                return false;
            }
            Node next = node.next;
            if (next == null || next.previous != node) {
                return false;
            }
            node = next;
        }
        return node == header;
    }
}
