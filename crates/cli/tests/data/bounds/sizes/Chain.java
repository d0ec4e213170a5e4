package sizes;

/** Lists of which a branch needs 12, 20 or 30 nodes. */
public class Chain {
    Chain next;
    int value;

    static int twelve(Chain first) {
        int count = 0;
        for (Chain node = first; node != null; node = node.next) {
            count++;
        }
        return count == 12 ? 1 : 0;
    }

    static int twenty(Chain first) {
        int count = 0;
        for (Chain node = first; node != null; node = node.next) {
            if (node.value < 0) {
                return -1;
            }
            count++;
        }
        if (count >= 20) {
            return 1;
        }
        return 0;
    }

    static int thirty(Chain first) {
        int count = 0;
        Chain node = first;
        while (node != null) {
            count = count + 1;
            node = node.next;
        }
        if (count == 30) {
            return count;
        }
        return 0;
    }
}
