package subjects.sushi;

import static subjects.Check.outcome;
import static subjects.Check.same;
import static subjects.Check.that;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;

/** Random pairs of lists beside lists of java.util. */
public final class TwoListsCheck {
    private TwoListsCheck() {}

    /** Ends with an error at the first difference. */
    public static void main(String[] arguments) {
        Random random = new Random(7);
        for (int round = 0; round < 20000; round++) {
            IntList first = new IntList();
            IntList second = new IntList();
            List<Integer> a = new ArrayList<>();
            List<Integer> b = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                int x = random.nextInt(2);
                first.addLast(x);
                a.add(x);
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                int x = random.nextInt(2);
                second.addLast(x);
                b.add(x);
            }
            int x = random.nextInt(2);
            int n = random.nextInt(6) - 1;
            a.add(x);
            Object expected = NoSuchElementException.class;
            if (n < a.size()) {
                a.remove(Math.max(n, 0));
                expected = a.equals(b);
            }
            same(outcome(() -> TwoLists.equalAfterRemoval(first, second, x, n)), expected, "equal");
            that(first.repOK() && second.repOK(), "repOK");
            same(first.size, a.size(), "size");
        }
        System.out.println("TwoLists: ok");
    }
}
