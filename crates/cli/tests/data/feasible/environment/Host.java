package environment;

public class Host {
    public static boolean hasProcessors(int some) {
        if (Runtime.getRuntime().availableProcessors() > some && some >= 1) {
            return true;
        }
        return false;
    }

    public static boolean hasMemory() {
        if (Runtime.getRuntime().maxMemory() > 1000) {
            return true;
        }
        return false;
    }

    public static boolean usesMemory() {
        Runtime runtime = Runtime.getRuntime();
        if (runtime.totalMemory() - runtime.freeMemory() > 0) {
            return true;
        }
        return false;
    }

    public static boolean isRecent() {
        if (Runtime.version().feature() > 11) {
            return true;
        }
        return false;
    }

    public static boolean hasWorkingFolder() {
        if (new java.io.File(".").exists()) {
            return true;
        }
        return false;
    }

    public static boolean hasResource() {
        if (Host.class.getResource("Host.class") != null) {
            return true;
        }
        return false;
    }

    public static boolean hasLoader() {
        if (Host.class.getClassLoader() != null) {
            return true;
        }
        return false;
    }

    public static boolean isQuiet() throws java.io.IOException {
        if (System.in.available() == 0) {
            return true;
        }
        return false;
    }

    public static boolean hasNoConsole() {
        if (System.console() == null) {
            return true;
        }
        return false;
    }
}
