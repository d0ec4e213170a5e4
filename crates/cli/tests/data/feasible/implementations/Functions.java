package implementations;

import java.util.Comparator;
import java.util.Iterator;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

public class Functions {
    public static boolean changes(Supplier<Integer> supplier) {
        Integer one = supplier.get();
        Integer other = supplier.get();
        if (one != null && other != null && one.intValue() != other.intValue()) {
            return true;
        }
        return false;
    }

    public static boolean isInconsistent(Comparator<String> comparator) {
        if (comparator.compare("a", "b") < 0 && comparator.compare("b", "a") < 0) {
            return false;
        }
        if (comparator.compare("a", "b") < 0 && comparator.compare("b", "a") > 0) {
            return true;
        }
        return false;
    }

    public static boolean tellsApart(IntPredicate predicate) {
        if (predicate.test(1) != predicate.test(2)) {
            return true;
        }
        return false;
    }

    public static boolean isIncreasing(IntUnaryOperator function) {
        if (function.applyAsInt(1) < function.applyAsInt(2)) {
            return true;
        }
        return false;
    }

    public static boolean isNotSymmetric(IntBinaryOperator operator, int a, int b) {
        if (operator.applyAsInt(a, b) != operator.applyAsInt(b, a)) {
            return true;
        }
        return false;
    }

    public static boolean runs(Runnable runnable, int[] cell) {
        if (cell.length == 1 && cell[0] == 0) {
            runnable.run();
            if (cell[0] == 5) {
                return true;
            }
        }
        return false;
    }

    public static boolean throwsSomething(Runnable runnable) {
        try {
            runnable.run();
        } catch (IllegalStateException e) {
            return true;
        }
        return false;
    }

    public static boolean ends(Iterator<String> iterator) {
        if (iterator.hasNext()) {
            if (!iterator.hasNext()) {
                return true;
            }
        }
        return false;
    }

    public static boolean maps(Function<Object, Object> function, Object object) {
        if (function.apply(object) == object && function.apply("x") == "x" && object != "x") {
            return true;
        }
        return false;
    }

    public static boolean isEqualToAll(Object object) {
        if (object != null && object.equals("a") && object.equals("b")) {
            return true;
        }
        return false;
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    public static boolean isOrdered(Comparable one) {
        if (one.compareTo("a") > 0 && one.compareTo("b") < 0 && one.compareTo("a") == 77) {
            return true;
        }
        return false;
    }

    public static boolean hasCharacters(CharSequence text) {
        if (text.length() == 1 && text.charAt(0) == 'x' && text.charAt(0) == 'y') {
            return true;
        }
        return false;
    }
}
