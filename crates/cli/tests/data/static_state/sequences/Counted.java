package sequences;

import java.util.ArrayList;
import java.util.List;

public class Counted {
    private static final List<Integer> all = new ArrayList<>();
    private static final int[] counts = new int[4];
    private int size;

    public int add(int x) {
        all.add(x);
        size++;
        return size;
    }

    public int count(int x) {
        counts[x & 3]++;
        if (counts[x & 3] > 1) {
            return -1;
        }
        return size;
    }

    public int known() {
        return all.size();
    }
}
