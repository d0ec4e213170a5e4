package subjects.tsafe;

/** A flight is so far from its route that the route says nothing about its future. */
public class OffRouteException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The distance from the nearest fix, in nautical miles. */
    final double distance;

    OffRouteException(double distance) {
        this.distance = distance;
    }
}
