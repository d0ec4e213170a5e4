package subs;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Vector;

/** Lists that extend lists of the JDK. */
class Lists {
    static class Repeated extends AbstractList<Integer> {
        int count;
        Integer value;

        public Integer get(int index) {
            if (index < 0 || index >= count) {
                throw new IndexOutOfBoundsException();
            }
            return value;
        }

        public int size() {
            return count;
        }

        boolean isLong() {
            return count > 3;
        }

        void touch() {
            modCount++;
            if (modCount > 0 && count == 5) {
                count = 7;
            }
        }
    }

    static class LimitedVector extends Vector<String> {
        int limit;

        boolean addLimited(String text) {
            if (size() >= limit) {
                return false;
            }
            add(text);
            return size() == 1;
        }

        int room() {
            if (limit == 4) {
                return capacity();
            }
            return 0;
        }
    }

    static class LimitedList extends ArrayList<String> {
        int limit;
        LimitedList other;

        boolean addLimited(String text) {
            if (size() >= limit) {
                return false;
            }
            return add(text);
        }

        boolean isPaired() {
            return other != null && other.other == this;
        }
    }
}
