package environment;

public class Asserting {
    int count;

    public static boolean isOff() {
        boolean on = false;
        assert on = true;
        if (!on) {
            return true;
        }
        return false;
    }

    public static boolean leavesOut(Asserting object) {
        object.count = 0;
        assert object.bump();
        if (object.count == 0) {
            return true;
        }
        return false;
    }

    public static boolean looksAway(int[] numbers) {
        assert numbers[0] == numbers[0];
        if (numbers.length == 0) {
            return true;
        }
        return false;
    }

    private boolean bump() {
        count++;
        return true;
    }
}
