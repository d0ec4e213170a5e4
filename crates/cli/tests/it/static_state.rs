//! Static state: no test disturbs another, in whatever order they run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Run, heapwright, javac, root};

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    /// With the classes of a folder of sources.
    fn compiled(name: &str, sources: &Path) -> Folder {
        let process = std::process::id();
        let name = format!("heapwright-static-state-{name}-{process}");
        let folder = Folder(std::env::temp_dir().join(name));
        let files = java_files(sources);
        let classes = folder.path("classes");
        javac::compile(
            Path::new("javac"),
            &["-g", "-nowarn"],
            Path::new(&classes),
            &files,
        );
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn generate(&self, arguments: &[&str]) -> Run {
        let (classes, out) = (self.path("classes"), self.path("out"));
        let rest = [
            "-c",
            &classes,
            "--no-spec",
            "--any-heap",
            "-q",
            "--out",
            &out,
        ];
        heapwright(&[&["generate"], arguments, &rest].concat())
    }

    /// Runs the tests of a package in several orders; returns the lines about tests that fail, and
    /// how many passed.
    fn run_in_orders(&self, package: &str) -> (Vec<String>, usize) {
        let tests = Path::new(&self.path("out")).join(package);
        let junit = junit().display().to_string();
        let compiled = self.path("compiled");
        let class_path = format!("{}:{compiled}:{junit}", self.path("classes"));
        let orders = root().join("crates/cli/tests/data/static_state/Orders.java");
        let files = java_files(&tests);
        let names = (files.iter())
            .filter_map(|file| Some(format!("{package}.{}", file.file_stem()?.to_str()?)));
        let names: Vec<String> = names.collect();
        succeed(
            Command::new("javac")
                .args(["-nowarn", "-cp", &class_path, "-d", &compiled])
                .arg(orders)
                .args(files),
        );
        let text = succeed(
            Command::new("java")
                .args(["-ea", "-cp", &class_path, "Orders"])
                .args(names),
        );
        let (passed, failed): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.ends_with(" passes"));
        (
            failed.into_iter().map(str::to_owned).collect(),
            passed.len(),
        )
    }
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "java"))
        .collect();
    files.sort();
    files
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().expect("the JDK is installed");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {messages}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The jar with JUnit, where `make setup` puts it.
fn junit() -> PathBuf {
    let home = PathBuf::from(std::env::var_os("HOME").expect("HOME is set"));
    home.join(".cache/heapwright/jvm/junit-platform-console-standalone.jar")
}

#[test]
fn tests_that_touch_the_same_static_state_pass_in_every_order() {
    let sources = root().join("crates/cli/tests/data/feasible/statics");
    let folder = Folder::compiled("orders", &sources);
    let run = folder.generate(&["statics.Arrays", "statics.Library", "statics.Objects"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let (failed, passed) = folder.run_in_orders("statics");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(passed >= 4 * 30, "{passed}");
}

#[test]
fn what_no_test_can_restore_is_not_changed_by_tests() {
    let sources = root().join("crates/cli/tests/data/static_state/kept");
    let folder = Folder::compiled("kept", &sources);
    let run = folder.generate(&["kept.Marks#mark"]);
    let expected = "the call changes what is behind the static field kept.Marks.marks, and no test \
                    can restore it";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn sequences_do_not_disturb_each_other() {
    let sources = root().join("crates/cli/tests/data/static_state/sequences");
    let folder = Folder::compiled("sequences", &sources);
    let run = folder.generate(&["sequences.Counted", "--mode", "sequences"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let (failed, passed) = folder.run_in_orders("sequences");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(passed > 0);
}

#[test]
fn classes_that_cannot_be_initialised() {
    let sources = root().join("crates/cli/tests/data/static_state/broken");
    let folder = Folder::compiled("broken", &sources);
    let run = folder.generate(&[
        "broken.Broken",
        "broken.Careless",
        "broken.Failing",
        "--verify",
    ]);
    let stdout = &run.stdout;
    assert_eq!(run.code, 0, "{stdout}{}", run.stderr);
    assert!(stdout.contains("verified on Java"), "{stdout}");
    for line in [
        "broken.Broken: its static initialiser throws ArrayIndexOutOfBoundsException, so there are \
         no objects of it",
        "broken.Failing: its static initialiser throws AssertionError, so there are no objects of it",
    ] {
        assert!(stdout.contains(line), "{stdout}");
    }
    let (failed, passed) = folder.run_in_orders("broken");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(passed >= 4 * 4, "{passed}");
    let run = folder.generate(&["broken.Failing"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("broken.Failing"), "{}", run.stderr);
}
