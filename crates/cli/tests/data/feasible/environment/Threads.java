package environment;

public class Threads {
    public static boolean isMain() {
        if ("main".equals(Thread.currentThread().getName())) {
            return true;
        }
        return false;
    }

    public static boolean isAnother() {
        if (Thread.currentThread().getName().equals("worker")) {
            return true;
        }
        return false;
    }

    public static boolean hasNumber() {
        if (Thread.currentThread().getId() != 0) {
            return true;
        }
        return false;
    }

    public static boolean hasGroup() {
        if (Thread.currentThread().getThreadGroup() != null) {
            return true;
        }
        return false;
    }

    public static boolean isInterrupted() {
        if (Thread.interrupted()) {
            return true;
        }
        return false;
    }

    public static boolean hasFrames() {
        if (Thread.currentThread().getStackTrace().length > 1) {
            return true;
        }
        return false;
    }

    public static boolean isDeep() {
        if (new Throwable().getStackTrace().length > 0) {
            return true;
        }
        return false;
    }

    public static boolean isCaught(int[] numbers) {
        try {
            return numbers[0] > 0;
        } catch (ArrayIndexOutOfBoundsException e) {
            if (e.getStackTrace().length > 0) {
                return true;
            }
            return false;
        }
    }
}
