package trial;

/** Linked objects with cycles and aliases. */
public class Ring {
    Ring next;
    Ring previous;
    int value;

    public boolean isClosed() {
        Ring slow = this;
        Ring fast = this.next;
        while (fast != null && fast.next != null) {
            if (slow == fast) {
                return true;
            }
            slow = slow.next;
            fast = fast.next.next;
        }
        return false;
    }

    public void insert(Ring other) {
        other.next = next;
        other.previous = this;
        if (next != null) {
            next.previous = other;
        }
        next = other;
    }

    public Ring remove() {
        if (next == this) {
            return null;
        }
        previous.next = next;
        next.previous = previous;
        Ring rest = next;
        next = null;
        previous = null;
        return rest;
    }

    public static boolean aliased(Ring a, Ring b) {
        a.value = 1;
        b.value = 2;
        return a.value == 2;
    }

    public int sum() {
        int sum = value;
        for (Ring ring = next; ring != this; ring = ring.next) {
            sum += ring.value;
        }
        return sum;
    }

    public boolean doubly() {
        return next != null && next.previous == this && previous != null && previous.next == this;
    }

    public static Ring merge(Ring a, Ring b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        if (a.value <= b.value) {
            a.next = merge(a.next, b);
            return a;
        }
        b.next = merge(a, b.next);
        return b;
    }
}
