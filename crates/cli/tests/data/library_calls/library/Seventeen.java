package library;

import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;

/** Every branch here is taken by a test on Java 17; newer libraries use natives for it. */
public final class Seventeen {
    /** The library looks into a class of its own. */
    static int add(boolean first) {
        LongAdder adder = new LongAdder();
        adder.add(first ? 1 : 2);
        return adder.sum() == 1 ? 1 : 0;
    }

    static int identifier(boolean first) {
        return new UUID(first ? 1 : 2, 3).toString().startsWith("00000000-0000-0001") ? 1 : 0;
    }
}
