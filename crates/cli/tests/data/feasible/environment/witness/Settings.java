package environment.witness;

class Settings {
    static boolean hasVersion() {
        return environment.Settings.hasVersion();
    }

    static boolean isOverridden() {
        System.setProperty("feasible.colour", "blue");
        return environment.Settings.isOverridden();
    }

    static boolean isOn() {
        System.setProperty("feasible.on", "true");
        return environment.Settings.isOn();
    }

    static boolean isLarge() {
        System.setProperty("feasible.size", "11");
        return environment.Settings.isLarge();
    }

    static boolean hasPath() {
        return environment.Settings.hasPath();
    }

    static boolean separatesWithOneCharacter() {
        return environment.Settings.separatesWithOneCharacter();
    }

    static boolean hasProperties() {
        return environment.Settings.hasProperties();
    }

    static boolean isNumber() {
        System.setProperty("feasible.number", "42");
        return environment.Settings.isNumber(2);
    }
}
