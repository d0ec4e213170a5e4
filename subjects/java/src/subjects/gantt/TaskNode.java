package subjects.gantt;

/** A task of the dependency graph. Its states are kept apart, so that they can be taken back. */
public class TaskNode {
    NodeState state;

    /** A task on which nothing depends yet. */
    public TaskNode() {
        state = new NodeState(0, 0, 0, null);
    }

    /** The length of the longest chain of tasks before this one. */
    public int level() {
        return state.level;
    }

    /** The number of tasks on which this one depends. */
    public int incoming() {
        return state.incoming;
    }

    /** The number of tasks that depend on this one. */
    public int outgoing() {
        return state.outgoing;
    }

    /** Whether there is a state, and the chain of its backups ends. */
    public boolean repOK() {
        NodeState slow = state;
        NodeState fast = state;
        while (fast != null && fast.backup != null) {
            slow = slow.backup;
            fast = fast.backup.backup;
            if (slow == fast) {
                return false;
            }
        }
        return state != null;
    }
}
