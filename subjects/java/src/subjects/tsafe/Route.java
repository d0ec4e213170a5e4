package subjects.tsafe;

/** The fixes that a flight is to pass, as a doubly linked list known by both of its ends. */
public class Route {
    Fix first;
    Fix last;

    /** Appends a fix. */
    public void append(double latitude, double longitude) {
        Fix fix = new Fix(latitude, longitude);
        if (last == null) {
            first = fix;
        } else {
            fix.previous = last;
            last.next = fix;
        }
        last = fix;
    }

    /**
     * Whether the fixes are linked in both directions from the first to the last, and lie on the
     * globe. The links back exclude cycles: a fix that is reached twice has one `previous` only.
     */
    public boolean repOK() {
        Fix before = null;
        for (Fix fix = first; fix != null; fix = fix.next) {
            if (fix.previous != before
                || !(Math.abs(fix.latitude) <= 90 && Math.abs(fix.longitude) <= 180)) {
                return false;
            }
            before = fix;
        }
        return last == before;
    }
}
