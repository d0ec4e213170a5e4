package subjects.tsafe;

/** The places where a flight is expected, with the minutes until then, as a linked list. */
public class Trajectory {
    Point first;
    Point last;
    /** The number of sharp turns on the way. */
    int turns;
    /** Whether the flight has to be watched more closely. */
    boolean uncertain;

    /** A place and a time. */
    static class Point {
        double latitude;
        double longitude;
        double minutes;
        Point next;
    }

    void append(double latitude, double longitude, double minutes) {
        Point point = new Point();
        point.latitude = latitude;
        point.longitude = longitude;
        point.minutes = minutes;
        if (last == null) {
            first = point;
        } else {
            last.next = point;
        }
        last = point;
    }

    /** The minutes that the trajectory covers. */
    public double minutes() {
        return last == null ? 0 : last.minutes;
    }

    /** Whether the list ends at `last` and the times never decrease. */
    public boolean repOK() {
        if (first == null || last == null) {
            return first == last;
        }
        Point slow = first;
        boolean step = false;
        Point point = first;
        while (point.next != null) {
            if (point.next.minutes < point.minutes || point.next == slow) {
                return false;
            }
            if (step) {
                slow = slow.next;
            }
            step = !step;
            point = point.next;
        }
        return point == last;
    }
}
