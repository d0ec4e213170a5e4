package statics.witness;

class Arrays {
    static boolean isCached() {
        statics.Arrays.isCached(3);
        return statics.Arrays.isCached(3);
    }

    static boolean isSquareKnown() {
        statics.Arrays.isSquareKnown(2);
        return statics.Arrays.isSquareKnown(2);
    }

    static boolean isTaken() {
        statics.Arrays.isTaken(null);
        return statics.Arrays.isTaken(null);
    }

    static boolean isGridChanged() {
        statics.Arrays.isGridChanged();
        return statics.Arrays.isGridChanged();
    }

    static boolean isLeakUsed() throws ReflectiveOperationException {
        java.lang.reflect.Method leak = statics.Arrays.class.getDeclaredMethod("leak");
        leak.setAccessible(true);
        ((int[]) leak.invoke(null))[0] = 1;
        return statics.Arrays.isLeakUsed();
    }

    static boolean toggles() {
        statics.Arrays.toggles();
        return statics.Arrays.toggles();
    }

    static boolean isUpper() {
        statics.Arrays.letters[0] = 'A';
        return statics.Arrays.isUpper();
    }

    static boolean isSwapped() {
        statics.Arrays.isSwapped();
        return statics.Arrays.isSwapped();
    }
}
