package plan;

/** A list of tasks; each has an owner, and the first one knows how many there are. */
public class Task {
    Task next;
    Owner owner;
    int size;

    /** Who does it. */
    static class Owner {
        boolean idle;
    }

    /** Whether every task has an owner of its own, and the number is right. */
    public boolean repOk() {
        int count = 0;
        for (Task task = this; task != null; task = task.next) {
            count++;
            if (task.owner == null) {
                return false;
            }
            for (Task other = task.next; other != null; other = other.next) {
                if (other.owner == task.owner) {
                    return false;
                }
            }
        }
        return size == count;
    }

    /** The last one. */
    public Task last() {
        Task task = this;
        while (task.next != null) {
            task = task.next;
        }
        return task;
    }

    /** A class that accepts nothing. */
    static class Never {
        Never next;
        int secret;

        public boolean repOk() {
            return secret == 123_456;
        }

        public boolean single() {
            return next == null;
        }
    }
}
