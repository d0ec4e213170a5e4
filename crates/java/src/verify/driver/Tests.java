package heapwright.verify;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Reports how the tests begin and end, and which ways they went. */
final class Tests implements TestExecutionListener {
    private final Report report;
    private final boolean isJdk;
    private final Method begin;
    private final Method ways;
    private final Method values;

    Tests(Report report, Coverage coverage) throws ReflectiveOperationException {
        this.report = report;
        isJdk = coverage.isJdk();
        begin = coverage.probes().getMethod("begin", boolean.class);
        ways = coverage.probes().getMethod("ways");
        values = coverage.probes().getMethod("values");
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            line("started", test);
            try {
                begin.invoke(null, !isJdk);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** `3+`, `4-` and `5+-` are jumps that were taken, not taken, both; `6=1,7` is a switch. */
    private String went() {
        byte[] jumps;
        int[][] switches;
        try {
            jumps = ((byte[]) ways.invoke(null)).clone();
            switches = ((int[][]) values.invoke(null)).clone();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        StringBuilder text = new StringBuilder();
        for (int jump = 0; jump < jumps.length; jump++) {
            if (jumps[jump] != 0) {
                text.append(jump);
                text.append((jumps[jump] & 2) != 0 ? "+" : "").append((jumps[jump] & 1) != 0 ? "-" : "");
                text.append(' ');
            }
        }
        for (int jump = 0; jump < switches.length; jump++) {
            int[] known = switches[jump];
            if (known == null) {
                continue;
            }
            text.append(jump).append('=');
            boolean isMany = known[0] > Probes.MOST_VALUES;
            text.append(isMany ? "*" : "");
            for (int i = 1; !isMany && i <= known[0]; i++) {
                text.append(i > 1 ? "," : "").append(known[i]);
            }
            text.append(' ');
        }
        return text.toString();
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            line("went", test, went());
        }
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
