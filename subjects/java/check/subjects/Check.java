package subjects;

/** What the checks of all subjects share. */
public final class Check {
    private Check() {}

    /** Fails unless a condition holds. */
    public static void that(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    /** Fails unless two values are equal. */
    public static void same(Object actual, Object expected, String message) {
        that(java.util.Objects.equals(actual, expected),
            message + ": " + actual + " in place of " + expected);
    }

    /** What an action returns, or the class of the exception that it throws. */
    public static Object outcome(java.util.concurrent.Callable<?> action) {
        try {
            return action.call();
        } catch (Exception exception) {
            return exception.getClass();
        }
    }
}
