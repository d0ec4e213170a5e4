package shop;

import java.util.HashSet;
import java.util.Set;

/** Counts coins, of which there may be one: `add` has one path, which breaks that sometimes. */
public class Till {
    private int coins;

    public void add(int more) {
        coins += more;
    }

    private boolean repOk() {
        Set<Integer> allowed = new HashSet<>();
        allowed.add(0);
        allowed.add(1);
        return allowed.contains(coins);
    }
}
