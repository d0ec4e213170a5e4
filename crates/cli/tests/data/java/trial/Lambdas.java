package trial;

import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Lambdas: stored, given, made; anonymous and inner classes. */
public class Lambdas {
    private IntUnaryOperator step = x -> x + 1;
    private Supplier<String> name;
    int base;

    public int apply(int x) {
        return step.applyAsInt(x);
    }

    public String name() {
        return name == null ? "none" : name.get();
    }

    public void use(boolean twice) {
        step = twice ? x -> 2 * x : x -> x - base;
        name = () -> "step " + twice;
    }

    static int count(int[] values, IntPredicate wanted) {
        int count = 0;
        for (int value : values) {
            if (wanted.test(value)) {
                count++;
            }
        }
        return count;
    }

    static int positives(int[] values) {
        return count(values, x -> x > 0);
    }

    static Object call(Function<Object, Object> function, Object x) {
        return function != null ? function.apply(x) : x;
    }

    static int fold(BiFunction<Integer, Integer, Integer> operation, int n) {
        int result = 0;
        for (int i = 1; i <= n; i++) {
            result = operation.apply(result, i);
        }
        return result;
    }

    static int run(int n) {
        Runnable[] tasks = new Runnable[1];
        int[] result = {0};
        tasks[0] = new Runnable() {
            @Override
            public void run() {
                result[0] = n > 7 ? 1 : 2;
            }
        };
        tasks[0].run();
        return result[0];
    }

    class Inner {
        int offset;

        int value() {
            return offset > base ? offset - base : base;
        }
    }

    int inner(Inner inner) {
        return inner.value() + new Inner().value();
    }
}
