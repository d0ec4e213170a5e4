//! The example for Maven: its tests are what `heapwright generate` writes, and Maven runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heapwright_java::classpath::JdkSearch;

/// The project.
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/maven");

/// Where the tests are.
const TESTS: &str = "src/test/java/example/PlaylistTest.java";

/// A copy of the project that is removed at the end.
struct Project(PathBuf);

impl Project {
    fn copy() -> Project {
        let folder = format!("heapwright-maven-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        copy(Path::new(EXAMPLE), &folder);
        Project(folder)
    }

    fn run(&self, program: impl AsRef<Path>, words: &[&str]) -> Output {
        let program = program.as_ref();
        let output = Command::new(program)
            .args(words)
            .current_dir(&self.0)
            .output();
        output.unwrap_or_else(|error| panic!("{}: {error}", program.display()))
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Copies a folder, without what builds leave in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_file() {
            fs::copy(&from, &to).expect("a copy");
        } else if entry.file_name() != "target" {
            copy(&from, &to);
        }
    }
}

fn check(output: &Output) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stdout}{stderr}");
    stdout
}

#[test]
fn maven_runs_the_tests_that_are_generated() {
    let project = Project::copy();
    let jdk = JdkSearch::from_environment(None).open();
    let javac = jdk.expect("this test needs a JDK").home().join("bin/javac");
    let sources = "src/main/java/example/Playlist.java";
    let compiled = project.run(
        javac,
        &["-g", "--release", "17", "-d", "target/classes", sources],
    );
    check(&compiled);
    let checked_in = fs::read_to_string(project.0.join(TESTS)).expect("the tests");
    fs::remove_file(project.0.join(TESTS)).expect("the tests are there");
    let binary = env!("CARGO_BIN_EXE_heapwright");
    let said = check(&project.run(binary, &["generate"]));
    assert!(said.contains(&format!("wrote {TESTS}")), "{said}");
    let generated = fs::read_to_string(project.0.join(TESTS)).expect("the tests");
    assert_eq!(generated, checked_in, "examples/maven has other tests");
    let said = check(&project.run(binary, &["generate"]));
    assert!(said.contains(&format!("unchanged: {TESTS}")), "{said}");
    // What Maven needs is fetched the first time only.
    let offline = project.run("mvn", &["--quiet", "--batch-mode", "--offline", "test"]);
    if !offline.status.success() {
        check(&project.run("mvn", &["--quiet", "--batch-mode", "test"]));
    }
    let report = "target/surefire-reports/TEST-example.PlaylistTest.xml";
    let report = fs::read_to_string(project.0.join(report)).expect("Maven's report");
    let tests = generated.matches("@Test").count();
    assert!(tests > 3, "{generated}");
    assert!(report.contains(&format!("tests=\"{tests}\"")), "{report}");
    for bad in ["errors=\"0\"", "failures=\"0\"", "skipped=\"0\""] {
        assert!(report.contains(bad), "{report}");
    }
}
