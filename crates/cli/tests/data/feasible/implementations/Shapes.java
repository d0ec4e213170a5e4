package implementations;

public class Shapes {
    public interface Shape {
        int area();
    }

    public static class Square implements Shape {
        @Override
        public int area() {
            return 3;
        }
    }

    public interface Pair {
        int first();

        int second();
    }

    public static class Twins implements Pair {
        int number;

        @Override
        public int first() {
            return number;
        }

        @Override
        public int second() {
            return number;
        }
    }

    public abstract static class Figure {
        public abstract int corners();

        public int size() {
            return 1;
        }
    }

    public static class Triangle extends Figure {
        @Override
        public int corners() {
            return 3;
        }
    }

    Shape shape;

    public static boolean isSeven(Shape shape) {
        if (shape.area() == 7) {
            return true;
        }
        return false;
    }

    public static boolean grows(Shape shape) {
        int before = shape.area();
        if (before < shape.area()) {
            return true;
        }
        return false;
    }

    public static boolean isUnknown(Shape shape) {
        if (shape != null && !(shape instanceof Square)) {
            return true;
        }
        return false;
    }

    public static boolean hasLarge(Shape[] shapes) {
        if (shapes.length > 0 && shapes[0] != null && shapes[0].area() > 100) {
            return true;
        }
        return false;
    }

    public static boolean areDifferent(Pair pair) {
        if (pair.first() != pair.second()) {
            return true;
        }
        return false;
    }

    public static boolean isFour(Figure figure) {
        if (figure.corners() == 4) {
            return true;
        }
        return false;
    }

    public static boolean isBig(Figure figure) {
        if (figure.size() > 1) {
            return true;
        }
        return false;
    }

    public static boolean holdsSeven(Shapes shapes) {
        if (shapes.shape != null && shapes.shape.area() == 7) {
            return true;
        }
        return false;
    }

    public static boolean isNoTriangle(Figure figure) {
        Object object = figure;
        if (object != null && !(object instanceof Triangle)) {
            return true;
        }
        return false;
    }
}
