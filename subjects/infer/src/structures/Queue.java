package structures;

/** A queue as a list that is known by both of its ends. */
public class Queue {
    Cell head;
    Cell tail;
    int length;

    static class Cell {
        Object element;
        Cell next;
    }

    /** Adds an element at the end. */
    public void enqueue(Object element) {
        Cell cell = new Cell();
        cell.element = element;
        if (tail == null) {
            head = cell;
        } else {
            tail.next = cell;
        }
        tail = cell;
        length++;
    }

    /** Takes the first element out. */
    public Object dequeue() {
        Object element = head.element;
        head = head.next;
        if (head == null) {
            tail = null;
        }
        length--;
        return element;
    }
}
