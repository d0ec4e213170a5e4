//! Tests in a sandbox: what code could do on the machine of its user, it cannot do there.

#![cfg(target_os = "linux")]

mod common;

use common::Folder;
use heapwright_java::verify::{Job, RunEnd, TestOutcome, Toolchain, Verification, verify};
use heapwright_sandbox::{Confinement, Sandbox};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Each test fails if it can do what its name says.
const ATTEMPTS: &str = r#"package attempts;
import static org.junit.jupiter.api.Assertions.*;
import java.nio.file.*;
class AttemptsTest {
    @org.junit.jupiter.api.Test void writes() {
        assertThrows(java.io.IOException.class,
            () -> Files.writeString(Path.of("OUTSIDE/written"), "x"));
    }
    @org.junit.jupiter.api.Test void connects() {
        assertThrows(java.io.IOException.class,
            () -> new java.net.Socket("127.0.0.1", PORT).close());
    }
    @org.junit.jupiter.api.Test void looksHome() throws Exception {
        // The tools may be in the cache, of which nothing else is there.
        try (var files = Files.list(Path.of("HOMEFOLDER"))) {
            assertEquals(0, files.filter(file -> !file.endsWith(".cache")).count());
        }
    }
    @org.junit.jupiter.api.Test void knowsTheEnvironment() {
        assertNull(System.getenv("CARGO_MANIFEST_DIR"));
    }
    @org.junit.jupiter.api.Test void seesProcesses() {
        assertTrue(ProcessHandle.allProcesses().count() < 5);
    }
}
"#;

/// What tests may do in the sandbox as well.
const USUAL: &str = r#"package attempts;
import static org.junit.jupiter.api.Assertions.*;
import java.nio.file.*;
class UsualTest {
    @org.junit.jupiter.api.Test void usesTemporaryFiles() throws Exception {
        Path file = Files.createTempFile("a", "b");
        Files.writeString(file, "x");
        assertEquals("x", Files.readString(file));
        Files.writeString(Path.of("here"), "x");
        Path home = Path.of(System.getProperty("user.home"), "x");
        Files.writeString(home, "x");
        Files.delete(home);
    }
}
"#;

fn run(toolchain: &Toolchain, folder: &Folder, tests: &[(&str, &str)]) -> Verification {
    let write = |(name, text): &(&str, &str)| folder.write(name, text);
    let sources: Vec<PathBuf> = tests.iter().map(write).collect();
    let job = Job {
        sources: &sources,
        class_path: &[],
        opens: &[],
        patches: &[],
        measured: &[],
        work: &folder.path().join("work"),
        timeout: Duration::from_secs(120),
    };
    let verification = verify(toolchain, &job).unwrap();
    assert!(verification.compiled, "{}", verification.compiler_output);
    assert_eq!(verification.end, RunEnd::Complete);
    verification
}

fn passed(verification: &Verification) -> Vec<&str> {
    let tests = verification.tests.iter();
    let passed = tests.filter(|test| test.outcome == TestOutcome::Passed);
    let mut names: Vec<&str> = passed.filter_map(|test| test.method.as_deref()).collect();
    names.sort_unstable();
    names
}

#[test]
fn code_does_no_harm_in_the_sandbox() {
    let sandbox = match Sandbox::find() {
        Ok(sandbox) => sandbox,
        Err(error) => {
            eprintln!("skipped, there is no sandbox here: {error}");
            return;
        }
    };
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let home = std::env::var("HOME").unwrap_or_default();
    for jdk in common::all_jdks() {
        let folder = Folder::new();
        folder.write("outside/file", "text");
        let outside = folder.path().join("outside");
        let attempts = ATTEMPTS
            .replace("OUTSIDE", &outside.display().to_string())
            .replace("PORT", &port.to_string())
            .replace("HOMEFOLDER", &home);
        let tests = [
            ("tests/attempts/AttemptsTest.java", attempts.as_str()),
            ("tests/attempts/UsualTest.java", USUAL),
        ];
        let free = Toolchain::find(jdk.home(), None).unwrap();
        let confined = free.clone().confined(Confinement {
            sandbox: Some(sandbox.clone()),
            memory: Some(256),
        });
        let verification = run(&confined, &folder, &tests);
        let expected = [
            "connects",
            "knowsTheEnvironment",
            "looksHome",
            "seesProcesses",
            "usesTemporaryFiles",
            "writes",
        ];
        assert_eq!(passed(&verification), expected, "{:?}", verification.tests);
        assert!(!outside.join("written").exists());
        // Without the sandbox the same code does what it likes.
        let tests = [tests[0]];
        let verification = run(&free, &folder, &tests);
        let harmless = passed(&verification);
        for attempt in ["connects", "knowsTheEnvironment", "writes"] {
            assert!(!harmless.contains(&attempt), "{harmless:?}");
        }
        assert!(Path::new(&outside.join("written")).exists());
    }
}
