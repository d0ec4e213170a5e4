package statics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is kept in objects that never change themselves, and with the thread. */
public class Kept {
    private static final ThreadLocal<Integer> level = ThreadLocal.withInitial(() -> 3);
    private static final ThreadLocal<List<String>> path = ThreadLocal.withInitial(ArrayList::new);
    private static final ThreadLocal<String> user = new ThreadLocal<>();
    private static final Optional<int[]> box = Optional.of(new int[] {1});
    private static final List<int[]> rows = List.of(new int[] {1}, new int[] {2}, new int[] {3});
    private static final Map<String, int[]> counts = Map.of("a", new int[] {0});
    private static final List<StringBuilder> single = Collections.singletonList(new StringBuilder());
    private static final StringBuilder[] pool = {new StringBuilder(), new StringBuilder()};
    private static final int[][] grid = new int[2][2];

    public static boolean isRaised() {
        int before = level.get();
        level.set(before + 1);
        if (before == 4) {
            return true;
        }
        return false;
    }

    public static boolean isNested() {
        List<String> names = path.get();
        names.add("x");
        if (names.size() > 1) {
            return true;
        }
        return false;
    }

    public static boolean isKnown(String name) {
        if (user.get() != null) {
            return true;
        }
        user.set(name);
        return false;
    }

    public static boolean isBoxed() {
        if (box.get()[0]++ == 2) {
            return true;
        }
        return false;
    }

    public static boolean isInRow() {
        if (rows.get(1)[0]++ == 3) {
            return true;
        }
        return false;
    }

    public static boolean isCounted() {
        if (counts.get("a")[0]++ > 0) {
            return true;
        }
        return false;
    }

    public static boolean isWritten() {
        if (single.get(0).append('x').length() == 2) {
            return true;
        }
        return false;
    }

    public static boolean isPooled() {
        if (pool[0].append('x').length() == 2) {
            return true;
        }
        return false;
    }

    public static boolean isInGrid() {
        if (grid[1][0]++ == 1) {
            return true;
        }
        return false;
    }
}
