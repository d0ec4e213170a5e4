/** Numbers in a row that can be reached from both ends. */
public class Deque {
    static class Node {
        int value;
        Node prev;
        Node next;

        Node(int value) {
            this.value = value;
        }
    }

    Node first;
    Node last;
    int size;

    /** Puts a number in front. */
    public void addFirst(int value) {
        Node node = new Node(value);
        node.next = first;
        if (first == null) {
            last = node;
        } else {
            first.prev = node;
        }
        first = node;
        size++;
    }

    /** Takes the last number off. */
    public int removeLast() {
        if (last == null) {
            throw new IllegalStateException("empty");
        }
        int value = last.value;
        last = last.prev;
        if (last == null) {
            first = null;
        } else {
            last.next = null;
        }
        size--;
        return value;
    }

    /** Moves the first `steps` numbers behind the others. */
    public void rotate(int steps) {
        if (size < 2) {
            return;
        }
        for (int i = steps % size; i > 0; i--) {
            Node moved = first;
            first = moved.next;
            first.prev = null;
            moved.next = null;
            moved.prev = last;
            last.next = moved;
            last = moved;
        }
    }
}
