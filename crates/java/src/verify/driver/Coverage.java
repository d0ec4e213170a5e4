package heapwright.verify;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jacoco.cli.internal.asm.ClassReader;
import org.jacoco.cli.internal.asm.Opcodes;
import org.jacoco.cli.internal.core.analysis.Analyzer;
import org.jacoco.cli.internal.core.analysis.CoverageBuilder;
import org.jacoco.cli.internal.core.analysis.IClassCoverage;
import org.jacoco.cli.internal.core.analysis.ICounter;
import org.jacoco.cli.internal.core.analysis.ILine;
import org.jacoco.cli.internal.core.analysis.IMethodCoverage;
import org.jacoco.cli.internal.core.data.ExecutionData;
import org.jacoco.cli.internal.core.data.ExecutionDataStore;
import org.jacoco.cli.internal.core.instr.Instrumenter;
import org.jacoco.cli.internal.core.internal.data.CRC64;
import org.jacoco.cli.internal.core.runtime.IExecutionDataAccessorGenerator;

/**
 * The classes that are measured: files 0.class, 1.class and so on in one folder. JaCoCo adds the
 * probes and explains what they mean; where the probes are kept is ours.
 */
final class Coverage {
    /**
     * For class files from version 55 on, JaCoCo finds the probes by means that are not there yet
     * while the virtual machine starts. It is shown the version before, which has the same meaning.
     */
    private static final int LAST_SIMPLE_VERSION = 54;

    private static final int VERSION_OFFSET = 6;

    private final Path folder;
    private final String probes;

    Coverage(Path folder, String probes) {
        this.folder = folder;
        this.probes = probes;
    }

    /** Writes the instrumented classes, with a folder per module, and reports the modules. */
    void instrument(Report report, Path target) throws IOException {
        Map<String, String> modules = new HashMap<>();
        for (Module module : ModuleLayer.boot().modules()) {
            module.getPackages().forEach(name -> modules.put(name, module.getName()));
        }
        int jumps = 0;
        for (int index = 0; Files.exists(file(index)); index++) {
            byte[] original = Files.readAllBytes(file(index));
            byte[] simple = simplified(original);
            String name = new ClassReader(simple).getClassName();
            String packageName = name.substring(0, Math.max(0, name.lastIndexOf('/')));
            String module = modules.getOrDefault(packageName.replace('/', '.'), "unnamed");
            Path root = target.resolve(module);
            Path path = root.resolve(name + ".class").normalize();
            if (!path.startsWith(root)) {
                throw new IOException("a class cannot be named " + name);
            }
            byte[] instrumented = new Instrumenter(accessor(index)).instrument(simple, name);
            try {
                Ways ways = new Ways(simple, instrumented, probes, jumps);
                instrumented = ways.classFile;
                jumps = ways.next();
                for (Object[] method : ways.methods) {
                    report.line("jumps", name.replace('/', '.'), method[0], method[1], method[2], method[3]);
                }
            } catch (RuntimeException tooLarge) {
                // There is no room left in some method: nothing is said about the ways of this class.
                report.line("mute", name.replace('/', '.'));
            }
            System.arraycopy(original, VERSION_OFFSET, instrumented, VERSION_OFFSET, 2);
            Files.createDirectories(path.getParent());
            Files.write(path, instrumented);
            report.line("instrumented", module);
        }
    }

    /** Lets only what methods of the tests execute count. */
    void guard(Path classes) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(classes)) {
            files = all.filter(path -> path.toString().endsWith(".class")).collect(Collectors.toList());
        }
        for (Path file : files) {
            Files.write(file, Guard.add(Files.readAllBytes(file), probes));
        }
    }

    /** Whether only what methods of the tests execute counts. */
    boolean isJdk() {
        return probes.startsWith("java.");
    }

    /** The class that holds the probes. */
    Class<?> probes() throws ReflectiveOperationException {
        return Class.forName(probes);
    }

    /** Reports the coverage of all methods. */
    void report(Report report) throws IOException, ReflectiveOperationException {
        Method read = probes().getMethod(isJdk() ? "counted" : "executed", int.class);
        ExecutionDataStore data = new ExecutionDataStore();
        CoverageBuilder result = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(data, result);
        for (int index = 0; Files.exists(file(index)); index++) {
            byte[] simple = simplified(Files.readAllBytes(file(index)));
            String name = new ClassReader(simple).getClassName();
            boolean[] executed = (boolean[]) read.invoke(null, index);
            if (executed != null) {
                data.put(new ExecutionData(CRC64.classId(simple), name, executed.clone()));
            }
            analyzer.analyzeClass(simple, name);
        }
        for (IClassCoverage measured : result.getClasses()) {
            String name = measured.getName().replace('/', '.');
            for (IMethodCoverage method : measured.getMethods()) {
                method(report, name, method);
            }
        }
    }

    private static void method(Report report, String owner, IMethodCoverage method) {
        ICounter instructions = method.getInstructionCounter();
        ICounter branches = method.getBranchCounter();
        report.line(
                "method",
                owner,
                method.getName(),
                method.getDesc(),
                instructions.getCoveredCount(),
                instructions.getMissedCount(),
                branches.getCoveredCount(),
                branches.getMissedCount());
        if (method.getFirstLine() < 0) {
            return;
        }
        for (int number = method.getFirstLine(); number <= method.getLastLine(); number++) {
            line(report, number, method.getLine(number));
        }
    }

    private static void line(Report report, int number, ILine line) {
        ICounter instructions = line.getInstructionCounter();
        ICounter branches = line.getBranchCounter();
        if (instructions.getTotalCount() > 0) {
            report.line(
                    "line",
                    number,
                    instructions.getCoveredCount(),
                    instructions.getMissedCount(),
                    branches.getCoveredCount(),
                    branches.getMissedCount());
        }
    }

    private Path file(int index) {
        return folder.resolve(index + ".class");
    }

    private static byte[] simplified(byte[] classFile) {
        byte[] copy = classFile.clone();
        int version = (copy[VERSION_OFFSET] & 0xff) << 8 | copy[VERSION_OFFSET + 1] & 0xff;
        if (version > LAST_SIMPLE_VERSION) {
            copy[VERSION_OFFSET] = 0;
            copy[VERSION_OFFSET + 1] = LAST_SIMPLE_VERSION;
        }
        return copy;
    }

    /** Says how a class finds its probes. */
    private IExecutionDataAccessorGenerator accessor(int index) {
        String holder = probes.replace('.', '/');
        return (id, name, count, code) -> {
            code.visitLdcInsn(index);
            code.visitLdcInsn(count);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, holder, "of", "(II)[Z", false);
            return 2;
        };
    }
}
