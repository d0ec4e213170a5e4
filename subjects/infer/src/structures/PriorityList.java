package structures;

/** Integers in order, equal ones included, with the smallest first. */
public class PriorityList {
    Node head;
    int count;

    static class Node {
        Node rest;
        int priority;

        Node(int priority, Node rest) {
            this.priority = priority;
            this.rest = rest;
        }
    }

    /** Adds a priority behind all that are not greater. */
    public void insert(int priority) {
        count++;
        if (head == null || priority < head.priority) {
            head = new Node(priority, head);
            return;
        }
        Node node = head;
        while (node.rest != null && node.rest.priority <= priority) {
            node = node.rest;
        }
        node.rest = new Node(priority, node.rest);
    }

    /** Takes the smallest one out. */
    public int poll() {
        int smallest = head.priority;
        head = head.rest;
        count--;
        return smallest;
    }
}
