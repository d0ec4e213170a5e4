package environment.witness;

class Identity {
    static boolean isOdd() throws ReflectiveOperationException {
        Class<?> thing = Class.forName("environment.Identity$Thing");
        var constructor = thing.getDeclaredConstructor();
        constructor.setAccessible(true);
        var number = thing.getDeclaredField("number");
        number.setAccessible(true);
        var method = environment.Identity.class.getDeclaredMethod("isOdd", thing);
        for (int i = 0; i < 1000; i++) {
            Object made = constructor.newInstance();
            number.set(made, 3);
            if ((boolean) method.invoke(null, made)) {
                return true;
            }
        }
        return false;
    }

    static boolean isEven() {
        return Clock.repeated(environment.Identity::isEven);
    }

    static boolean differ() {
        return Clock.repeated(environment.Identity::differ);
    }

    static boolean namesDiffer() {
        return Clock.repeated(() -> environment.Identity.namesDiffer(new Object(), new Object()));
    }

    static boolean isLong() {
        return Clock.repeated(environment.Identity::isLong);
    }

    static boolean secondComesFirst() {
        return Clock.repeated(environment.Identity::secondComesFirst);
    }

    static boolean isSpread() {
        return Clock.repeated(environment.Identity::isSpread);
    }
}
