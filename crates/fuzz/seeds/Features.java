import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** One class with as much of what class files can have as fits, for mutations to begin with. */
public class Features<T extends Comparable<T>> implements Comparable<Features<T>> {
    enum Colour { RED, GREEN { @Override int weight() { return 2; } }; int weight() { return 1; } }

    record Pair(int first, String second) {
        Pair { if (first < 0) throw new IllegalArgumentException("negative"); }
    }

    sealed interface Shape permits Circle, Square { }
    record Circle(double radius) implements Shape { }
    record Square(float side) implements Shape { }

    static final long MASK = 0x7fff_ffff_ffffL;
    static int count;
    static String[] names = {"a", "b"};

    Features<T> next;
    T value;
    int[] numbers = {1, 2, 3};
    long[][] grid = new long[2][3];
    volatile char letter = 'x';

    Features(T value) { this.value = value; count++; }

    boolean repOk() {
        Features<T> slow = this;
        for (Features<T> fast = next; fast != null; fast = fast.next) {
            if (fast == slow) return false;
        }
        return true;
    }

    @Override public int compareTo(Features<T> other) { return value.compareTo(other.value); }

    @Override public boolean equals(Object other) {
        return other instanceof Features<?> same && Objects.equals(value, same.value);
    }

    @Override public int hashCode() { return Objects.hash(value, count); }

    @Override public String toString() { return "value " + value + ", " + count + letter; }

    static int switches(String text, int number, Colour colour) {
        switch (text) {
            case "one": number += 1; break;
            case "two": number += 2;
            default: number *= 3;
        }
        int weight = switch (colour) { case RED -> 7; case GREEN -> colour.weight(); };
        return switch (number) { case -5, 0, 5 -> weight; case 1_000_000 -> 1; default -> number % 7; };
    }

    static double arithmetic(long a, double b, float c, byte d, short e) {
        long shifted = (a << 3 ^ a >>> 5 | a >> 2) & MASK;
        double sum = b / (c - d) + e % 3.5 + Math.sin(b);
        int cast = (int) sum + (byte) shifted + (char) e;
        return a > shifted && b <= c || !(sum > b) ? -cast : shifted / (double) (a + 1);
    }

    static int exceptions(int[] array, int index) {
        int result = 0;
        try {
            result = array[index] / index;
            if (result == 3) throw new IllegalStateException("three");
        } catch (ArrayIndexOutOfBoundsException | ArithmeticException failure) {
            result = -1;
        } finally {
            count += result;
        }
        synchronized (names) { return result + names.length; }
    }

    static Supplier<Integer> lambdas(int number) {
        IntBinaryOperator add = Integer::sum;
        List<Integer> list = new ArrayList<>();
        Runnable task = () -> list.add(add.applyAsInt(number, list.size()));
        task.run();
        Comparable<String> nameless = new Comparable<>() {
            @Override public int compareTo(String other) { return other.length() - number; }
        };
        return () -> list.get(0) + nameless.compareTo("x");
    }

    int walk(int steps) {
        outer:
        for (int i = 0; i < steps; i++) {
            for (int j = 0; j < numbers.length; j++) {
                if (numbers[j] == i) continue outer;
                grid[j % 2][i % 3] += numbers[j];
            }
            if (next == null) break;
        }
        assert steps >= 0 : "negative";
        return next == null ? steps : next.walk(steps - 1);
    }

    @Deprecated
    static Object generic(Object value, Pair pair) {
        if (value instanceof Circle circle) return circle.radius();
        if (value instanceof int[] array && array.length > 0) return array.clone();
        return pair == null ? (Object) Colour.valueOf("RED") : pair.second() + pair.first();
    }
}
