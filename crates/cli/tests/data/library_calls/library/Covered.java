package library;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Every branch here is taken by a test. */
public final class Covered {
    enum Colour { RED, GREEN, BLUE }

    record Pair(int left, int right) {}

    static boolean join(int n) {
        return String.join("-", "x", n > 3 ? "y" : "z").equals("x-y");
    }

    static int joiner(boolean more) {
        StringJoiner joiner = new StringJoiner(",", "[", "]");
        joiner.add("a");
        if (more) {
            joiner.add("b");
        }
        return joiner.toString().length() > 3 ? 1 : 0;
    }

    static int enumMap(Colour colour, int n) {
        EnumMap<Colour, Integer> map = new EnumMap<>(Colour.class);
        map.put(Colour.GREEN, n);
        Integer found = map.get(colour);
        if (found == null) {
            return -1;
        }
        return found > 10 ? 2 : 1;
    }

    static int enumMapText(boolean more) {
        EnumMap<Colour, Integer> map = new EnumMap<>(Colour.class);
        map.put(Colour.GREEN, 1);
        if (more) {
            map.put(Colour.RED, 2);
        }
        return map.toString().equals("{RED=2, GREEN=1}") ? 1 : 0;
    }

    static int enumSet(Colour colour) {
        return EnumSet.of(Colour.RED, Colour.BLUE).contains(colour) ? 1 : 0;
    }

    static int setOf(boolean first) {
        return Set.of("a", "b", "c").contains(first ? "a" : "z") ? 1 : 0;
    }

    static int mapOf(boolean first) {
        String found = Map.of("p", "one", "q", "two").get(first ? "q" : "r");
        return found == null ? 0 : 1;
    }

    static int listOf(int index) {
        return List.of(4, 5, 6).get(index) == 5 ? 1 : 0;
    }

    /** The order does not matter to a sum. */
    static int sumOfSet(boolean first) {
        int sum = 0;
        for (int n : Set.of(1, 2, first ? 3 : 4)) {
            sum += n;
        }
        return sum == 6 ? 1 : 0;
    }

    static int largestOfSet(boolean first) {
        return Collections.max(Set.of(1, 2, first ? 3 : 4)) == 3 ? 1 : 0;
    }

    static int sortedSet(boolean first) {
        return new TreeSet<>(Set.of("z", first ? "a" : "m")).first().equals("a") ? 1 : 0;
    }

    static int equalMaps(boolean first) {
        return Map.of("p", 1, "q", first ? 2 : 3).equals(Map.of("q", 2, "p", 1)) ? 1 : 0;
    }

    static int format(boolean first) {
        return String.format("%s-%5d", first ? "a" : "b", 3).equals("a-    3") ? 1 : 0;
    }

    static int optional(Integer value) {
        Optional<Integer> maybe = Optional.ofNullable(value);
        if (maybe.isPresent()) {
            return 1;
        }
        return 0;
    }

    static int hash(boolean first) {
        return Objects.hash(first ? 2 : 3, 9) == 31 * 31 + 31 * 2 + 9 ? 1 : 0;
    }

    static int listText(boolean more) {
        List<String> list = new ArrayList<>();
        list.add("p");
        if (more) {
            list.add("q");
        }
        return list.toString().equals("[p, q]") ? 1 : 0;
    }

    static int sort(int a, int b) {
        List<Integer> list = Arrays.asList(a, b);
        Collections.sort(list);
        return list.get(0) == a ? 1 : 0;
    }

    static int unmodifiable(int n) {
        List<Integer> list = Collections.unmodifiableList(new ArrayList<>(Arrays.asList(n, 2)));
        try {
            if (list.get(0) > 3) {
                list.add(1);
            }
            return 0;
        } catch (UnsupportedOperationException e) {
            return 1;
        }
    }

    static int insert(int n) {
        StringBuilder builder = new StringBuilder("ac");
        builder.insert(1, n > 2 ? "b" : "x");
        return builder.toString().equals("abc") ? 1 : 0;
    }

    static int hexadecimal(boolean first) {
        return Integer.toHexString(first ? 42 : 43).equals("2a") ? 1 : 0;
    }

    static int characters(char c) {
        return String.valueOf(new char[] {'a', c}).equals("ab") ? 1 : 0;
    }

    static int records(int a, int b) {
        Pair pair = new Pair(a, b);
        if (pair.equals(new Pair(3, 4))) {
            return 1;
        }
        return pair.hashCode() == 31 * 5 + 6 ? 2 : 0;
    }

    static int recordText(boolean first) {
        return new Pair(first ? 1 : 2, 2).toString().equals("Pair[left=1, right=2]") ? 1 : 0;
    }

    static int valueOf(int n) {
        return Colour.valueOf(n > 4 ? "RED" : "BLUE") == Colour.values()[0] ? 1 : 0;
    }

    static int stringSwitch(String text) {
        switch (text) {
            case "one":
                return 1;
            case "two":
                return 2;
            default:
                return 0;
        }
    }

    static int range(int n) {
        return IntStream.range(0, n & 3).sum() == 3 ? 1 : 0;
    }

    static int filter(boolean first) {
        return Stream.of(1, 2, first ? 3 : 0).filter(n -> n > 1).count() == 2 ? 1 : 0;
    }

    static int joining(boolean first) {
        String text = Stream.of("a", first ? "b" : "c").collect(Collectors.joining(","));
        return text.equals("a,b") ? 1 : 0;
    }

    static int lines(boolean more) {
        return (more ? "a\nb" : "a").lines().count() == 2 ? 1 : 0;
    }
}
