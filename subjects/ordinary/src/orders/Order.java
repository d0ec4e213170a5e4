package orders;

/** An order, as far as it is still open. */
public final class Order {
    private final long id;
    private final Side side;
    private final int price;
    private int open;

    public Order(long id, Side side, int price, int quantity) {
        if (side == null) {
            throw new NullPointerException("side");
        }
        if (price <= 0 || quantity <= 0) {
            throw new IllegalArgumentException("an order needs a price and a quantity");
        }
        this.id = id;
        this.side = side;
        this.price = price;
        this.open = quantity;
    }

    public long id() {
        return id;
    }

    public Side side() {
        return side;
    }

    public int price() {
        return price;
    }

    public int open() {
        return open;
    }

    void fill(int quantity) {
        open -= quantity;
    }
}
