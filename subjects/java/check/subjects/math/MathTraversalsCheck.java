package subjects.math;

import static subjects.Check.same;
import static subjects.Check.that;

import java.lang.reflect.Method;

/** Every traversal finds one of some small numbers behind others, and nothing in their absence. */
public final class MathTraversalsCheck {
    private MathTraversalsCheck() {}

    /** Ends with an error if a traversal always or never finds something. */
    public static void main(String[] arguments) {
        int methods = 0;
        for (Method method : MathTraversals.class.getDeclaredMethods()) {
            if (!method.getName().startsWith("with")) {
                continue;
            }
            methods++;
            boolean ints = method.getParameterTypes()[0] == MathTraversals.IntNode.class;
            // Integers as in the published experiment, and some powers of two for the others.
            int found = 0;
            int missed = 0;
            for (int i = -32; i < (ints ? 32 : 95); i++) {
                double x = ints || i < 32 ? i : Math.pow(2, i - 31);
                same(call(method, ints), false, "empty list");
                boolean alone = call(method, ints, x);
                if (alone) {
                    found++;
                } else {
                    missed++;
                    that(!call(method, ints, x, x), "twice");
                }
            }
            String counts = " found " + found + ", missed " + missed;
            that(found > 0 && missed > 0, method.getName() + counts);
        }
        same(methods, 32, "methods");
        MathTraversals.IntNode cycle = new MathTraversals.IntNode();
        cycle.next = cycle;
        that(!MathTraversals.repOK(cycle), "cycle");
        MathTraversals.DoubleNode other = new MathTraversals.DoubleNode();
        other.next = other;
        that(!MathTraversals.repOK(other), "cycle");
        System.out.println("MathTraversals: ok");
    }

    private static boolean call(Method method, boolean ints, double... elements) {
        Object list = null;
        for (int i = elements.length - 1; i >= 0; i--) {
            if (ints) {
                MathTraversals.IntNode node = new MathTraversals.IntNode();
                node.elem = (int) elements[i];
                node.next = (MathTraversals.IntNode) list;
                list = node;
                that(MathTraversals.repOK(node), "repOK");
            } else {
                MathTraversals.DoubleNode node = new MathTraversals.DoubleNode();
                node.elem = elements[i];
                node.next = (MathTraversals.DoubleNode) list;
                list = node;
                that(MathTraversals.repOK(node), "repOK");
            }
        }
        try {
            return (Boolean) method.invoke(null, list);
        } catch (ReflectiveOperationException exception) {
            throw new AssertionError(exception);
        }
    }
}
