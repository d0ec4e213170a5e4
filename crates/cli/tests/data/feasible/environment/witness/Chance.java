package environment.witness;

class Chance {
    static boolean isHigh() {
        return Clock.repeated(environment.Chance::isHigh);
    }

    static boolean isSeven() {
        return Clock.repeated(environment.Chance::isSeven);
    }

    static boolean isLocallyOdd() {
        return Clock.repeated(environment.Chance::isLocallyOdd);
    }

    static boolean hasUniqueName() {
        return Clock.repeated(environment.Chance::hasUniqueName);
    }

    static boolean isShuffled() {
        return Clock.repeated(environment.Chance::isShuffled);
    }

    /** The order differs from one virtual machine to the next, so both of them count. */
    static boolean beginsWithSecond() {
        boolean second = environment.Chance.beginsWithSecond();
        return second || java.util.Set.of("a", "b").iterator().next().equals("a");
    }
}
