package environment.witness;

class Clock {
    static boolean isAfterTheEpoch() {
        return environment.Clock.isAfterTheEpoch();
    }

    static boolean timePasses() {
        return repeated(environment.Clock::timePasses);
    }

    static boolean isWithin() {
        return environment.Clock.isWithin(2000, Long.MAX_VALUE);
    }

    static boolean instantIsLate() {
        return environment.Clock.instantIsLate();
    }

    static boolean isOdd() {
        return repeated(environment.Clock::isOdd) || System.nanoTime() % 100 == 0;
    }

    static boolean isStamped() {
        return environment.Clock.isStamped();
    }

    static boolean hasManySeconds() throws InterruptedException {
        for (int i = 0; i < 400; i++) {
            if (environment.Clock.hasManySeconds(new int[] {0, 7})) {
                return true;
            }
            Thread.sleep(10);
        }
        return false;
    }

    /** Tries again, since the clock decides. */
    static boolean repeated(java.util.function.BooleanSupplier planted) {
        for (int i = 0; i < 100000; i++) {
            if (planted.getAsBoolean()) {
                return true;
            }
        }
        return false;
    }
}
