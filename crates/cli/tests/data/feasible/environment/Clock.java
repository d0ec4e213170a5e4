package environment;

import java.time.Instant;

public class Clock {
    public static boolean isAfterTheEpoch() {
        if (System.currentTimeMillis() > 0) {
            return true;
        }
        return false;
    }

    public static boolean timePasses() {
        long begin = System.nanoTime();
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += i;
        }
        if (System.nanoTime() - begin + sum > 45) {
            return true;
        }
        return false;
    }

    public static boolean isWithin(long from, long to) {
        long now = System.currentTimeMillis();
        if (from < now && now < to && from > 1000) {
            return true;
        }
        return false;
    }

    public static boolean instantIsLate() {
        if (Instant.now().getEpochSecond() > 1000) {
            return true;
        }
        return false;
    }

    public static boolean isOdd() {
        switch ((int) (System.nanoTime() & 1)) {
            case 1:
                return true;
            default:
                return false;
        }
    }

    private long stamp = System.currentTimeMillis();

    public static boolean isStamped() {
        Clock clock = new Clock();
        if (clock.stamp != 0) {
            return true;
        }
        return false;
    }

    public static boolean hasManySeconds(int[] slots) {
        if (slots.length == 2 && slots[(int) (System.currentTimeMillis() / 1000 & 1)] == 7) {
            if (slots[0] != 7) {
                return true;
            }
        }
        return false;
    }
}
