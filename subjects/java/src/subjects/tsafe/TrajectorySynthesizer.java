package subjects.tsafe;

/** Predicts where a flight will be during the next minutes. */
public class TrajectorySynthesizer {
    /** A flight that is slower than this, in knots, does not fly. */
    static final double SLOWEST = 60;
    /** A flight that is farther than this, in nautical miles, from every fix has left its route. */
    static final double FARTHEST = 120;

    /** How many minutes are predicted. */
    double horizon;

    /** A synthesizer that predicts the given number of minutes. */
    public TrajectorySynthesizer(double horizon) {
        this.horizon = horizon;
    }

    /** Whether the horizon is between a minute and an hour. */
    public boolean repOK() {
        return horizon >= 1 && horizon <= 60;
    }

    /** The nautical miles between two places that are not far from each other. */
    public static double distance(
            double latitude, double longitude, double otherLatitude, double otherLongitude) {
        double middle = Math.toRadians((latitude + otherLatitude) / 2);
        double north = (otherLatitude - latitude) * 60;
        double east = (otherLongitude - longitude) * 60 * Math.cos(middle);
        return Math.sqrt(north * north + east * east);
    }

    /** The first one of the fixes of a route that are nearest to a flight, or null. */
    public Fix nearestFix(FlightTrack track, Route route) {
        Fix nearest = null;
        double shortest = 0;
        for (Fix fix = route.first; fix != null; fix = fix.next) {
            double distance =
                distance(track.latitude, track.longitude, fix.latitude, fix.longitude);
            if (nearest == null || distance < shortest) {
                nearest = fix;
                shortest = distance;
            }
        }
        return nearest;
    }

    /** The trajectory of a flight that goes on as it does. */
    public Trajectory deadReckoning(FlightTrack track) {
        Trajectory trajectory = new Trajectory();
        trajectory.append(track.latitude, track.longitude, 0);
        extend(trajectory, track.heading, track.speed, horizon);
        return trajectory;
    }

    /** Continues a trajectory straight on for some minutes. */
    private static void extend(
            Trajectory trajectory, double heading, double speed, double minutes) {
        double miles = speed * minutes / 60;
        double direction = Math.toRadians(heading);
        double latitude = trajectory.last.latitude + miles * Math.cos(direction) / 60;
        double scale = Math.cos(Math.toRadians(trajectory.last.latitude));
        double longitude = trajectory.last.longitude;
        if (scale > 0.01) {
            longitude += miles * Math.sin(direction) / (60 * scale);
        }
        trajectory.append(latitude, longitude, trajectory.last.minutes + minutes);
    }

    /**
     * The trajectory of a flight that follows a route: to the fix that comes next, from fix to fix
     * until the horizon, and straight on where the route ends before.
     */
    public Trajectory routeTrajectory(FlightTrack track, Route route) throws OffRouteException {
        if (track == null) {
            throw new IllegalArgumentException("no track");
        }
        if (!(track.speed >= SLOWEST)) {
            throw new IllegalArgumentException("not flying");
        }
        if (route == null || route.first == null) {
            return deadReckoning(track);
        }
        Fix nearest = nearestFix(track, route);
        double latitude = track.latitude;
        double longitude = track.longitude;
        double deviation = distance(latitude, longitude, nearest.latitude, nearest.longitude);
        if (deviation > FARTHEST) {
            throw new OffRouteException(deviation);
        }

        // The flight has passed the nearest fix if the next one is nearer to it than to that fix.
        Fix target = nearest;
        if (nearest.next != null) {
            Fix next = nearest.next;
            double leg =
                distance(nearest.latitude, nearest.longitude, next.latitude, next.longitude);
            if (distance(latitude, longitude, next.latitude, next.longitude) < leg) {
                target = next;
            }
        } else if (nearest.previous != null && deviation < 1) {
            // At the end of the route there is nothing left to fly to.
            target = null;
        }

        Trajectory trajectory = new Trajectory();
        trajectory.append(latitude, longitude, 0);
        double heading = track.heading;
        double minutes = 0;
        while (target != null && minutes < horizon) {
            double leg = distance(latitude, longitude, target.latitude, target.longitude);
            if (leg == 0) {
                target = target.next;
                continue;
            }
            double scale = Math.cos(Math.toRadians((latitude + target.latitude) / 2));
            double east = (target.longitude - longitude) * scale;
            double north = target.latitude - latitude;
            double course = Math.toDegrees(Math.atan2(east, north));
            if (course < 0) {
                course += 360;
            }
            double turn = Math.abs(course - heading);
            if (turn > 180) {
                turn = 360 - turn;
            }
            double speed = track.speed;
            if (turn > 120) {
                speed = speed / 2;
                trajectory.turns++;
            } else if (turn > 45) {
                speed = speed * 0.8;
                trajectory.turns++;
            }
            if (track.altitude < 10000 && speed > 250) {
                speed = 250;
            }
            double needed = leg / speed * 60;
            if (minutes + needed > horizon) {
                double part = (horizon - minutes) / needed;
                latitude += part * (target.latitude - latitude);
                longitude += part * (target.longitude - longitude);
                minutes = horizon;
            } else {
                latitude = target.latitude;
                longitude = target.longitude;
                minutes += needed;
                target = target.next;
            }
            trajectory.append(latitude, longitude, minutes);
            heading = course;
        }
        if (minutes < horizon) {
            extend(trajectory, heading, track.speed, horizon - minutes);
        }
        if (trajectory.turns > 2 || deviation > FARTHEST / 2) {
            trajectory.uncertain = true;
        }
        return trajectory;
    }
}
