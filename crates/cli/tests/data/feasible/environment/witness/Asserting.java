package environment.witness;

/** Assertions are off where this runs. */
public class Asserting {
    public static boolean isOff() {
        return environment.Asserting.isOff();
    }

    public static boolean leavesOut() {
        return environment.Asserting.leavesOut(new environment.Asserting());
    }

    public static boolean looksAway() {
        return environment.Asserting.looksAway(new int[0]);
    }
}
