package orders;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Orders by price, and at the same price in the order in which they came. */
public class OrderBook {
    private final TreeMap<Integer, List<Order>> bids = new TreeMap<>(Comparator.reverseOrder());
    private final TreeMap<Integer, List<Order>> asks = new TreeMap<>();
    private final Map<Long, Order> orders = new HashMap<>();
    private int traded;

    /** Adds an order, which is matched with those of the other side; returns what was traded. */
    public int submit(Order order) {
        if (orders.containsKey(order.id())) {
            throw new IllegalArgumentException("known order " + order.id());
        }
        TreeMap<Integer, List<Order>> others = levels(order.side().opposite());
        int matched = 0;
        while (order.open() > 0 && !others.isEmpty()) {
            Map.Entry<Integer, List<Order>> best = others.firstEntry();
            if (!crosses(order, best.getKey())) {
                break;
            }
            matched += match(order, best.getValue());
            if (best.getValue().isEmpty()) {
                others.pollFirstEntry();
            }
        }
        traded += matched;
        if (order.open() > 0) {
            levels(order.side()).computeIfAbsent(order.price(), price -> new ArrayList<>()).add(order);
            orders.put(order.id(), order);
        }
        return matched;
    }

    private static boolean crosses(Order order, int price) {
        return order.side() == Side.BUY ? order.price() >= price : order.price() <= price;
    }

    private int match(Order order, List<Order> level) {
        int matched = 0;
        Iterator<Order> waiting = level.iterator();
        while (waiting.hasNext() && order.open() > 0) {
            Order other = waiting.next();
            int quantity = Math.min(order.open(), other.open());
            order.fill(quantity);
            other.fill(quantity);
            matched += quantity;
            if (other.open() == 0) {
                waiting.remove();
                orders.remove(other.id());
            }
        }
        return matched;
    }

    public boolean cancel(long id) {
        Order order = orders.remove(id);
        if (order == null) {
            return false;
        }
        TreeMap<Integer, List<Order>> levels = levels(order.side());
        List<Order> level = levels.get(order.price());
        level.remove(order);
        if (level.isEmpty()) {
            levels.remove(order.price());
        }
        return true;
    }

    public OptionalInt bestBid() {
        return bids.isEmpty() ? OptionalInt.empty() : OptionalInt.of(bids.firstKey());
    }

    public OptionalInt bestAsk() {
        return asks.isEmpty() ? OptionalInt.empty() : OptionalInt.of(asks.firstKey());
    }

    /** What is between the best prices; -1 if a side is empty. */
    public int spread() {
        if (bids.isEmpty() || asks.isEmpty()) {
            return -1;
        }
        return asks.firstKey() - bids.firstKey();
    }

    public int depth(Side side, int price) {
        List<Order> level = levels(side).get(price);
        if (level == null) {
            return 0;
        }
        int sum = 0;
        for (Order order : level) {
            sum += order.open();
        }
        return sum;
    }

    public int traded() {
        return traded;
    }

    public int size() {
        return orders.size();
    }

    private TreeMap<Integer, List<Order>> levels(Side side) {
        return side == Side.BUY ? bids : asks;
    }
}
