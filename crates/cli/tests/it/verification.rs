//! `--verify`, and what tests of findings say: before and after the bug is mended.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Run, heapwright, javac};

/// A few classes, compiled, and a folder for tests of them; removed at the end.
struct Project(PathBuf);

impl Project {
    fn new(name: &str, sources: &[(&str, &str)]) -> Project {
        let name = format!("heapwright-verification-{name}-{}", std::process::id());
        let project = Project(std::env::temp_dir().join(name));
        let _ = std::fs::remove_dir_all(&project.0);
        project.compile(sources);
        project
    }

    fn compile(&self, sources: &[(&str, &str)]) {
        let folder = self.0.join("src");
        std::fs::create_dir_all(&folder).expect("a folder");
        let files = sources.iter().map(|(name, text)| {
            let file = folder.join(format!("{name}.java"));
            std::fs::write(&file, text).expect("a source");
            file
        });
        let files: Vec<PathBuf> = files.collect();
        javac::compile(Path::new(&tool("javac")), &["-g"], &self.classes(), &files);
    }

    fn classes(&self) -> PathBuf {
        self.0.join("classes")
    }

    fn out(&self) -> PathBuf {
        self.0.join("out")
    }

    fn generate(&self, target: &str, more: &[&str]) -> Run {
        let classes = self.classes().display().to_string();
        let out = self.out().display().to_string();
        let mut arguments = vec!["generate", target, "-c", &classes, "--out", &out];
        arguments.push("--any-heap");
        arguments.extend(more);
        heapwright(&arguments)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.out().join(name)).expect("a test class")
    }

    /// Compiles a test class of the output and runs it: what JUnit says.
    fn run(&self, test: &str) -> String {
        let junit = junit();
        let classes = self.0.join("tests");
        let path = std::env::join_paths([&self.classes(), &junit]).expect("a class path");
        let compiled = Command::new(tool("javac"))
            .arg("-d")
            .arg(&classes)
            .arg("-cp")
            .arg(&path)
            .arg(self.out().join(format!("{test}.java")))
            .status();
        assert!(compiled.expect("javac starts").success());
        let path = std::env::join_paths([&classes, &self.classes()]).expect("a class path");
        let run = Command::new(tool("java"))
            .args(["-ea", "-jar"])
            .arg(&junit)
            .args(["execute", "--disable-banner", "--select-class", test, "-cp"])
            .arg(path)
            .output()
            .expect("java starts");
        String::from_utf8_lossy(&run.stdout).into_owned()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn tool(name: &str) -> PathBuf {
    match std::env::var_os("JAVA_HOME") {
        Some(home) => PathBuf::from(home).join("bin").join(name),
        None => PathBuf::from(name),
    }
}

fn junit() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::var_os("HOME").expect("a home");
    let cache = cache.unwrap_or_else(|| Path::new(&home).join(".cache"));
    cache.join("heapwright/jvm/junit-platform-console-standalone.jar")
}

/// Names that the engine and the tests use themselves.
const NAMES: &str = "
class Names {
    int value;
    Names next;
    static void link(Names result, Names exception) {
        if (result != null && exception != null) { result.next = exception; }
    }
    static int sum(int result, int expected, int thrown, int i) {
        if (result > expected) { return thrown; }
        return i;
    }
    static Names last(Names old, Names assertEquals) {
        if (old == null) { throw new IllegalArgumentException(); }
        return old.next == null ? old : assertEquals;
    }
    Names copy(Names names, Names value, int[] array) {
        Names object = new Names();
        if (value != null) { object.value = array.length; }
        object.next = names;
        return object;
    }
}
";

