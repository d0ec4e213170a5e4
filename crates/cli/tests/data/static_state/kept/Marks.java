package kept;

import java.util.BitSet;

/** Marks that no test can take back. */
class Marks {
    private static final BitSet marks = new BitSet();

    static void mark() {
        marks.set(3);
    }
}
