package environment;

public class Settings {
    public static boolean hasVersion() {
        if (System.getProperty("java.version") != null) {
            return true;
        }
        return false;
    }

    public static boolean isOverridden() {
        if (!System.getProperty("feasible.colour", "red").equals("red")) {
            return true;
        }
        return false;
    }

    public static boolean isOn() {
        if (Boolean.getBoolean("feasible.on")) {
            return true;
        }
        return false;
    }

    public static boolean isLarge() {
        if (Integer.getInteger("feasible.size", 3) > 10) {
            return true;
        }
        return false;
    }

    public static boolean hasPath() {
        if (System.getenv("PATH") != null) {
            return true;
        }
        return false;
    }

    public static boolean separatesWithOneCharacter() {
        if (System.lineSeparator().length() == 1) {
            return true;
        }
        return false;
    }

    public static boolean hasProperties() {
        if (!System.getProperties().isEmpty()) {
            return true;
        }
        return false;
    }

    public static boolean isNumber(int number) {
        String text = System.getProperty("feasible.number");
        if (text != null && text.length() == number) {
            return true;
        }
        return false;
    }
}
