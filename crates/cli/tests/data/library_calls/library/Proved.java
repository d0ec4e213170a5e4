package library;

import java.util.EnumMap;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * In each method one branch can never be taken, which is proved: nothing that the library asks
 * about the environment while its classes are initialised matters to it.
 */
public final class Proved {
    enum Colour { RED, GREEN }

    static int list(boolean first) {
        return List.of(first ? 1 : 3, 2).size() != 2 ? 1 : 0;
    }

    static int set(boolean first) {
        return Set.of("a", first ? "b" : "c").size() != 2 ? 1 : 0;
    }

    static int joined(boolean first) {
        return String.join(",", "a", first ? "b" : "c").length() != 3 ? 1 : 0;
    }

    static int joiner(boolean first) {
        StringJoiner joiner = new StringJoiner(",");
        joiner.add(first ? "b" : "c");
        return joiner.length() != 1 ? 1 : 0;
    }

    static int enumMap(Colour colour) {
        EnumMap<Colour, String> map = new EnumMap<>(Colour.class);
        map.put(colour, "x");
        return map.size() != 1 ? 1 : 0;
    }

    static int stream(boolean first) {
        return IntStream.range(0, first ? 2 : 3).sum() > 5 ? 1 : 0;
    }
}
