package subs;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Maps and sets that extend those of the JDK. */
class Maps {
    static class Constant extends AbstractMap<String, Integer> {
        int state;

        public Set<Map.Entry<String, Integer>> entrySet() {
            if (state == 3) {
                return null;
            }
            return Collections.emptySet();
        }

        int twice() {
            return state > 5 ? state * 2 : 0;
        }
    }

    static class Counting extends HashMap<String, String> {
        int hits;

        String look(String key) {
            if (isEmpty() && hits > 2) {
                return "many";
            }
            put(key, "seen");
            return get(key);
        }
    }

    static class Cache extends LinkedHashMap<String, String> {
        int most;

        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > most;
        }

        int store(String key) {
            put(key, "value");
            return size();
        }
    }

    static class Named extends HashSet<String> {
        String name;

        boolean addName() {
            if (name == null) {
                return false;
            }
            return add(name);
        }
    }
}
