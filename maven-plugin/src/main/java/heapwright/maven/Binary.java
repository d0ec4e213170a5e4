package heapwright.maven;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.maven.plugin.MojoExecutionException;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;

/**
 * The program as an artifact: the archive of `make dist`, one for each platform. It is unpacked once
 * into the user's cache.
 */
final class Binary {
    private static final int BLOCK = 512;

    private Binary() {}

    static File resolve(
            RepositorySystem system,
            RepositorySystemSession session,
            List<RemoteRepository> repositories,
            String version)
            throws MojoExecutionException, IOException {
        DefaultArtifact artifact =
                new DefaultArtifact("heapwright", "heapwright", platform(), "tar.gz", version);
        ArtifactRequest request = new ArtifactRequest(artifact, repositories, null);
        File archive;
        try {
            archive = system.resolveArtifact(session, request).getArtifact().getFile();
        } catch (ArtifactResolutionException error) {
            throw new MojoExecutionException(
                    artifact + " was not found; install the archive under that name, or name the"
                            + " program with -Dheapwright.executable=PATH",
                    error);
        }
        return unpacked(archive.toPath(), version).resolve("bin/heapwright").toFile();
    }

    /** The platform as archives are called: linux-x86_64. */
    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(" ", "");
        String processor = System.getProperty("os.arch");
        return system + "-" + (processor.equals("amd64") ? "x86_64" : processor);
    }

    /** The folder of an archive; archives of another time or size have other folders. */
    private static Path unpacked(Path archive, String version) throws IOException {
        String home = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path cache = home.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(home);
        String stamp = Files.size(archive) + "-" + Files.getLastModifiedTime(archive).toMillis();
        Path folder = cache.resolve("heapwright").resolve("maven").resolve(version + "-" + stamp);
        if (Files.isDirectory(folder)) {
            return folder;
        }
        Files.createDirectories(folder.getParent());
        Path fresh = Files.createTempDirectory(folder.getParent(), "unpacked");
        try {
            unpack(archive, fresh);
            Files.move(fresh, folder);
        } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException another) {
            // Another build was faster.
            remove(fresh);
        } catch (IOException error) {
            remove(fresh);
            throw error;
        }
        return folder;
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    /** Unpacks the files of an archive, without the folder that all of them are in. */
    private static void unpack(Path archive, Path folder) throws IOException {
        try (InputStream input =
                new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)))) {
            while (true) {
                byte[] header = input.readNBytes(BLOCK);
                if (header.length < BLOCK || header[0] == 0) {
                    return;
                }
                String name = text(header, 0, 100);
                long size = Long.parseLong(text(header, 124, 12).trim(), 8);
                Path file = folder.resolve(name.substring(name.indexOf('/') + 1)).normalize();
                if (!file.startsWith(folder)) {
                    throw new IOException(name + " leads out of the archive");
                }
                if (header[156] == '5') {
                    Files.createDirectories(file);
                    continue;
                }
                Files.createDirectories(file.getParent());
                byte[] contents = input.readNBytes(Math.toIntExact(size));
                long padding = (BLOCK - size % BLOCK) % BLOCK;
                if (contents.length < size || input.readNBytes((int) padding).length < padding) {
                    throw new EOFException(archive + " is cut off");
                }
                if (header[156] == '0' || header[156] == 0) {
                    Files.write(file, contents);
                    boolean runs = (Integer.parseInt(text(header, 100, 8).trim(), 8) & 0100) != 0;
                    file.toFile().setExecutable(runs);
                }
            }
        }
    }

    private static String text(byte[] header, int at, int length) {
        int end = at;
        while (end < at + length && header[end] != 0) {
            end++;
        }
        return new String(header, at, end - at, StandardCharsets.UTF_8);
    }
}
