package scheduling;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** Runs jobs when they are due, the important ones first. */
public class Scheduler {
    private static final class Job implements Comparable<Job> {
        final String name;
        final long due;
        final int priority;
        final long number;
        final Runnable work;
        int attempts;

        Job(String name, long due, int priority, long number, Runnable work) {
            this.name = name;
            this.due = due;
            this.priority = priority;
            this.number = number;
            this.work = work;
        }

        @Override
        public int compareTo(Job other) {
            if (due != other.due) {
                return due < other.due ? -1 : 1;
            }
            if (priority != other.priority) {
                return priority > other.priority ? -1 : 1;
            }
            return Long.compare(number, other.number);
        }
    }

    private static final int MOST_ATTEMPTS = 3;

    private final Listener listener;
    private final PriorityQueue<Job> jobs = new PriorityQueue<>();
    private final Set<String> names = new HashSet<>();
    private long now;
    private long count;

    public Scheduler(Listener listener) {
        this.listener = listener;
    }

    public boolean schedule(String name, long delay, int priority, Runnable work) {
        if (work == null || delay < 0) {
            throw new IllegalArgumentException("nothing to do, or too late");
        }
        if (!names.add(name)) {
            return false;
        }
        jobs.add(new Job(name, now + delay, priority, count++, work));
        return true;
    }

    public boolean cancel(String name) {
        if (!names.remove(name)) {
            return false;
        }
        jobs.removeIf(job -> job.name.equals(name));
        return true;
    }

    /** Lets time go on, and runs what is due; returns the names of what was done. */
    public List<String> advance(long time) {
        now += time;
        List<String> done = new ArrayList<>();
        List<Job> later = new ArrayList<>();
        while (!jobs.isEmpty() && jobs.peek().due <= now) {
            Job job = jobs.poll();
            if (listener != null && !listener.mayRun(job.name, now)) {
                later.add(job);
                continue;
            }
            try {
                job.work.run();
                names.remove(job.name);
                done.add(job.name);
                if (listener != null) {
                    listener.finished(job.name);
                }
            } catch (RuntimeException reason) {
                job.attempts++;
                boolean again = listener != null && listener.failed(job.name, reason);
                if (again && job.attempts < MOST_ATTEMPTS) {
                    later.add(job);
                } else {
                    names.remove(job.name);
                }
            }
        }
        jobs.addAll(later);
        return done;
    }

    /** The name of the job that comes next; null if there is none. */
    public String next() {
        Job job = jobs.peek();
        return job == null ? null : job.name;
    }

    public int size() {
        return jobs.size();
    }

    public long now() {
        return now;
    }
}
