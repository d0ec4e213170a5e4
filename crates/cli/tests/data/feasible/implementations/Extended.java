package implementations;

public class Extended {
    public static boolean isOfAnotherClass(Point point) {
        if (point.getClass() != Point.class) {
            return true;
        }
        return false;
    }

    public static boolean answersOtherwise(Point point) {
        point.x = 3;
        if (point.x() != 3) {
            return true;
        }
        return false;
    }

    public static boolean givesNothing(Point point) {
        if (point.copy() == null) {
            return true;
        }
        return false;
    }

    public static boolean changesMore(Point point) {
        int before = point.y;
        point.move();
        if (point.y != before) {
            return true;
        }
        return false;
    }

    public static class Point {
        public int x;
        public int y;

        public int x() {
            return x;
        }

        public Point copy() {
            return new Point();
        }

        public void move() {
            x++;
        }
    }
}
