package trial;

import java.util.NoSuchElementException;

/** A generic linked stack without a specification. */
public class Stack<T extends Comparable<T>> {
    private static class Node<T> {
        T item;
        Node<T> below;

        Node(T item, Node<T> below) {
            this.item = item;
            this.below = below;
        }
    }

    private Node<T> top;
    private int size;

    public void push(T item) {
        top = new Node<>(item, top);
        size++;
    }

    public T pop() {
        if (top == null) {
            throw new NoSuchElementException();
        }
        T item = top.item;
        top = top.below;
        size--;
        return item;
    }

    public T largest() {
        T best = null;
        for (Node<T> node = top; node != null; node = node.below) {
            if (best == null || node.item.compareTo(best) > 0) {
                best = node.item;
            }
        }
        return best;
    }

    public boolean consistent() {
        int count = 0;
        for (Node<T> node = top; node != null; node = node.below) {
            if (++count > size) {
                return false;
            }
        }
        return count == size;
    }

    public void reverse() {
        Node<T> done = null;
        while (top != null) {
            Node<T> next = top.below;
            top.below = done;
            done = top;
            top = next;
        }
        top = done;
    }
}
