//! `watch`: a real class that changes while the command runs.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::common::javac;
use crate::common::project::Project;

/// How long a line may take; nobody waits that long unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(120);

const CLASS: &str = "public class Counter {
    private int count;
    private int limit = 3;

    public boolean add(int by) {
        if (by < 0) {
            return false;
        }
        count = Math.min(limit, count + 1);
        return true;
    }

    public boolean isFull() {
        return count == limit;
    }

    boolean repOk() {
        return count >= 0 && count <= limit;
    }
}
";

/// A running `watch` with the lines that it prints.
struct Watching {
    process: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(arguments: &[&str], folder: &Path, cache: &Path) -> Watching {
        let mut process = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .arg("watch")
            .args(arguments)
            .current_dir(folder)
            .env("HEAPWRIGHT_CACHE", cache)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Watching { process, lines }
    }

    /// The lines up to the one that says that files are watched.
    fn until_watching(&self) -> Vec<String> {
        let mut read = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no further line after {read:?}"));
            if line.starts_with("watching ") {
                return read;
            }
            read.push(line);
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn changes_of_a_class_are_told() {
    let project = Project::of_texts("watch", &[("Counter.java", CLASS)]);
    let folder = project.path("");
    let folder = Path::new(&folder);
    let classes = project.classes();
    let compile = |text: &str| {
        let source = project.write("Counter.java", text);
        javac::compile(
            &javac::usual(),
            &["-g"],
            Path::new(&classes),
            &[Path::new(&source)],
        );
    };
    let cache = folder.join("cache");
    let watching = Watching::start(&["Counter", "-c", &classes], folder, &cache);
    let first = watching.until_watching();
    assert!(
        first
            .iter()
            .any(|line| line.contains("every branch is covered")),
        "{first:?}"
    );

    // A bug, and a branch that nothing takes any more.
    let broken = CLASS
        .replace("Math.min(limit, count + 1)", "limit + 1")
        .replace("if (by < 0)", "if (by < 0 && by > 0)");
    compile(&broken);
    let told = watching.until_watching();
    let has = |lines: &[String], text: &str| lines.iter().any(|line| line.contains(text));
    assert!(has(&told, "changed: Counter.class"), "{told:?}");
    let is_finding = |line: &str, mark: &str| {
        line.starts_with(&format!("{mark} Counter#add(int)"))
            && line.contains("repOk() fails after the call")
    };
    assert!(told.iter().any(|line| is_finding(line, "!")), "{told:?}");
    assert!(has(&told, "(new, test add_"), "{told:?}");
    assert!(has(&told, "not covered"), "{told:?}");
    assert!(has(&told, "1 finding"), "{told:?}");

    // The bug is mended.
    compile(CLASS);
    let told = watching.until_watching();
    assert!(
        told.iter()
            .any(|line| is_finding(line, "+") && line.ends_with("(gone)")),
        "{told:?}"
    );
    assert!(has(&told, "no findings"), "{told:?}");
}

#[test]
fn standard_output_is_not_for_json() {
    let run = crate::common::heapwright(&["watch", "Counter", "--json", "-"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("use --json FILE"), "{}", run.stderr);
}
