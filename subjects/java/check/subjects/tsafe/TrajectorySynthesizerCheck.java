package subjects.tsafe;

import static subjects.Check.that;

import java.util.Random;

/** Random flights and routes; the trajectories have to be plausible. */
public final class TrajectorySynthesizerCheck {
    private TrajectorySynthesizerCheck() {}

    /** Ends with an error at the first implausible trajectory. */
    public static void main(String[] arguments) {
        Random random = new Random(9);
        int predicted = 0;
        for (int round = 0; round < 20000; round++) {
            TrajectorySynthesizer synthesizer = new TrajectorySynthesizer(1 + random.nextInt(60));
            that(synthesizer.repOK(), "synthesizer");
            boolean polar = random.nextInt(20) == 0;
            double latitude = polar ? 89.9 : random.nextInt(5);
            double longitude = random.nextInt(5);
            FlightTrack track = new FlightTrack(latitude, longitude,
                40 + random.nextInt(500), random.nextInt(360), random.nextInt(20000));
            that(track.repOK(), "track");
            Route route = new Route();
            for (int i = random.nextInt(6); i > 0; i--) {
                double north = random.nextInt(3) - (polar ? 2 : 1);
                route.append(latitude + north, longitude + random.nextInt(3) - 1);
                that(route.repOK(), "route");
            }
            if (random.nextInt(100) == 0) {
                track = null;
            }
            if (random.nextInt(100) == 0) {
                route = null;
            }
            try {
                Trajectory trajectory = synthesizer.routeTrajectory(track, route);
                predicted++;
                that(trajectory.repOK(), "trajectory");
                that(Math.abs(trajectory.minutes() - synthesizer.horizon) < 1e-9, "horizon");
                that(trajectory.first.latitude == latitude, "start");
                that(trajectory.first.longitude == longitude, "start");
                if (!polar) {
                    for (Trajectory.Point p = trajectory.first; p.next != null; p = p.next) {
                        double miles = TrajectorySynthesizer.distance(
                            p.latitude, p.longitude, p.next.latitude, p.next.longitude);
                        double most = track.speed * (p.next.minutes - p.minutes) / 60;
                        that(miles <= most * 1.01 + 1e-9, "too fast: " + miles + " of " + most);
                    }
                }
            } catch (IllegalArgumentException exception) {
                that(track == null || track.speed < TrajectorySynthesizer.SLOWEST, "argument");
            } catch (OffRouteException exception) {
                that(exception.distance > TrajectorySynthesizer.FARTHEST, "off route");
            }
        }
        that(predicted > 10000, "predicted");
        that(new Trajectory().minutes() == 0 && new Trajectory().repOK(), "empty");
        System.out.println("TrajectorySynthesizer: ok");
    }
}
