package subjects.gantt;

import java.util.IdentityHashMap;

/**
 * Changes of a graph of tasks that can be taken back. While a transaction runs, every change of a
 * task puts a new state before the old ones, and the task into a list of touched tasks.
 */
public class GraphTransaction {
    boolean running;
    Touched touched;

    /** A list of tasks. */
    static class Touched {
        TaskNode node;
        Touched next;

        Touched(TaskNode node, Touched next) {
            this.node = node;
            this.next = next;
        }
    }

    /** Begins a transaction. */
    public void start() {
        if (running) {
            throw new IllegalStateException();
        }
        running = true;
    }

    /** Ends the transaction and forgets the older states. */
    public void commit() {
        if (!running) {
            throw new IllegalStateException();
        }
        for (Touched t = touched; t != null; t = t.next) {
            t.node.state.backup = null;
        }
        touched = null;
        running = false;
    }

    /** Ends the transaction and gives every touched task the state that it had at the beginning. */
    public void rollback() {
        if (!running) {
            throw new IllegalStateException();
        }
        for (Touched t = touched; t != null; t = t.next) {
            NodeState state = t.node.state;
            while (state.backup != null) {
                state = state.backup;
            }
            t.node.state = state;
        }
        touched = null;
        running = false;
    }

    /** Saves the state of a task before a change. Without a transaction there is nothing to do. */
    public void touch(TaskNode node) {
        if (!running) {
            return;
        }
        NodeState old = node.state;
        node.state = new NodeState(old.level, old.incoming, old.outgoing, old);
        if (!isTouched(node)) {
            touched = new Touched(node, touched);
        }
    }

    /** Takes the last change of a task back; false if there is none. */
    public boolean undo(TaskNode node) {
        if (node.state.backup == null) {
            return false;
        }
        node.state = node.state.backup;
        return true;
    }

    /** Lets one task depend on another, which then comes at least one level later. */
    public void addDependency(TaskNode before, TaskNode after) {
        if (before == null || after == null) {
            throw new IllegalArgumentException();
        }
        if (before == after) {
            throw new IllegalArgumentException();
        }
        touch(before);
        touch(after);
        before.state.outgoing++;
        after.state.incoming++;
        if (after.state.level <= before.state.level) {
            after.state.level = before.state.level + 1;
        }
    }

    /** Whether a task was changed in this transaction. */
    public boolean isTouched(TaskNode node) {
        for (Touched t = touched; t != null; t = t.next) {
            if (t.node == node) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the touched tasks are all different and have states of their own, whose backups end,
     * and whether there are none without a transaction.
     */
    public boolean repOK() {
        if (!running && touched != null) {
            return false;
        }
        IdentityHashMap<Object, Boolean> seen = new IdentityHashMap<>();
        for (Touched t = touched; t != null; t = t.next) {
            if (t.node == null || t.node.state == null
                || seen.put(t, true) != null || seen.put(t.node, true) != null) {
                return false;
            }
            for (NodeState state = t.node.state; state != null; state = state.backup) {
                if (seen.put(state, true) != null) {
                    return false;
                }
            }
        }
        return true;
    }
}
