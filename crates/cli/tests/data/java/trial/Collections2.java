package trial;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;

/** More collections, optionals and streams. */
public class Collections2 {
    Set<Object> seen = new HashSet<>();

    public boolean first(Object x) {
        return seen.add(x);
    }

    public static Object one(Object a, Object b) {
        Set<Object> both = new HashSet<>();
        both.add(a);
        both.add(b);
        return both.iterator().next();
    }

    public static int identities(Object[] values) {
        IdentityHashMap<Object, Integer> map = new IdentityHashMap<>();
        for (Object value : values) {
            map.put(value, map.size());
        }
        return map.size();
    }

    public static Optional<String> longer(String a, String b) {
        if (a == null || b == null) {
            return Optional.empty();
        }
        return Optional.of(a.length() >= b.length() ? a : b);
    }

    public static int evenSum(int[] values) {
        return IntStream.of(values).filter(x -> x % 2 == 0).sum();
    }

    public static int third(int[] values) {
        PriorityQueue<Integer> queue = new PriorityQueue<>(Comparator.reverseOrder());
        for (int value : values) {
            queue.add(value);
            if (queue.size() > 3) {
                queue.poll();
            }
        }
        return queue.isEmpty() ? 0 : queue.peek();
    }

    public static List<Integer> listed(int a, int b) {
        return a < b ? Arrays.asList(a, b) : List.of(b);
    }

    public static int hash(Object x) {
        if (x == null) {
            return -1;
        }
        return x.hashCode();
    }

    public static int lastUse(String[] keys) {
        LinkedHashMap<String, Integer> order = new LinkedHashMap<>();
        for (String key : keys) {
            order.put(Objects.requireNonNull(key), order.size());
        }
        int last = -1;
        for (int value : order.values()) {
            last = value;
        }
        return last;
    }
}
