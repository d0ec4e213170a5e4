package subjects.tsafe;

/** A named place of a route, in degrees; the names do not matter here. */
class Fix {
    double latitude;
    double longitude;
    Fix previous;
    Fix next;

    Fix(double latitude, double longitude) {
        this.latitude = latitude;
        this.longitude = longitude;
    }
}
