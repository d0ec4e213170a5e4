// The fixes from `first` to `last`, doubly linked; before the first one comes `before`. All of
// them lie on the globe.
pred fixes(first, before, last) :=
    emp & first = null & last = before
  | exists latitude, longitude, next. first -> Fix(latitude, longitude, before, next)
        * fixes(next, first, last)
        & -90.0 <= latitude & latitude <= 90.0 & -180.0 <= longitude & longitude <= 180.0;

// A route object with all of its fixes.
pred route(x) := exists first, last. x -> Route(first, last) * fixes(first, null, last);

// A flight on the globe; its speed and altitude may be anything.
pred track(x) :=
    exists latitude, longitude, heading. x -> FlightTrack(latitude, longitude, _, heading, _)
        & -90.0 <= latitude & latitude <= 90.0 & -180.0 <= longitude & longitude <= 180.0
        & 0.0 <= heading & heading < 360.0;

// What an argument that may be missing is.
pred route_or_null(x) := emp & x = null | route(x);
pred track_or_null(x) := emp & x = null | track(x);

// The points from `first` to `last`, at least one.
pred points(first, last) :=
    first -> Trajectory$Point(next: null) & first = last
  | exists next. first -> Trajectory$Point(next: next) * points(next, last);

pred trajectory(x) := exists first, last. x -> Trajectory(first: first, last: last)
    * points(first, last);

pred synthesizer(x) := exists horizon. x -> TrajectorySynthesizer(horizon)
    & 1.0 <= horizon & horizon <= 60.0;

pre  TrajectorySynthesizer#distance(latitude, longitude, otherLatitude, otherLongitude) := emp;

pre  TrajectorySynthesizer#nearestFix(track, route) := synthesizer(this) * track(track)
    * route(route);
post TrajectorySynthesizer#nearestFix(track, route) := synthesizer(this) * track(track)
    * route(route);

pre  TrajectorySynthesizer#deadReckoning(track) := synthesizer(this) * track(track);
post TrajectorySynthesizer#deadReckoning(track) := synthesizer(this) * track(track)
    * trajectory(result);

pre  TrajectorySynthesizer#routeTrajectory(track, route) :=
    synthesizer(this) * track_or_null(track) * route_or_null(route);
post TrajectorySynthesizer#routeTrajectory(track, route) :=
    synthesizer(this) * track(track) * route_or_null(route) * trajectory(result);
post TrajectorySynthesizer#routeTrajectory(track, route)
    throws java.lang.IllegalArgumentException :=
    synthesizer(this) * track_or_null(track) * route_or_null(route);
post TrajectorySynthesizer#routeTrajectory(track, route)
    throws subjects.tsafe.OffRouteException :=
    synthesizer(this) * track(track) * route(route);

pre  Route#append(latitude, longitude) := route(this)
    & -90.0 <= latitude & latitude <= 90.0 & -180.0 <= longitude & longitude <= 180.0;
post Route#append(latitude, longitude) := route(this);
