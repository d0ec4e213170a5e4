package statics.witness;

class Library {
    static boolean isSecond() {
        statics.Library.isSecond("a");
        return statics.Library.isSecond("b");
    }

    static boolean isQueued() {
        statics.Library.isQueued();
        return statics.Library.isQueued();
    }

    static boolean isMemorised() {
        statics.Library.isMemorised(2);
        return statics.Library.isMemorised(2);
    }

    static boolean isSorted() {
        statics.Library.isSorted();
        return statics.Library.isSorted();
    }

    static boolean wasSeen() {
        statics.Library.wasSeen();
        return statics.Library.wasSeen();
    }

    static boolean isDeep() {
        statics.Library.isDeep();
        statics.Library.isDeep();
        return statics.Library.isDeep();
    }

    static boolean isLogged() {
        statics.Library.isLogged();
        return statics.Library.isLogged();
    }

    static boolean isCounted() {
        statics.Library.isCounted();
        statics.Library.isCounted();
        return statics.Library.isCounted();
    }

    static boolean isTotal() {
        statics.Library.isTotal();
        return statics.Library.isTotal();
    }

    static boolean isDone() {
        statics.Library.isDone();
        return statics.Library.isDone();
    }

    static boolean isThree() {
        for (int i = 0; i < 1000; i++) {
            if (statics.Library.isThree()) {
                return true;
            }
        }
        return false;
    }
}
