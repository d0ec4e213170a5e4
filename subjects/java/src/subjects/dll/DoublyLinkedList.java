package subjects.dll;

import java.util.NoSuchElementException;

/**
 * A doubly linked list of arbitrary objects, null included. The nodes form a circle that goes
 * through a header node, which is there even when the list is empty and holds no element.
 */
public class DoublyLinkedList {
    Node header;
    int size;

    /** One element between two others. */
    static class Node {
        Object element;
        Node next;
        Node previous;

        Node(Object element, Node next, Node previous) {
            this.element = element;
            this.next = next;
            this.previous = previous;
        }
    }

    /** An empty list. */
    public DoublyLinkedList() {
        header = new Node(null, null, null);
        header.next = header;
        header.previous = header;
    }

    /** The number of elements. */
    public int size() {
        return size;
    }

    /** Whether there is no element. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Puts an element behind all others; always true. */
    public boolean add(Object element) {
        linkBefore(element, header);
        return true;
    }

    /** Puts an element before all others. */
    public void addFirst(Object element) {
        linkBefore(element, header.next);
    }

    /** Puts an element behind all others. */
    public void addLast(Object element) {
        linkBefore(element, header);
    }

    /** Puts an element where it then has the given index. */
    public void addAt(int index, Object element) {
        linkBefore(element, index == size ? header : node(index));
    }

    /** The first element. */
    public Object getFirst() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        return header.next.element;
    }

    /** The last element. */
    public Object getLast() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        return header.previous.element;
    }

    /** The element with the given index. */
    public Object get(int index) {
        return node(index).element;
    }

    /** Replaces the element with the given index and returns the old one. */
    public Object set(int index, Object element) {
        Node node = node(index);
        Object old = node.element;
        node.element = element;
        return old;
    }

    /** Removes the first element and returns it. */
    public Object removeFirst() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        return unlink(header.next);
    }

    /** Removes the last element and returns it. */
    public Object removeLast() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        return unlink(header.previous);
    }

    /** Removes the element with the given index and returns it. */
    public Object remove(int index) {
        return unlink(node(index));
    }

    /** Removes the first occurrence of an element; false if there is none. */
    public boolean remove(Object element) {
        if (element == null) {
            for (Node node = header.next; node != header; node = node.next) {
                if (node.element == null) {
                    unlink(node);
                    return true;
                }
            }
        } else {
            for (Node node = header.next; node != header; node = node.next) {
                if (element.equals(node.element)) {
                    unlink(node);
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether an element occurs. */
    public boolean contains(Object element) {
        return indexOf(element) != -1;
    }

    /** The index of an element's first occurrence, or -1. */
    public int indexOf(Object element) {
        int index = 0;
        if (element == null) {
            for (Node node = header.next; node != header; node = node.next) {
                if (node.element == null) {
                    return index;
                }
                index++;
            }
        } else {
            for (Node node = header.next; node != header; node = node.next) {
                if (element.equals(node.element)) {
                    return index;
                }
                index++;
            }
        }
        return -1;
    }

    /** The index of an element's last occurrence, or -1. */
    public int lastIndexOf(Object element) {
        int index = size;
        if (element == null) {
            for (Node node = header.previous; node != header; node = node.previous) {
                index--;
                if (node.element == null) {
                    return index;
                }
            }
        } else {
            for (Node node = header.previous; node != header; node = node.previous) {
                index--;
                if (element.equals(node.element)) {
                    return index;
                }
            }
        }
        return -1;
    }

    /** Removes all elements, and takes every node out of the circle. */
    public void clear() {
        Node node = header.next;
        while (node != header) {
            Node next = node.next;
            node.element = null;
            node.next = null;
            node.previous = null;
            node = next;
        }
        header.next = header;
        header.previous = header;
        size = 0;
    }

    /** The elements in order. */
    public Object[] toArray() {
        Object[] elements = new Object[size];
        int index = 0;
        for (Node node = header.next; node != header; node = node.next) {
            elements[index++] = node.element;
        }
        return elements;
    }

    /** Turns the order round. */
    public void reverse() {
        Node node = header;
        do {
            Node next = node.next;
            node.next = node.previous;
            node.previous = next;
            node = next;
        } while (node != header);
    }

    /** The node with the given index, looked for from the nearer end. */
    private Node node(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException();
        }
        Node node = header;
        if (index < size / 2) {
            for (int i = 0; i <= index; i++) {
                node = node.next;
            }
        } else {
            for (int i = size; i > index; i--) {
                node = node.previous;
            }
        }
        return node;
    }

    private void linkBefore(Object element, Node after) {
        Node added = new Node(element, after, after.previous);
        added.previous.next = added;
        added.next.previous = added;
        size++;
    }

    private Object unlink(Node node) {
        node.previous.next = node.next;
        node.next.previous = node.previous;
        size--;
        return node.element;
    }

    /** Whether `size` steps and one more lead round the circle, and each can be taken back. */
    public boolean repOK() {
        if (header == null || header.element != null || size < 0) {
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
