package subjects.tsafe;

/** Where a flight is and how it moves: degrees, knots, degrees clockwise from north, feet. */
public class FlightTrack {
    double latitude;
    double longitude;
    double speed;
    double heading;
    double altitude;

    /** A track with all of its values. */
    public FlightTrack(
            double latitude, double longitude, double speed, double heading, double altitude) {
        this.latitude = latitude;
        this.longitude = longitude;
        this.speed = speed;
        this.heading = heading;
        this.altitude = altitude;
    }

    /** Whether the flight is on the globe and its heading is one of the compass. */
    public boolean repOK() {
        return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
            && heading >= 0 && heading < 360;
    }
}
