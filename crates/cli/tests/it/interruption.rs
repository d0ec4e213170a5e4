//! A search that is interrupted writes what it has found, and a search that is killed leaves only
//! whole files.

#![cfg(unix)]

use crate::common::javac;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use heapwright_java::classpath::JdkSearch;

/// Nothing here takes as long, on any machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Two quick methods, and one whose paths never end.
const ENDLESS: &str = "package endless;
public class Endless {
    static int first(int x) { return x > 3 ? 1 : 2; }
    static int second(int x) { return x > 5 ? 1 : 2; }
    static int third(long x, long y) {
        int steps = 0;
        while (x != y) { x = (x % 2 == 0) ? x + 3 : x - 1; y = y + 1; steps++; }
        return steps > 1_000_000 && x * x == y + 7 ? 1 : 2;
    }
}
";

/// Some methods that take a moment each.
const QUICK: &str = "package endless;
public class Quick {
    static class Node { int value; Node next; }
    static int length(Node n) { int i = 0; while (n != null) { n = n.next; i++; } return i; }
    static boolean has(Node n, int x) {
        while (n != null) { if (n.value == x) return true; n = n.next; }
        return false;
    }
    static int sign(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
    static Node reverse(Node n) {
        Node r = null;
        while (n != null) { Node next = n.next; n.next = r; r = n; n = next; }
        return r;
    }
    static int third(Node n) { return n.next.next.value / n.value; }
    static Node push(Node n, int x) { Node m = new Node(); m.value = x; m.next = n; return m; }
}
";

struct Project(PathBuf);

/// A search, which does not outlive its test.
struct Search(Child);

impl Drop for Search {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Project {
    fn new(name: &str) -> Project {
        let folder = format!("heapwright-interrupted-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        fs::create_dir_all(&folder).expect("a temporary folder");
        let source = folder.join("Endless.java");
        fs::write(&source, ENDLESS).expect("a source");
        Project::compile(folder, &source)
    }

    fn compile(folder: PathBuf, source: &Path) -> Project {
        let jdk = JdkSearch::from_environment(None).open();
        let jdk = jdk.expect("this test needs a JDK");
        let compiler = jdk.home().join("bin/javac");
        let options = ["-g", "--release", "17"];
        javac::compile(&compiler, &options, &folder.join("classes"), &[source]);
        Project(folder)
    }

    /// A search without bounds.
    fn search(&self) -> Search {
        let limits = "--max-paths 1000000000 --patience 1000000000 --max-solver-calls 1000000000 \
                      --time 0 --all-paths --keep all";
        let child = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .args(["generate", "endless.Endless", "-c"])
            .arg(self.0.join("classes"))
            .arg("--out")
            .arg(self.0.join("out"))
            .arg("--json")
            .arg(self.0.join("report.json"))
            .args(limits.split_whitespace())
            .stdin(Stdio::null())
            .stdout(File::create(self.0.join("stdout")).expect("a file"))
            .stderr(File::create(self.0.join("stderr")).expect("a file"))
            .spawn();
        Search(child.expect("the binary starts"))
    }

    fn tests(&self) -> PathBuf {
        self.0.join("out/endless/EndlessTest.java")
    }

    /// Waits until the tests of two methods are written.
    fn wait_for_two_methods(&self, search: &mut Search) {
        let begin = Instant::now();
        let is_there = |name: &str| {
            let text = fs::read_to_string(self.tests()).unwrap_or_default();
            text.contains(name)
        };
        while !(is_there("first") && is_there("second")) {
            let ended = search.0.try_wait().expect("the state of the process");
            assert!(ended.is_none(), "stopped by itself: {ended:?}");
            assert!(begin.elapsed() < PATIENCE, "no tests were written");
            sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn signal(search: &Search, name: &str) {
    let pid = search.0.id().to_string();
    let status = Command::new("kill").args(["-s", name, &pid]).status();
    assert!(status.expect("kill starts").success());
}

fn is_whole(file: &Path) -> bool {
    let text = fs::read_to_string(file).expect("the tests");
    text.starts_with("// Generated") && text.trim_end().ends_with('}')
}

#[test]
fn an_interrupted_search_writes_what_it_has_found() {
    let project = Project::new("signal");
    let mut search = project.search();
    project.wait_for_two_methods(&mut search);
    signal(&search, "INT");
    let status = search.0.wait().expect("the process ends");
    let printed = |name: &str| fs::read_to_string(project.0.join(name)).expect("a file");
    let (stdout, stderr) = (printed("stdout"), printed("stderr"));
    assert_eq!(status.code(), Some(3), "{stdout}{stderr}");
    let expected = "stopped by an interruption";
    assert!(stdout.contains(expected), "{stdout}");
    assert!(is_whole(&project.tests()));
    let report = serde_json::from_str(&printed("report.json"));
    let report: serde_json::Value = report.expect("JSON");
    let stop = &report["procedures"][2]["stop"];
    assert_eq!(stop["limit"], "interrupted", "{stop}");
}

#[test]
fn a_killed_search_leaves_the_tests_of_the_methods_before() {
    let project = Project::new("kill");
    let mut search = project.search();
    project.wait_for_two_methods(&mut search);
    let report = project.0.join("report.json");
    let begin = Instant::now();
    while !fs::read_to_string(&report).is_ok_and(|text| text.contains("second")) {
        assert!(begin.elapsed() < PATIENCE, "no report was written");
        sleep(Duration::from_millis(20));
    }
    signal(&search, "KILL");
    let _ = search.0.wait();
    assert!(is_whole(&project.tests()));
    let text = fs::read_to_string(&report).expect("the report");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let procedures = report["procedures"].as_array().map(Vec::len);
    assert_eq!(procedures, Some(2), "{report}");
}

/// The folder after a kill: every file is whole, whatever it is.
fn assert_whole(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            assert_whole(&path);
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // A file that was being written has another name, and the next run removes it.
        if name.starts_with('.') && name.ends_with(".tmp") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file");
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("java") => assert!(is_whole(&path), "{text}"),
            Some("json" | "sarif") => {
                let read = serde_json::from_str::<serde_json::Value>(&text);
                assert!(read.is_ok(), "{}: {read:?}", path.display());
            }
            Some("html") => assert!(text.trim_end().ends_with("</html>"), "{text}"),
            Some("xml") => assert!(text.trim_end().ends_with("</report>"), "{text}"),
            Some("info") => assert!(text.trim_end().ends_with("end_of_record"), "{text}"),
            Some("svg") => assert!(text.trim_end().ends_with("</svg>"), "{text}"),
            _ => panic!("{} was written", path.display()),
        }
    }
}

/// Kills at many moments, one after the other into the same folder: what is there is whole, what
/// one has found is not lost to the next, and the last one, which nobody kills, ends as if it had
/// been the first.
#[test]
fn a_kill_at_any_moment_leaves_whole_files() {
    let folder = format!("heapwright-interrupted-moments-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    fs::create_dir_all(&folder).expect("a temporary folder");
    let source = folder.join("Quick.java");
    fs::write(&source, QUICK).expect("a source");
    let project = Project::compile(folder, &source);
    let start = |folder: &str| {
        let out = project.0.join(folder);
        let child = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .args(["generate", "endless.Quick", "-c"])
            .arg(project.0.join("classes"))
            .arg("--out")
            .arg(&out)
            .arg("--report")
            .arg(&out)
            .arg("--json")
            .arg(out.join("a.json"))
            .arg("--svg")
            .arg(out.join("svg"))
            .arg("--jacoco")
            .arg(out.join("a.xml"))
            .arg("--lcov")
            .arg(out.join("a.info"))
            .arg("--sarif")
            .arg(out.join("a.sarif"))
            .args(["--steps", "3000", "-q"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Search(child.expect("the binary starts"))
    };
    fs::create_dir_all(project.0.join("whole")).expect("a folder");
    fs::create_dir_all(project.0.join("killed")).expect("a folder");
    // How long a run takes here and now, to spread the moments over it.
    let begin = Instant::now();
    let _ = start("whole").0.wait();
    let took = begin.elapsed();
    assert_whole(&project.0.join("whole"));
    let moments: u32 = 16;
    for moment in 0..moments {
        let mut search = start("killed");
        sleep(took * moment / moments);
        let _ = search.0.kill();
        let _ = search.0.wait();
        assert_whole(&project.0.join("killed"));
    }
    // Something that a run left which was killed in the middle of writing.
    let stale = project.0.join("killed/.a.json.4294967295.tmp");
    fs::write(&stale, "{ \"half").expect("a file");
    let _ = start("killed").0.wait();
    let files = |folder: &str| {
        let mut files = Vec::new();
        list(&project.0.join(folder), "", &mut files);
        files.sort();
        files
    };
    assert_eq!(files("killed"), files("whole"));
}

/// The files below a folder.
fn list(folder: &Path, prefix: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => list(&entry.path(), &format!("{name}/"), files),
            false => files.push(name),
        }
    }
}

/// Whether a process catches SIGINT by now, as far as the system tells.
fn catches_interruptions(search: &Search) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", search.0.id()));
    let Ok(status) = status else {
        return true;
    };
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_none_or(|mask| mask & 0b10 != 0)
}

/// Whatever a search is at, be it a question to the solver, a search for floats or a long run, an
/// interruption ends it, and what was found is written. Nothing here ends by itself.
#[test]
fn an_interruption_reaches_every_kind_of_work() {
    let folder = format!("heapwright-interrupted-nasty-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    fs::create_dir_all(&folder).expect("a temporary folder");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/Nasty.java");
    let project = Project::compile(folder, Path::new(source));
    let limits = "--max-paths 1000000000 --patience 1000000000 --max-solver-calls 1000000000 \
                  --time 0 --all-paths --max-objects 40 --max-elements 40";
    for method in ["hash", "recursion", "loop", "floats", "strings"] {
        let out = project.0.join(method);
        let report = project.0.join(format!("{method}.json"));
        let child = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .args(["generate", &format!("nasty.Nasty#{method}"), "-c"])
            .arg(project.0.join("classes"))
            .args(limits.split_whitespace())
            .arg("--out")
            .arg(&out)
            .arg("--report")
            .arg(&out)
            .arg("--json")
            .arg(&report)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut search = Search(child.expect("the binary starts"));
        let begin = Instant::now();
        while !catches_interruptions(&search) {
            assert!(
                begin.elapsed() < PATIENCE,
                "{method}: no signals are caught"
            );
            sleep(Duration::from_millis(20));
        }
        sleep(Duration::from_millis(1500));
        signal(&search, "INT");
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = search.0.try_wait().expect("the state of the process") {
                break status;
            }
            assert!(begin.elapsed() < PATIENCE, "{method} goes on");
            sleep(Duration::from_millis(20));
        };
        // A finding that was there before, such as a stack that overflows, says more.
        assert!(matches!(status.code(), Some(3 | 4)), "{method}: {status}");
        let text = fs::read_to_string(&report).expect("a report");
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let stop = &report["procedures"][0]["stop"];
        assert_eq!(stop["limit"], "interrupted", "{method}: {stop}");
        assert_whole(&out);
    }
}

/// There are millions of structures: neither the time nor what is said afterwards may depend on
/// seeing all of them.
#[test]
fn a_search_for_structures_keeps_to_its_time_and_claims_nothing_then() {
    let folder = format!("heapwright-interrupted-structures-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    fs::create_dir_all(&folder).expect("a temporary folder");
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../subjects/java/src/subjects/rbt/RedBlackTree.java"
    );
    let project = Project::compile(folder, Path::new(source));
    let options = "--mode repok --scope 14 --all-paths --time 1";
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args(["generate", "subjects.rbt.RedBlackTree#remove", "-c"])
        .arg(project.0.join("classes"))
        .args(options.split_whitespace())
        .output()
        .expect("the binary starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("stopped by the time limit"), "{said}");
    assert!(!said.contains("no valid input"), "{said}");
}
