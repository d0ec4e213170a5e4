package trial;

/** Inheritance and virtual calls. */
public abstract class Shape {
    protected int scale = 1;

    public abstract int area();

    public int twice() {
        return 2 * area() * scale;
    }

    static int total(Shape[] shapes) {
        int total = 0;
        for (Shape shape : shapes) {
            total += shape.area();
        }
        return total;
    }

    public static String kind(Shape shape) {
        if (shape instanceof Square) {
            return "square";
        } else if (shape instanceof Rectangle) {
            return "rectangle";
        } else if (shape instanceof Disc) {
            return "disc";
        }
        return "none";
    }

    public static int side(Shape shape) {
        return ((Rectangle) shape).width;
    }

    public static boolean larger(Shape a, Shape b) {
        return a.area() > b.area();
    }
}

class Rectangle extends Shape {
    final int width;
    private final int height;

    Rectangle(int width, int height) {
        if (width < 0 || height < 0) {
            throw new IllegalArgumentException("negative");
        }
        this.width = width;
        this.height = height;
    }

    @Override
    public int area() {
        return width * height;
    }

    boolean isSquare() {
        return width == height;
    }
}

class Square extends Rectangle {
    Square(int side) {
        super(side, side);
    }

    @Override
    public int twice() {
        return scale == 1 ? super.twice() : -1;
    }
}

final class Disc extends Shape {
    private int radius;

    @Override
    public int area() {
        return radius > 1000 ? Integer.MAX_VALUE : 3 * radius * radius;
    }
}
