package library;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Each process has an order of its own for immutable sets and maps, so either branch of each method
 * is taken by some, and no test can ask for one.
 */
public final class Unordered {
    static int firstOfTwo() {
        return Set.of(1, 2).iterator().next() == 1 ? 1 : 0;
    }

    static int firstOfThree() {
        return Set.of("a", "b", "c").iterator().next().equals("a") ? 1 : 0;
    }

    static int firstKey() {
        return Map.of("p", 1, "q", 2, "r", 3).keySet().iterator().next().equals("p") ? 1 : 0;
    }

    static int text() {
        return Set.of("x", "y").toString().equals("[x, y]") ? 1 : 0;
    }

    static int copied() {
        return List.copyOf(Set.of(7, 8, 9)).get(0) == 7 ? 1 : 0;
    }
}
