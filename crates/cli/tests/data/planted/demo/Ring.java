package demo;

/** Loops that do not end. */
class Ring {
    Node head;

    static class Node {
        int value;
        Node next;
    }

    /** Forgets to go on behind a node with the value. */
    boolean contains(int value) {
        Node node = head;
        while (node != null) {
            if (node.value > value) {
                return true;
            }
            if (node.value != value) {
                node = node.next;
            }
        }
        return false;
    }

    /** Counts away from zero. */
    long sum(long n) {
        long sum = 0;
        while (n != 0) {
            sum = sum + n;
            n = n > 0 ? n + 1 : 0;
        }
        return sum;
    }

    /** Ends, but takes its time. */
    int slow(int n) {
        int count = 0;
        if (n == 77) {
            while (count < 100000) {
                count++;
            }
        }
        return count;
    }

    /** Right for lists. */
    int length() {
        int count = 0;
        for (Node node = head; node != null; node = node.next) {
            count++;
        }
        return count;
    }

    /** Waits for the clock. */
    void pause() {
        long end = System.nanoTime() + 100;
        while (System.nanoTime() < end) {
        }
    }
}
