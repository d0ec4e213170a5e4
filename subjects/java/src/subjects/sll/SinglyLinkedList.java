package subjects.sll;

import java.util.NoSuchElementException;

/** A singly linked list of integers that knows its length. */
public class SinglyLinkedList {
    Node head;
    int size;

    /** One element and the rest of the list. */
    static class Node {
        int value;
        Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    /** Whether there is no element. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The number of elements. */
    public int size() {
        return size;
    }

    /** Removes all elements. */
    public void clear() {
        head = null;
        size = 0;
    }

    /** Puts an element before all others. */
    public void addFirst(int value) {
        head = new Node(value, head);
        size++;
    }

    /** Puts an element behind all others. */
    public void addLast(int value) {
        Node added = new Node(value, null);
        if (head == null) {
            head = added;
        } else {
            Node last = head;
            while (last.next != null) {
                last = last.next;
            }
            last.next = added;
        }
        size++;
    }

    /** Puts an element where it then has the given index. */
    public void insertAt(int index, int value) {
        if (index < 0 || index > size) {
            throw new IndexOutOfBoundsException();
        }
        if (index == 0) {
            addFirst(value);
            return;
        }
        Node before = head;
        for (int i = 1; i < index; i++) {
            before = before.next;
        }
        before.next = new Node(value, before.next);
        size++;
    }

    /** The element with the given index. */
    public int get(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException();
        }
        Node node = head;
        for (int i = 0; i < index; i++) {
            node = node.next;
        }
        return node.value;
    }

    /** Whether an element occurs. */
    public boolean contains(int value) {
        for (Node node = head; node != null; node = node.next) {
            if (node.value == value) {
                return true;
            }
        }
        return false;
    }

    /** The index of an element's first occurrence, or -1. */
    public int indexOf(int value) {
        int index = 0;
        for (Node node = head; node != null; node = node.next) {
            if (node.value == value) {
                return index;
            }
            index++;
        }
        return -1;
    }

    /** Removes the first element and returns it. */
    public int removeFirst() {
        if (head == null) {
            throw new NoSuchElementException();
        }
        int value = head.value;
        head = head.next;
        size--;
        return value;
    }

    /** Removes the first occurrence of an element; false if there is none. */
    public boolean remove(int value) {
        Node before = null;
        Node node = head;
        while (node != null && node.value != value) {
            before = node;
            node = node.next;
        }
        if (node == null) {
            return false;
        }
        if (before == null) {
            head = node.next;
        } else {
            before.next = node.next;
        }
        size--;
        return true;
    }

    /** Turns the order round. */
    public void reverse() {
        Node done = null;
        Node node = head;
        while (node != null) {
            Node next = node.next;
            node.next = done;
            done = node;
            node = next;
        }
        head = done;
    }

    /** Whether `size` nodes are followed by null; in a cycle no node is. */
    public boolean repOK() {
        Node node = head;
        for (int i = 0; i < size; i++) {
            if (node == null) {
                return false;
            }
            node = node.next;
        }
        return size >= 0 && node == null;
    }
}
