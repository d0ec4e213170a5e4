package subjects.stack;

import static subjects.Check.same;
import static subjects.Check.that;

import java.util.Random;
import java.util.Stack;

/** Random operations on a linked stack and on the one of java.util. */
public final class LinkedStackCheck {
    private LinkedStackCheck() {}

    /** Ends with an error at the first difference. */
    public static void main(String[] arguments) {
        Random random = new Random(2);
        for (int round = 0; round < 2000; round++) {
            LinkedStack stack = new LinkedStack();
            Stack<Object> oracle = new Stack<>();
            for (int step = 0; step < 30; step++) {
                Object x = random.nextInt(5) == 0 ? null : (Object) random.nextInt(4);
                switch (random.nextInt(8)) {
                    case 0: case 1: case 2: stack.push(x); oracle.push(x); break;
                    case 3:
                        boolean thrown = false;
                        try {
                            stack.pop();
                        } catch (LinkedStack.Underflow underflow) {
                            thrown = true;
                        }
                        same(thrown, oracle.isEmpty(), "pop");
                        if (!thrown) {
                            oracle.pop();
                        }
                        break;
                    case 4:
                        same(stack.topAndPop(),
                            oracle.isEmpty() ? null : oracle.pop(), "topAndPop");
                        break;
                    case 5: same(stack.search(x), oracle.search(x), "search"); break;
                    case 6:
                        if (random.nextInt(8) == 0) {
                            stack.makeEmpty();
                            oracle.clear();
                        }
                        break;
                    default: that(!stack.isFull(), "isFull");
                }
                that(stack.repOK(), "repOK");
                same(stack.depth(), oracle.size(), "depth");
                same(stack.isEmpty(), oracle.isEmpty(), "isEmpty");
                same(stack.top(), oracle.isEmpty() ? null : oracle.peek(), "top");
            }
        }
        LinkedStack broken = new LinkedStack();
        broken.push(1);
        broken.push(2);
        broken.topOfStack.next.next = broken.topOfStack;
        that(!broken.repOK(), "cycle");
        System.out.println("LinkedStack: ok");
    }
}
