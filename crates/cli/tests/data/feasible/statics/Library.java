package statics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Objects of the JDK behind static fields. */
public class Library {
    private static final List<String> names = new ArrayList<>();
    private static final LinkedList<String> queue = new LinkedList<>();
    private static final Map<Integer, String> memo = new HashMap<>();
    private static final TreeMap<Integer, Integer> sorted = new TreeMap<>();
    private static final Set<String> seen = new HashSet<>();
    private static final Deque<Integer> stack = new ArrayDeque<>();
    private static final StringBuilder log = new StringBuilder();
    private static final AtomicInteger counter = new AtomicInteger();
    private static final AtomicLong total = new AtomicLong(1);
    private static final AtomicBoolean done = new AtomicBoolean();
    private static final Random random = new Random(42);

    public static boolean isSecond(String name) {
        names.add(name);
        if (names.size() > 1) {
            return true;
        }
        return false;
    }

    public static boolean isQueued() {
        if (queue.isEmpty()) {
            queue.add("first");
            return false;
        }
        return true;
    }

    public static boolean isMemorised(int key) {
        if (memo.containsKey(key & 3)) {
            return true;
        }
        memo.put(key & 3, "known");
        return false;
    }

    public static boolean isSorted() {
        if (sorted.isEmpty()) {
            sorted.put(1, 2);
            return false;
        }
        return true;
    }

    public static boolean wasSeen() {
        return !seen.add("it");
    }

    public static boolean isDeep() {
        stack.push(1);
        if (stack.size() > 2) {
            return true;
        }
        return false;
    }

    public static boolean isLogged() {
        log.append('x');
        if (log.length() > 1) {
            return true;
        }
        return false;
    }

    public static boolean isCounted() {
        if (counter.incrementAndGet() == 3) {
            return true;
        }
        return false;
    }

    public static boolean isTotal() {
        if (total.getAndAdd(5) > 1) {
            return true;
        }
        return false;
    }

    public static boolean isDone() {
        if (done.getAndSet(true)) {
            return true;
        }
        return false;
    }

    public static boolean isThree() {
        if (random.nextInt(10) == 3) {
            return true;
        }
        return false;
    }
}
