package demo;

public class Deep {
    static class Link {
        int value;
        Link next;
    }

    static int depth(Link link, int n) {
        if (link == null) {
            return 0;
        }
        return depth(link, n) + 1;
    }

    static Link push(Link link, int n) {
        Link fresh = new Link();
        fresh.value = n;
        fresh.next = link == null ? fresh : link;
        return fresh;
    }
}
