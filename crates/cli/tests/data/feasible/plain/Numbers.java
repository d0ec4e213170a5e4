package plain;

/** What is found by ordinary means: the runner itself is tested with it. */
public class Numbers {
    public static boolean isLarge(int number) {
        if (number > 1000) {
            return true;
        }
        return false;
    }
}
