package environment.witness;

class Threads {
    static boolean isMain() {
        return environment.Threads.isMain();
    }

    static boolean isAnother() throws InterruptedException {
        boolean[] taken = {false};
        Thread worker = new Thread(() -> taken[0] = environment.Threads.isAnother(), "worker");
        worker.start();
        worker.join();
        return taken[0];
    }

    static boolean hasNumber() {
        return environment.Threads.hasNumber();
    }

    static boolean hasGroup() {
        return environment.Threads.hasGroup();
    }

    static boolean isInterrupted() {
        Thread.currentThread().interrupt();
        return environment.Threads.isInterrupted();
    }

    static boolean hasFrames() {
        return environment.Threads.hasFrames();
    }

    static boolean isDeep() {
        return environment.Threads.isDeep();
    }

    static boolean isCaught() {
        return environment.Threads.isCaught(new int[0]);
    }
}
