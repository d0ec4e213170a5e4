import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** What members of a club owe, booking by booking. */
public class Ledger {
    private final Map<String, List<Integer>> bookings = new HashMap<>();
    private int limit = 100;

    /** Sets the most that anybody may owe. */
    public void setLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("a limit is 0 or more");
        }
        this.limit = limit;
    }

    /** Adds a booking. Says whether the limit allows it. */
    public boolean book(String name, int amount) {
        if (amount == 0) {
            return false;
        }
        if (balance(name) + amount > limit) {
            return false;
        }
        bookings.computeIfAbsent(name, key -> new ArrayList<>()).add(amount);
        return true;
    }

    /** What somebody owes; nothing, if nobody has heard of them. */
    public int balance(String name) {
        int sum = 0;
        for (int amount : bookings.getOrDefault(name, List.of())) {
            sum += amount;
        }
        return sum;
    }

    /** Takes the last booking back. */
    public int undo(String name) {
        List<Integer> amounts = bookings.get(name);
        if (amounts == null) {
            throw new NoSuchElementException(name);
        }
        int last = amounts.remove(amounts.size() - 1);
        if (amounts.isEmpty()) {
            bookings.remove(name);
        }
        return last;
    }

    /** Who owes most; null if nobody owes anything. */
    public String worst() {
        String worst = null;
        for (String name : bookings.keySet()) {
            if (balance(name) > 0 && (worst == null || balance(name) > balance(worst))) {
                worst = name;
            }
        }
        return worst;
    }
}
