package heapwright.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Component;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.repository.RemoteRepository;

/** Runs `heapwright generate` on the classes of a module. */
abstract class HeapwrightMojo extends AbstractMojo {
    /** A question was left open by a limit. */
    static final int UNDECIDED = 3;

    /** Some test shows that something is wrong. */
    static final int FINDINGS = 4;

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    protected MavenProject project;

    @Parameter(defaultValue = "${repositorySystemSession}", readonly = true, required = true)
    private RepositorySystemSession session;

    @Parameter(defaultValue = "${project.remoteProjectRepositories}", readonly = true)
    private List<RemoteRepository> repositories;

    @Parameter(defaultValue = "${plugin.version}", readonly = true)
    private String version;

    @Component private RepositorySystem system;

    /** Classes, methods or packages. Without any, heapwright.toml of the module names them. */
    @Parameter(property = "heapwright.targets")
    private List<String> targets = List.of();

    /** Further options of `heapwright generate`, one per word. */
    @Parameter(property = "heapwright.arguments")
    private List<String> arguments = List.of();

    /** The program. Without it, the artifact heapwright:heapwright for this platform is used. */
    @Parameter(property = "heapwright.executable")
    private File executable;

    /** Does nothing. */
    @Parameter(property = "heapwright.skip", defaultValue = "false")
    private boolean skip;

    /** The options of the goal. */
    protected abstract List<String> options();

    /** What the exit code means for the build. */
    protected abstract void ended(int code) throws MojoExecutionException, MojoFailureException;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        File classes = new File(project.getBuild().getOutputDirectory());
        if (skip || !classes.isDirectory()) {
            getLog().info(skip ? "skipped" : "no classes, so there is nothing to test");
            return;
        }
        List<String> command = new ArrayList<>();
        command.add(program().getPath());
        command.add("generate");
        command.addAll(targets);
        File configuration = new File(project.getBasedir(), "heapwright.toml");
        if (configuration.isFile()) {
            command.addAll(List.of("--config", configuration.getPath()));
        } else if (targets.isEmpty()) {
            throw new MojoExecutionException(
                    "no targets: write <targets><target>pkg.Class</target></targets>, or a heapwright.toml");
        }
        command.addAll(List.of("-c", classPath()));
        command.addAll(options());
        command.addAll(arguments);
        ended(run(command));
    }

    private File program() throws MojoExecutionException {
        if (executable != null) {
            return executable;
        }
        try {
            return Binary.resolve(system, session, repositories, version);
        } catch (IOException error) {
            throw new MojoExecutionException("cannot unpack the program: " + error.getMessage(), error);
        }
    }

    private String classPath() throws MojoExecutionException {
        try {
            return String.join(File.pathSeparator, project.getCompileClasspathElements());
        } catch (DependencyResolutionRequiredException error) {
            throw new MojoExecutionException(error.getMessage(), error);
        }
    }

    private int run(List<String> command) throws MojoExecutionException {
        getLog().debug(String.join(" ", command));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(project.getBasedir()).redirectErrorStream(true);
        // The JDK of the build is the one whose classes the code uses.
        builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            try (BufferedReader output = process.inputReader()) {
                output.lines().forEach(getLog()::info);
            }
            return process.waitFor();
        } catch (IOException error) {
            throw new MojoExecutionException("cannot run heapwright: " + error.getMessage(), error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("interrupted", error);
        }
    }
}
