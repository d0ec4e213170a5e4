package trial;

/** A record with a compact constructor. */
public record Point(int x, int y) {
    static final Point ORIGIN = new Point(0, 0);

    public Point {
        if (x < -1000) {
            throw new IllegalArgumentException("x");
        }
    }

    Point plus(Point other) {
        return new Point(x + other.x, y + other.y);
    }

    boolean isOrigin() {
        return equals(ORIGIN);
    }

    static int quadrant(Point point) {
        if (point.x() >= 0) {
            return point.y() >= 0 ? 1 : 4;
        }
        return point.y() >= 0 ? 2 : 3;
    }

    static boolean onDiagonal(Object candidate) {
        return candidate instanceof Point p && p.x == p.y;
    }

    /** A generic record. */
    record Pair<A, B>(A first, B second) {
        boolean same() {
            return first == null ? second == null : first.equals(second);
        }

        Pair<B, A> swap() {
            return new Pair<>(second, first);
        }
    }

    static Object pick(Pair<String, Point> pair, boolean left) {
        if (left) {
            return pair.first();
        }
        return pair.second().x;
    }
}
