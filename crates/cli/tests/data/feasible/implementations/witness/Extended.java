package implementations.witness;

import implementations.Extended.Point;

public class Extended {
    static class Other extends Point {
        @Override
        public int x() {
            return 0;
        }

        @Override
        public Point copy() {
            return null;
        }

        @Override
        public void move() {
            y++;
        }
    }

    public static boolean isOfAnotherClass() {
        return implementations.Extended.isOfAnotherClass(new Other());
    }

    public static boolean answersOtherwise() {
        return implementations.Extended.answersOtherwise(new Other());
    }

    public static boolean givesNothing() {
        return implementations.Extended.givesNothing(new Other());
    }

    public static boolean changesMore() {
        return implementations.Extended.changesMore(new Other());
    }
}
