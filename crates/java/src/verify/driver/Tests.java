package heapwright.verify;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Reports how the tests begin and end. */
final class Tests implements TestExecutionListener {
    private final Report report;

    Tests(Report report) {
        this.report = report;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            line("started", test);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable thrown = result.getThrowable().orElse(null);
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    line("passed", test);
                }
            }
            // Also for classes, whose initialiser or set-up may fail before any test.
            case ABORTED -> line("aborted", test, thrown == null ? "" : describe(thrown));
            case FAILED -> {
                String message = thrown == null ? "" : describe(thrown);
                line("failed", test, message, thrown == null ? "" : trace(thrown));
            }
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        line("aborted", test, reason);
    }

    private void line(String kind, TestIdentifier test, String... more) {
        String owner = test.getDisplayName();
        String method = "";
        TestSource source = test.getSource().orElse(null);
        if (source instanceof MethodSource) {
            owner = ((MethodSource) source).getClassName();
            method = ((MethodSource) source).getMethodName();
        } else if (source instanceof ClassSource) {
            owner = ((ClassSource) source).getClassName();
        }
        Object[] fields = new Object[3 + more.length];
        fields[0] = kind;
        fields[1] = owner;
        fields[2] = method;
        System.arraycopy(more, 0, fields, 3, more.length);
        report.line(fields);
    }

    /** Exceptions of the code under test may throw when they are asked for their message. */
    private static String describe(Throwable thrown) {
        try {
            return String.valueOf(thrown);
        } catch (Throwable e) {
            return thrown.getClass().getName();
        }
    }

    static String trace(Throwable thrown) {
        try {
            StringWriter text = new StringWriter();
            thrown.printStackTrace(new PrintWriter(text, true));
            return text.toString();
        } catch (Throwable e) {
            return "";
        }
    }
}
