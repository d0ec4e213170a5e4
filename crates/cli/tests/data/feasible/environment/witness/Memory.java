package environment.witness;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.function.Predicate;

class Memory {
    /** Collection can be asked for, but not ordered. */
    private static boolean soon(Predicate<Runnable> planted) {
        Runnable collect = () -> {
            System.gc();
            try {
                Thread.sleep(20);
            } catch (InterruptedException problem) {
                throw new AssertionError(problem);
            }
        };
        for (int i = 0; i < 50; i++) {
            if (planted.test(collect)) {
                return true;
            }
        }
        return false;
    }

    static boolean isCleared() {
        return soon(environment.Memory::isCleared);
    }

    static boolean refersToNothing() {
        return soon(environment.Memory::refersToNothing);
    }

    static boolean isQueued() {
        return soon(environment.Memory::isQueued);
    }

    static boolean isForgotten() {
        return soon(environment.Memory::isForgotten);
    }

    static boolean isBroken() {
        PrintStream before = System.out;
        System.setOut(new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException();
            }
        }));
        try {
            System.out.println();
            return environment.Memory.isBroken();
        } finally {
            System.setOut(before);
        }
    }
}
