package structures;

/** A list that is linked in both directions and known by both of its ends. */
public class Deque {
    Link front;
    Link back;

    static class Link {
        Object item;
        Link left;
        Link right;
    }

    /** Adds an element at the front. */
    public void pushFront(Object item) {
        Link link = new Link();
        link.item = item;
        link.right = front;
        if (front == null) {
            back = link;
        } else {
            front.left = link;
        }
        front = link;
    }

    /** Adds an element at the back. */
    public void pushBack(Object item) {
        Link link = new Link();
        link.item = item;
        link.left = back;
        if (back == null) {
            front = link;
        } else {
            back.right = link;
        }
        back = link;
    }

    /** Takes the first element out. */
    public Object popFront() {
        Object item = front.item;
        front = front.right;
        if (front == null) {
            back = null;
        } else {
            front.left = null;
        }
        return item;
    }

    /** Takes the last element out. */
    public Object popBack() {
        Object item = back.item;
        back = back.left;
        if (back == null) {
            front = null;
        } else {
            back.right = null;
        }
        return item;
    }
}
