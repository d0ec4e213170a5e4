import java.util.List;

/** Switches over patterns, which compilers since Java 21 translate. */
public class Patterns {
    enum Colour { RED, GREEN { @Override int weight() { return 5; } }, BLUE; int weight() { return ordinal(); } }
    sealed interface Shape permits Circle, Square, Pair, Colours { }
    record Circle(double radius) implements Shape { }
    record Square(int side) implements Shape { }
    record Pair(Shape first, Shape second) implements Shape { }
    enum Colours implements Shape { CYAN, MAGENTA }

    static String kind(Object o) {
        return switch (o) {
            case null -> "null";
            case Integer i when i > 100 -> "large " + i;
            case Integer i -> "int " + i;
            case String s when s.isEmpty() -> "empty";
            case String s -> "string " + s.length();
            case int[] a -> "ints " + a.length;
            case Colour c -> "colour " + c;
            case List<?> l -> "list " + l.size();
            default -> "other";
        };
    }

    static String test_kinds() {
        return kind(null) + kind(500) + kind(7) + kind("") + kind("abc") + kind(new int[4])
            + kind(Colour.GREEN) + kind(List.of(1, 2)) + kind(2.5);
    }

    static double area(Shape s) {
        return switch (s) {
            case Circle c -> 3 * c.radius();
            case Square q -> q.side() * q.side();
            case Pair(Circle c, var other) -> 1000 + c.radius() + area(other);
            case Pair(var first, Square(int side)) when side > 2 -> 2000 + side + area(first);
            case Pair(Shape a, Shape b) -> area(a) + area(b);
            case Colours.CYAN -> 0.5;
            case Colours.MAGENTA -> 0.25;
        };
    }

    static double test_area() {
        return area(new Circle(2)) + area(new Square(3)) + area(new Pair(new Circle(1), new Square(2)))
            + area(new Pair(new Square(1), new Square(3))) + area(new Pair(new Square(1), new Square(2)))
            + area(Colours.CYAN) + area(Colours.MAGENTA);
    }

    static double test_null_shape() { return area(null); }
    static double test_null_component() { return area(new Pair(null, null)); }

    static int colour(Colour c) {
        return switch (c) {
            case null -> -1;
            case RED -> 1;
            case GREEN -> 2 * c.weight();
            case BLUE -> 3;
        };
    }

    static int test_enum_with_null() {
        int sum = colour(null);
        for (Colour c : Colour.values()) sum = sum * 10 + colour(c);
        return sum;
    }

    static int guarded(Colour c, int n) {
        return switch (c) {
            case Colour red when red == Colour.RED && n > 5 -> 1;
            case RED -> 2;
            case BLUE -> 3;
            case Colour other when n < 0 -> 4;
            case Colour other -> 5;
        };
    }

    static int test_enum_with_guards() {
        return guarded(Colour.RED, 6) + 10 * guarded(Colour.RED, 5) + 100 * guarded(Colour.BLUE, 0)
            + 1000 * guarded(Colour.GREEN, -1) + 10000 * guarded(Colour.GREEN, 1);
    }

    static int test_enum_null_fault() { return guarded(null, 1); }

    static int boxed(Integer n) {
        return switch (n) {
            case 1 -> 10;
            case 2 -> 20;
            case Integer i when i > 1000 -> 30;
            case 77 -> 40;
            case Integer i -> i;
        };
    }

    static int test_boxed() { return boxed(1) + boxed(2) + boxed(1001) + boxed(77) + boxed(5); }

    static int character(Character c) {
        return switch (c) {
            case 'a' -> 1;
            case Character d when Character.isDigit(d) -> 2;
            case 'z' -> 3;
            case Character d -> 4;
        };
    }

    static int test_characters() {
        return character('a') + 10 * character('5') + 100 * character('z') + 1000 * character('q');
    }

    static String text(String s) {
        return switch (s) {
            case null -> "none";
            case "a", "b" -> "letter";
            case String t when t.length() > 3 -> "long";
            case "cd" -> "pair";
            case String t -> "rest";
        };
    }

    static String test_strings() { return text(null) + text("b") + text("wxyz") + text("cd") + text("q"); }

    static Object constant(Object o) {
        if (o instanceof Pair(Circle(double r), Square q) && r > 1) return r + q.side();
        return "no";
    }

    static String test_record_patterns() {
        return constant(new Pair(new Circle(2), new Square(3))) + "" + constant(new Pair(new Circle(0), new Square(3)))
            + constant(new Pair(new Square(3), new Circle(2)));
    }

    static int loop(Object o) {
        int count = 0;
        while (true) {
            int seen = count;
            switch (o) {
                case Pair p when seen > 3: return count;
                case Pair(Shape a, Shape b): o = b; count += 10; break;
                case Shape s: return count + 1;
                default: return -1;
            }
        }
    }

    static int test_loop() { return loop(new Pair(null, new Pair(null, null))) + loop(new Pair(null, new Square(1))) + loop("x"); }
}
