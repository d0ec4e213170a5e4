package trial;

import java.util.Comparator;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/** Functions as inputs. */
public class Functions {
    interface Visitor {
        boolean visit(int number, String text);

        default boolean twice(int number) {
            return visit(number, "") && visit(number + 1, "");
        }
    }

    static class Task {
        Runnable action;
        Supplier<String> name;
        Task next;
    }

    static int walk(int[] values, Visitor visitor) {
        for (int i = 0; i < values.length; i++) {
            if (visitor.visit(values[i], "x")) {
                return i;
            }
        }
        return -1;
    }

    static boolean both(Visitor visitor) {
        return visitor.twice(3);
    }

    static int length(Function<String, String> change, String text) {
        String changed = change.apply(text);
        if (changed == null) {
            return -1;
        }
        return changed.length() == 1 ? 1 : 0;
    }

    static int order(Comparator<Object> comparator, Object a, Object b) {
        int order = comparator.compare(a, b);
        if (order == 0) {
            return 0;
        }
        return order < 0 ? -1 : 1;
    }

    static int perform(Task task) {
        int count = 0;
        while (task != null) {
            if (task.action == null) {
                return -count;
            }
            task.action.run();
            count++;
            task = task.next;
        }
        return count;
    }

    static boolean called(Task task, String name) {
        return task.name.get() == name;
    }

    static boolean check(IntPredicate predicate, int number) {
        if (predicate.test(number) != predicate.negate().test(number)) {
            return true;
        }
        return false;
    }
}
