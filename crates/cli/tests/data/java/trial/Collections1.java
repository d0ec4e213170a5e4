package trial;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collections that are used inside. */
public class Collections1 {
    private final List<Integer> numbers = new ArrayList<>();
    private Map<String, Integer> counts;

    public int remember(int x) {
        if (numbers.contains(x)) {
            numbers.remove(Integer.valueOf(x));
        } else {
            numbers.add(x);
        }
        return numbers.size();
    }

    public static int distinct(int[] values) {
        Map<Integer, Integer> seen = new HashMap<>();
        for (int value : values) {
            seen.merge(value, 1, Integer::sum);
        }
        return seen.size();
    }

    public static boolean balanced(String text) {
        ArrayDeque<Character> open = new ArrayDeque<>();
        for (char c : text.toCharArray()) {
            if (c == '(') {
                open.push(c);
            } else if (c == ')' && (open.isEmpty() || open.pop() != '(')) {
                return false;
            }
        }
        return open.isEmpty();
    }

    public static String smallest(String[] names) {
        TreeMap<String, Integer> sorted = new TreeMap<>();
        for (String name : names) {
            sorted.put(name, name.length());
        }
        return sorted.isEmpty() ? null : sorted.firstKey();
    }

    public int count(String word) {
        if (counts == null) {
            counts = new HashMap<>();
        }
        Integer old = counts.get(word);
        counts.put(word, old == null ? 1 : old + 1);
        return counts.size();
    }

    public static String join(int[] values) {
        StringBuilder text = new StringBuilder();
        for (int value : values) {
            if (text.length() > 0) {
                text.append(',');
            }
            text.append(value);
        }
        return text.toString();
    }

    public static int size(List<String> list) {
        return list == null ? -1 : list.size();
    }

    public static Object get(Map<Object, Object> map, Object key) {
        return map.containsKey(key) ? map.get(key) : "absent";
    }
}
