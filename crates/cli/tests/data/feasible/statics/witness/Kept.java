package statics.witness;

class Kept {
    static boolean isRaised() {
        statics.Kept.isRaised();
        return statics.Kept.isRaised();
    }

    static boolean isNested() {
        statics.Kept.isNested();
        return statics.Kept.isNested();
    }

    static boolean isKnown() {
        statics.Kept.isKnown("a");
        return statics.Kept.isKnown("a");
    }

    static boolean isBoxed() {
        statics.Kept.isBoxed();
        return statics.Kept.isBoxed();
    }

    static boolean isInRow() {
        statics.Kept.isInRow();
        return statics.Kept.isInRow();
    }

    static boolean isCounted() {
        statics.Kept.isCounted();
        return statics.Kept.isCounted();
    }

    static boolean isWritten() {
        statics.Kept.isWritten();
        return statics.Kept.isWritten();
    }

    static boolean isPooled() {
        statics.Kept.isPooled();
        return statics.Kept.isPooled();
    }

    static boolean isInGrid() {
        statics.Kept.isInGrid();
        return statics.Kept.isInGrid();
    }
}
