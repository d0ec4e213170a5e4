package environment.witness;

class Host {
    static boolean hasProcessors() {
        return environment.Host.hasProcessors(1) || Runtime.getRuntime().availableProcessors() == 1;
    }

    static boolean hasMemory() {
        return environment.Host.hasMemory();
    }

    static boolean usesMemory() {
        return environment.Host.usesMemory();
    }

    static boolean isRecent() {
        return environment.Host.isRecent();
    }

    static boolean hasWorkingFolder() {
        return environment.Host.hasWorkingFolder();
    }

    static boolean hasResource() {
        return environment.Host.hasResource();
    }

    static boolean hasLoader() {
        return environment.Host.hasLoader();
    }

    static boolean isQuiet() throws java.io.IOException {
        return environment.Host.isQuiet();
    }

    static boolean hasNoConsole() {
        return environment.Host.hasNoConsole();
    }
}
