package statics;

/** Objects of the user behind static fields. */
public class Objects {
    enum Color {
        RED, GREEN;

        int uses;
        private String label = "none";
    }

    static class Box {
        int value;
        private final int[] data = new int[3];
        private int hidden = 1;
        Box next;

        void hide(int value) {
            hidden = value;
        }
    }

    record Pair(Box first, int[] numbers) {}

    static final Box BOX = new Box();
    static final Box NIL = new Box();
    static final Pair PAIR = new Pair(new Box(), new int[] {1});
    private static final Box[] TABLE = {new Box(), new Box()};
    private static Box current = new Box();
    static int calls;

    public static boolean isUsed(Color color) {
        if (color == null) {
            return false;
        }
        color.uses++;
        if (color.uses > 1) {
            return true;
        }
        return false;
    }

    public static boolean isLabelled() {
        if (Color.RED.label.length() == 4) {
            Color.RED.label = "crimson";
            return false;
        }
        return true;
    }

    public static boolean isBoxed() {
        BOX.value++;
        if (BOX.value > 1) {
            return true;
        }
        return false;
    }

    public static boolean isInside() {
        BOX.data[1] += 2;
        if (BOX.data[1] > 2) {
            return true;
        }
        return false;
    }

    public static boolean isHidden() {
        if (BOX.hidden == 7) {
            return true;
        }
        BOX.hide(7);
        return false;
    }

    public static boolean isNil(Box box) {
        if (box == NIL) {
            return true;
        }
        return false;
    }

    public static boolean isLinked() {
        if (BOX.next == BOX) {
            return true;
        }
        BOX.next = BOX;
        return false;
    }

    public static boolean isPaired() {
        if (PAIR.first().value == 3 && PAIR.numbers()[0] == 4) {
            return true;
        }
        PAIR.first().value = 3;
        PAIR.numbers()[0] = 4;
        return false;
    }

    public static boolean isInTable(int i) {
        if (TABLE[i & 1].value == 5) {
            return true;
        }
        TABLE[i & 1].value = 5;
        return false;
    }

    public static boolean isCurrent() {
        if (current != null && current.value == 8) {
            return true;
        }
        return false;
    }

    public static boolean isCalled() {
        if (calls++ == 2) {
            return true;
        }
        return false;
    }

    static void makeCurrent() {
        current = new Box();
        current.value = 8;
    }
}
