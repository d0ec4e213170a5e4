package sizes;

/** A doubly linked ring with a header; one branch needs 30 nodes besides. */
public class Ring {
    static class Node {
        Node next;
        Node previous;
        int value;
    }

    Node header;

    int page() {
        int count = 0;
        for (Node node = header.next; node != header; node = node.next) {
            count++;
            if (count == 30) {
                return 1;
            }
        }
        return 0;
    }
}
