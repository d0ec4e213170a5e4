data subjects.tsafe.Fix {
    double latitude;
    double longitude;
    subjects.tsafe.Fix previous;
    subjects.tsafe.Fix next;
}
data subjects.tsafe.Route { subjects.tsafe.Fix first; subjects.tsafe.Fix last; }
data subjects.tsafe.FlightTrack {
    double latitude;
    double longitude;
    double speed;
    double heading;
    double altitude;
}
data subjects.tsafe.Trajectory {
    subjects.tsafe.Trajectory$Point first;
    subjects.tsafe.Trajectory$Point last;
    int turns;
    boolean uncertain;
}
data subjects.tsafe.Trajectory$Point {
    double latitude;
    double longitude;
    double minutes;
    subjects.tsafe.Trajectory$Point next;
}
data subjects.tsafe.TrajectorySynthesizer { double horizon; }
