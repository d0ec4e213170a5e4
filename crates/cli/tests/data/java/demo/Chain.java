package demo;

public class Chain {
    static class Link {
        int value;
        Link next;
    }

    Link first;

    int length() {
        return length(first);
    }

    static int length(Link link) {
        if (link == null) {
            return 0;
        }
        return 1 + length(link.next);
    }

    int firstValue() {
        assert first != null && first.value >= 0 : "a chain has a first link";
        return first.value;
    }

    boolean cut(boolean all) {
        boolean found = first != null;
        if (found && all) {
            first = null;
        } else if (found) {
            first.next = null;
        }
        return found;
    }
}
