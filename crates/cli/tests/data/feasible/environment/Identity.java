package environment;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

public class Identity {
    static class Thing {
        int number;
    }

    public static boolean isOdd(Thing thing) {
        if ((thing.hashCode() & 1) == 1 && thing.number == 3) {
            return true;
        }
        return false;
    }

    public static boolean isEven() {
        if (System.identityHashCode(new Thing()) % 2 == 0) {
            return true;
        }
        return false;
    }

    public static boolean differ() {
        if (new Object().hashCode() != new Object().hashCode()) {
            return true;
        }
        return false;
    }

    public static boolean namesDiffer(Object one, Object other) {
        if (one != null && other != null && one.getClass() == other.getClass()) {
            if (!one.toString().equals(other.toString())) {
                return true;
            }
        }
        return false;
    }

    public static boolean isLong() {
        if (new Thing().toString().length() > "environment.Identity$Thing@1".length()) {
            return true;
        }
        return false;
    }

    public static boolean secondComesFirst() {
        Set<Thing> set = new HashSet<>();
        Thing one = new Thing();
        Thing other = new Thing();
        set.add(one);
        set.add(other);
        if (set.iterator().next() == other) {
            return true;
        }
        return false;
    }

    public static boolean isSpread() {
        Map<Object, Integer> map = new HashMap<>();
        map.put(new Object(), 1);
        map.put(new Object(), 2);
        map.put(new Object(), 3);
        int sum = 0;
        for (int value : map.values()) {
            sum = 10 * sum + value;
        }
        if (sum == 321) {
            return true;
        }
        return false;
    }
}
