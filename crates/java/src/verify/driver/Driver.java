package heapwright.verify;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Compiles tests, instruments the classes that are measured, runs the tests and says what they
 * covered. What happens is written to a report, line by line, so that the report is of use also
 * when the virtual machine is stopped.
 *
 * <p>Arguments: the steps (prepare, run or both), the report, the folder for the compiled tests, the
 * folder with the class files to measure, the folder for the instrumented ones, the class that holds
 * the probes, the class path for the compiler, the test sources.
 */
public final class Driver {
    /** So many sources are compiled at once. */
    private static final int AT_ONCE = 4;

    private Driver() {}

    public static void main(String[] arguments) throws Exception {
        Report report = new Report(Path.of(arguments[1]));
        try {
            perform(arguments, report);
            report.line("end");
        } catch (Throwable problem) {
            report.line("problem", Tests.trace(problem));
        }
        // Threads that the tests left behind do not keep the machine alive.
        Runtime.getRuntime().halt(0);
    }

    private static void perform(String[] arguments, Report report) throws Exception {
        String steps = arguments[0];
        Path classes = Path.of(arguments[2]);
        Coverage coverage = new Coverage(Path.of(arguments[3]), arguments[5]);
        if (!steps.equals("run")) {
            List<String> sources = Arrays.asList(arguments).subList(7, arguments.length);
            if (!compile(report, classes, arguments[6], sources)) {
                return;
            }
            coverage.instrument(report, Path.of(arguments[4]));
        }
        if (steps.equals("prepare")) {
            coverage.guard(classes);
            return;
        }
        // What the tests print is nobody's business, and may be more than a disk holds.
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nowhere);
        System.setErr(nowhere);
        report.line("running");
        run(report, classes, coverage);
        coverage.report(report);
    }

    private static boolean compile(
            Report report, Path classes, String classPath, List<String> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = new ArrayList<>();
        options.addAll(List.of("-g", "-proc:none", "-Xlint:all", "-encoding", "UTF-8"));
        options.addAll(List.of("-d", classes.toString(), "-cp", classPath));
        StringWriter output = new StringWriter();
        boolean compiled = true;
        // Tests do not need each other, and the compiler keeps all that it is given in memory.
        for (int start = 0; start < sources.size(); start += AT_ONCE) {
            List<String> some = sources.subList(start, Math.min(start + AT_ONCE, sources.size()));
            try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
                var units = files.getJavaFileObjectsFromStrings(some);
                compiled &= compiler.getTask(output, files, null, options, null, units).call();
            }
        }
        report.line(compiled ? "compiled" : "rejected", output.toString());
        return compiled;
    }

    private static void run(Report report, Path classes, Coverage coverage) throws Exception {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClasspathRoots(Set.of(classes)))
                .build();
        LauncherFactory.create().execute(request, new Tests(report, coverage));
    }
}
