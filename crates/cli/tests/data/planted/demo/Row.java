package demo;

/** A list with mistakes that show from two or three nodes on, and that no branch knows of. */
class Row {
    Node head;
    int size;

    static class Node {
        int value;
        Node next;
    }

    /** Loses what is behind the first node. */
    void removeFirst() {
        if (head != null) {
            head = null;
            size--;
        }
    }

    /** Counts three nodes as one. */
    void push(int value) {
        Node node = new Node();
        node.value = value;
        node.next = head;
        head = node;
        size += 1 + size / 3;
    }

    /** Forgets every node but the last two. */
    void reverse() {
        Node before = null;
        Node node = head;
        while (node != null) {
            Node after = node.next;
            node.next = before;
            if (before != null) {
                before.next = null;
            }
            before = node;
            node = after;
        }
        head = before;
    }

    boolean repOk() {
        int count = 0;
        for (Node node = head; node != null; node = node.next) {
            for (Node before = head; before != node; before = before.next) {
                if (before == node.next) {
                    return false;
                }
            }
            if (node.next == node) {
                return false;
            }
            count++;
        }
        return count == size;
    }
}
