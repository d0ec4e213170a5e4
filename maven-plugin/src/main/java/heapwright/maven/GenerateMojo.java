package heapwright.maven;

import java.io.File;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Generates tests, which the build then compiles and runs. */
@Mojo(
        name = "generate",
        defaultPhase = LifecyclePhase.GENERATE_TEST_SOURCES,
        requiresDependencyResolution = ResolutionScope.COMPILE,
        threadSafe = true)
public class GenerateMojo extends HeapwrightMojo {
    /** The folder for the tests, which becomes a folder of test sources. */
    @Parameter(
            property = "heapwright.out",
            defaultValue = "${project.build.directory}/generated-test-sources/heapwright")
    private File outputDirectory;

    @Override
    protected List<String> options() {
        return List.of("-q", "--out", outputDirectory.getPath());
    }

    @Override
    protected void ended(int code) throws MojoExecutionException {
        // A limit or a finding is told, and the tests are there all the same.
        if (code == FINDINGS) {
            getLog().warn("Heapwright found failures; heapwright:check makes them fail the build");
        } else if (code != 0 && code != UNDECIDED) {
            throw new MojoExecutionException("heapwright ended with exit code " + code);
        }
        project.addTestCompileSourceRoot(outputDirectory.getPath());
    }
}
