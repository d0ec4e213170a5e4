package trial.deep;

import trial.Walker;

/** In a package of its own; uses another one; everything package-private. */
class Counter {
    private static int made;
    final int id;
    private Counter twin;
    protected Walker walker;

    Counter() {
        id = made++;
    }

    private Counter(Counter twin) {
        this();
        this.twin = twin;
        if (twin.twin != null) {
            throw new IllegalStateException("taken");
        }
        twin.twin = this;
    }

    static Counter pair(Counter first) {
        return new Counter(first);
    }

    private int distance(Counter other) {
        return id > other.id ? id - other.id : other.id - id;
    }

    boolean near(Counter other) {
        return distance(other) < 2;
    }

    int advance(int from) {
        if (walker == null) {
            return from;
        }
        return walker.walk(from, 2);
    }

    static int interned(String text) {
        return text.intern() == "known" ? 1 : 0;
    }
}
