//! Planted mistakes that no branch shows: the search looks closer where there is something to
//! check after a call.

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::{Run, heapwright, root};

struct Classes(PathBuf);

impl Drop for Classes {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Compiles the Java classes into a folder of their own.
fn compiled(test: &str) -> Classes {
    let name = format!("heapwright-planted-{test}-{}", std::process::id());
    let classes = Classes(std::env::temp_dir().join(name));
    let status = Command::new("javac")
        .args(["-g", "-d"])
        .arg(&classes.0)
        .arg(data("demo/Row.java"))
        .status();
    assert!(status.expect("javac is installed").success());
    classes
}

fn data(name: &str) -> PathBuf {
    root().join("crates/cli/tests/data/planted").join(name)
}

fn java(classes: &Classes, method: &str, more: &[&str]) -> Run {
    let class_path = classes.0.display().to_string();
    let target = format!("demo.Row#{method}");
    let mut arguments = vec!["generate", &target, "-c", &class_path];
    arguments.extend(more);
    heapwright(&arguments)
}

/// The smallest input that shows a mistake is in the suite, and without the closer look there is
/// none.
fn check(run: impl Fn(&[&str]) -> Run, input: &str) {
    let without = run(&["--checks", "0"]);
    assert_eq!(without.code, 0, "{}", without.stdout);
    let found = run(&[]);
    assert_eq!(found.code, 1, "{}", found.stdout);
    assert!(found.stdout.contains(input), "{}", found.stdout);
    let findings = found.stdout.lines().filter(|line| line.starts_with('!'));
    assert_eq!(findings.count(), 1, "{}", found.stdout);
}

const TWO: &str = "this = Row(Node(0, (0, null)), 2)";
const THREE: &str = "this = Row(Node(0, (0, (0, null))), 3)";

#[test]
fn java_with_a_specification() {
    let classes = compiled("specification");
    let file = data("Row.sl").display().to_string();
    for mode in ["concolic", "symbolic"] {
        for (method, input) in [("removeFirst", TWO), ("push", THREE), ("reverse", THREE)] {
            let run = |more: &[&str]| {
                let more = [&["--spec", &file, "--mode", mode], more].concat();
                java(&classes, method, &more)
            };
            check(run, input);
        }
    }
}

#[test]
fn java_with_a_predicate() {
    let classes = compiled("predicate");
    for (method, input) in [("removeFirst", TWO), ("push", THREE), ("reverse", THREE)] {
        let run = |more: &[&str]| {
            let more = [&["--no-spec", "--mode", "whitebox"], more].concat();
            java(&classes, method, &more)
        };
        check(run, input);
    }
}

#[test]
fn impl_with_a_specification() {
    let three = "first = ListNode(0, (0, (0, null)))";
    for mode in ["concolic", "symbolic"] {
        for procedure in ["same", "size_after_push"] {
            let target = format!("{}#{procedure}", data("row.impl").display());
            let run = |more: &[&str]| {
                heapwright(&[&["generate", &target, "--mode", mode], more].concat())
            };
            check(run, three);
        }
    }
}

#[test]
fn it_is_said_on_how_many_inputs_something_was_checked() {
    let classes = compiled("number");
    let file = data("Row.sl").display().to_string();
    let found = java(&classes, "removeFirst", &["--spec", &file]);
    // Lists of up to three nodes, and the object that has them.
    let line = "postcondition and predicate checked on 4 inputs of up to 4 objects";
    assert!(found.stdout.contains(line), "{}", found.stdout);
    let target = format!("{}#same", data("row.impl").display());
    let found = heapwright(&["generate", &target]);
    let line = "postcondition checked on 4 inputs of up to 3 objects";
    assert!(found.stdout.contains(line), "{}", found.stdout);
    let nothing = heapwright(&["generate", "examples/impl/equal_neighbours.impl"]);
    assert!(!nothing.stdout.contains("checked on"), "{}", nothing.stdout);
}
