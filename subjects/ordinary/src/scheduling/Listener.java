package scheduling;

/** Is told what becomes of jobs. */
public interface Listener {
    /** Whether a job may run now. */
    boolean mayRun(String name, long now);

    void finished(String name);

    /** Whether a job that failed is to be tried again. */
    boolean failed(String name, RuntimeException reason);
}
