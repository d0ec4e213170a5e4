package heapwright.maven;

import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Fails the build if tests can be found that show something to be wrong. Writes nothing. */
@Mojo(
        name = "check",
        defaultPhase = LifecyclePhase.VERIFY,
        requiresDependencyResolution = ResolutionScope.COMPILE,
        threadSafe = true)
public class CheckMojo extends HeapwrightMojo {
    @Override
    protected List<String> options() {
        return List.of("-q", "--findings");
    }

    @Override
    protected void ended(int code) throws MojoExecutionException, MojoFailureException {
        if (code == FINDINGS) {
            throw new MojoFailureException("Heapwright found failures; they are listed above");
        }
        if (code != 0 && code != UNDECIDED) {
            throw new MojoExecutionException("heapwright ended with exit code " + code);
        }
    }
}
