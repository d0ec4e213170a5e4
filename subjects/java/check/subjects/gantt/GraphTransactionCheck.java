package subjects.gantt;

import static subjects.Check.same;
import static subjects.Check.that;

import java.util.Arrays;
import java.util.Random;

/** Random changes of a graph beside arrays that are copied when a transaction starts. */
public final class GraphTransactionCheck {
    private GraphTransactionCheck() {}

    /** Ends with an error at the first difference. */
    public static void main(String[] arguments) {
        Random random = new Random(8);
        for (int round = 0; round < 2000; round++) {
            GraphTransaction transaction = new GraphTransaction();
            TaskNode[] nodes = new TaskNode[5];
            for (int i = 0; i < nodes.length; i++) {
                nodes[i] = new TaskNode();
            }
            int[][] now = new int[nodes.length][3];
            int[][] before = null;
            for (int step = 0; step < 30; step++) {
                int a = random.nextInt(nodes.length + 1);
                int b = random.nextInt(nodes.length + 1);
                boolean thrown = false;
                switch (random.nextInt(7)) {
                    case 0:
                        try {
                            transaction.start();
                        } catch (IllegalStateException exception) {
                            thrown = true;
                        }
                        same(thrown, before != null, "start");
                        before = before != null ? before : copy(now);
                        break;
                    case 1:
                        try {
                            transaction.commit();
                        } catch (IllegalStateException exception) {
                            thrown = true;
                        }
                        same(thrown, before == null, "commit");
                        before = null;
                        break;
                    case 2:
                        try {
                            transaction.rollback();
                        } catch (IllegalStateException exception) {
                            thrown = true;
                        }
                        same(thrown, before == null, "rollback");
                        now = before != null ? before : now;
                        before = null;
                        break;
                    case 3:
                        // A task that was touched only can be undone without any change.
                        TaskNode node = nodes[a % nodes.length];
                        transaction.touch(node);
                        same(transaction.undo(node), before != null, "undo");
                        same(transaction.isTouched(node), before != null, "isTouched");
                        break;
                    default:
                        try {
                            transaction.addDependency(
                                a < nodes.length ? nodes[a] : null,
                                b < nodes.length ? nodes[b] : null);
                        } catch (IllegalArgumentException exception) {
                            thrown = true;
                        }
                        boolean wrong = a == nodes.length || b == nodes.length || a == b;
                        same(thrown, wrong, "addDependency");
                        if (!thrown) {
                            now[a][2]++;
                            now[b][1]++;
                            now[b][0] = Math.max(now[b][0], now[a][0] + 1);
                        }
                }
                that(transaction.repOK(), "repOK");
                for (int i = 0; i < nodes.length; i++) {
                    int[] actual = {nodes[i].level(), nodes[i].incoming(), nodes[i].outgoing()};
                    that(Arrays.equals(actual, now[i]), "state");
                    that(nodes[i].repOK(), "backups");
                }
            }
        }
        System.out.println("GraphTransaction: ok");
    }

    private static int[][] copy(int[][] states) {
        int[][] copied = new int[states.length][];
        for (int i = 0; i < states.length; i++) {
            copied[i] = states[i].clone();
        }
        return copied;
    }
}