#[test]
fn parameters_may_have_any_name() {
    let project = Project::new("names", &[("Names", NAMES)]);
    for junit in ["4", "5"] {
        let run = project.generate("Names", &["--verify", "--junit", junit]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        assert!(!run.stdout.contains("not written"), "{}", run.stdout);
        let test = project.read("NamesTest.java");
        for method in ["link", "sum", "last", "copy"] {
            assert!(test.contains(&format!(" {method}_")), "{method}:\n{test}");
        }
    }
}

/// A box that a call may empty: of the receiver, and of another one.
const BOX: &str = "
class Box {
    int count;
    Box other;
    boolean repOk() { return count >= 0 && count < 10; }
    void take(int n) {
        if (n > 100) { count = -1; }
        if (n < -100) { count = -2; }
    }
    void give(Box to, int n) {
        if (to != null && n == 7) { to.count = -3; }
    }
    static void swap(int n, Box a, Box b) {
        if (n == 3 && a != null && b != null) { b.count = 10; }
    }
    int half(int n) {
        if (n == 4) { return 3; }
        return n / 2;
    }
    void check(int n) {
        assert n != 42;
    }
    void reset(int n) {
        if (n == 1) { count = -1; throw new IllegalStateException(); }
    }
}
";

/// The same without its bugs.
const MENDED: &str = "
class Box {
    int count;
    Box other;
    boolean repOk() { return count >= 0 && count < 10; }
    void take(int n) {
        if (n > 100) { count = 1; }
        if (n < -100) { count = 2; }
    }
    void give(Box to, int n) {
        if (to != null && n == 7) { to.count = 3; }
    }
    static void swap(int n, Box a, Box b) {
        if (n == 3 && a != null && b != null) { b.count = 9; }
    }
    int half(int n) {
        return n / 2;
    }
    void check(int n) {
    }
    void reset(int n) {
        if (n == 1) { count = 1; }
    }
}
";

const CONTRACTS: &str = "post Box#half(n) := n = 4 & result = 2 | n != 4;\n";

#[test]
fn tests_of_findings_pass_when_the_bug_is_mended() {
    let project = Project::new("mended", &[("Box", BOX)]);
    let contracts = project.0.join("Box.sl");
    std::fs::write(&contracts, CONTRACTS).expect("a file");
    let contracts = contracts.display().to_string();
    let run = project.generate("Box", &["--verify", "--spec", &contracts, "--findings"]);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    let findings = project.read("BoxFindingsTest.java");
    let count = findings.matches("@Test").count();
    for method in ["take", "give", "swap", "half", "check", "reset"] {
        assert!(
            findings.contains(&format!("void {method}_")),
            "{method}:\n{findings}"
        );
    }
    // Two bugs of one method break the same line of the predicate.
    assert_eq!(findings.matches("void take_").count(), 2, "{findings}");
    assert!(run.stdout.contains("\n7 findings\n"), "{}", run.stdout);
    let all = format!("findings: {count} of {count} tests failed as predicted");
    assert!(run.stdout.contains(&all), "{}", run.stdout);
    let report = project.run("BoxFindingsTest");
    assert!(
        report.contains(&format!("[{count:>10} tests failed")),
        "{report}"
    );
    project.compile(&[("Box", MENDED)]);
    let report = project.run("BoxFindingsTest");
    assert!(
        report.contains(&format!("[{count:>10} tests successful")),
        "{report}"
    );
}

/// JaCoCo counts the copies of a `finally` block once.
const FINALLY: &str = "
class Final {
    static int used;
    static int read(int[] a, int i) {
        int seen = 0;
        try {
            if (i < 0) { return -1; }
            seen = a[i];
        } finally {
            if (a != null && a.length > 1) { seen++; }
        }
        return seen;
    }
    static int nested(int n) {
        int steps = 0;
        for (int i = 0; i < n; i++) {
            try {
                if (i == 2) { break; }
                if (i == 1) { continue; }
                steps++;
            } finally {
                if (n > 5) { steps += 10; }
            }
        }
        return steps;
    }
}
";

#[test]
fn copies_of_finally_blocks_count_once() {
    let project = Project::new("finally", &[("Final", FINALLY)]);
    let run = project.generate("Final", &["--verify"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(!run.stdout.contains("they differ"), "{}", run.stdout);
}

/// A class whose initialiser runs in one test only, and tests that assert nothing but their path.
const QUIET: &str = "
class Quiet {
    static final int[] TABLE = table(3);
    static int[] table(int n) {
        int[] table = new int[n];
        for (int i = 0; i < n; i++) { if (i != 1) { table[i] = i; } }
        return table;
    }
    static void look(int n) {
        switch (n) {
            case 1: case 5: break;
            case 1000: if (TABLE == null) { throw new IllegalStateException(); } break;
            default: if (n > 7) { break; }
        }
    }
    static void text(String s) {
        switch (s) { case \"a\": break; case \"b\": break; default: }
    }
}
";

#[test]
fn paths_of_tests_are_compared() {
    let project = Project::new("quiet", &[("Quiet", QUIET)]);
    let run = project.generate("Quiet", &["--verify", "--keep", "paths"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(!run.stdout.contains("not verified"), "{}", run.stdout);
}
