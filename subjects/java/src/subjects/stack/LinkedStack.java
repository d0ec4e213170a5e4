package subjects.stack;

/** A stack of arbitrary objects, null included, kept as a linked list. */
public class LinkedStack {
    Node topOfStack;

    /** One element and what lies below it. */
    static class Node {
        Object element;
        Node next;

        Node(Object element, Node next) {
            this.element = element;
            this.next = next;
        }
    }

    /** Something was wanted from an empty stack. */
    public static class Underflow extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** Without a message. */
        public Underflow() {}
    }

    /** Whether there is no element. */
    public boolean isEmpty() {
        return topOfStack == null;
    }

    /** Whether there is no room for another element: never. */
    public boolean isFull() {
        return false;
    }

    /** Removes all elements. */
    public void makeEmpty() {
        topOfStack = null;
    }

    /** Lays an element on top. */
    public void push(Object element) {
        topOfStack = new Node(element, topOfStack);
    }

    /** Removes the top element. */
    public void pop() {
        if (isEmpty()) {
            throw new Underflow();
        }
        topOfStack = topOfStack.next;
    }

    /** The top element, or null if there is none. */
    public Object top() {
        if (isEmpty()) {
            return null;
        }
        return topOfStack.element;
    }

    /** Removes the top element and returns it; null if there is none. */
    public Object topAndPop() {
        if (isEmpty()) {
            return null;
        }
        Object element = topOfStack.element;
        topOfStack = topOfStack.next;
        return element;
    }

    /** The number of elements. */
    public int depth() {
        int depth = 0;
        for (Node node = topOfStack; node != null; node = node.next) {
            depth++;
        }
        return depth;
    }

    /** How far below the top an element lies, 1 for the top itself; -1 if it does not occur. */
    public int search(Object element) {
        int distance = 1;
        for (Node node = topOfStack; node != null; node = node.next) {
            if (element == null ? node.element == null : element.equals(node.element)) {
                return distance;
            }
            distance++;
        }
        return -1;
    }

    /** Whether the list ends: a fast walker never meets a slow one. */
    public boolean repOK() {
        Node slow = topOfStack;
        Node fast = topOfStack;
        while (fast != null && fast.next != null) {
            slow = slow.next;
            fast = fast.next.next;
            if (slow == fast) {
                return false;
            }
        }
        return true;
    }
}
