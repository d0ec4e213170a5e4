//! Planted mistakes that no branch shows: the search looks closer where there is something to
//! check after a call, and tells loops that do not end.

use std::path::{Path, PathBuf};

use crate::common::{Run, heapwright, javac, root};

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
    let files = [data("demo/Row.java"), data("demo/Ring.java")];
    javac::compile(Path::new("javac"), &["-g"], &classes.0, &files);
    classes
}

fn data(name: &str) -> PathBuf {
    root().join("crates/cli/tests/data/planted").join(name)
}

fn java(classes: &Classes, method: &str, more: &[&str]) -> Run {
    generate(classes, &format!("demo.Row#{method}"), more)
}

fn generate(classes: &Classes, target: &str, more: &[&str]) -> Run {
    let class_path = classes.0.display().to_string();
    let mut arguments = vec!["generate", target, "-c", &class_path];
    arguments.extend(more);
    heapwright(&arguments)
}

/// The smallest input that shows a mistake is in the suite, and without the closer look there is
/// none.
fn check(run: impl Fn(&[&str]) -> Run, input: &str) {
    // What tries inputs for mutants finds mistakes, too, and is left out here.
    let keep = ["--keep", "coverage"];
    let without = run(&[&["--checks", "0"], &keep[..]].concat());
    assert_eq!(without.code, 0, "{}", without.stdout);
    let found = run(&keep);
    assert_eq!(found.code, FINDING, "{}", found.stdout);
    assert!(found.stdout.contains(input), "{}", found.stdout);
    let findings = found.stdout.lines().filter(|line| line.starts_with('!'));
    assert_eq!(findings.count(), 1, "{}", found.stdout);
}

/// The exit code where something is wrong.
const FINDING: i32 = 4;

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

/// The file with the findings of a class.
fn findings(classes: &Classes, class: &str) -> String {
    let file = classes.0.join(format!("out/demo/{class}FindingsTest.java"));
    std::fs::read_to_string(file).expect("findings")
}

#[test]
fn loops_that_do_not_end_are_findings() {
    let classes = compiled("endless");
    let file = data("Ring.sl").display().to_string();
    let out = classes.0.join("out").display().to_string();
    let given = ["--spec", &file, "--out", &out];
    let check = |method: &str, more: &[&str], code: i32, expected: &str| {
        let more = [&given, more].concat();
        let run = generate(&classes, &format!("demo.Ring#{method}"), &more);
        assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    };
    let repeats = "infinite loop at demo/Ring.java:15: it comes back to the same state";
    check("contains", &[], FINDING, repeats);
    let text = findings(&classes, "Ring_contains");
    let call = "assertTimeoutPreemptively(Duration.ofSeconds(2), () -> { ring.contains(0); });";
    assert!(text.contains(call), "{text}");
    check("contains", &["--junit", "4"], FINDING, repeats);
    let text = findings(&classes, "Ring_contains");
    assert!(text.contains("@Test(timeout = 2000)"), "{text}");
    assert!(text.contains("        ring.contains(0);"), "{text}");
    // A counter makes all states different, so nothing more is known.
    let counts = "did not end within 2000000 steps, in the loop at demo/Ring.java:29";
    check("sum", &[], FINDING, counts);
    // These end, if they are given more time.
    let excused = "hit the step limit (--steps)";
    check("slow", &[], 0, excused);
    check("pause", &[], 0, "depends on the clock");
    check("length", &[], 0, "2 of 2 branches covered");
}

#[test]
fn without_a_precondition_cycles_are_no_mistakes() {
    let classes = compiled("cycles");
    let more = [
        "--no-spec",
        "--any-heap",
        "--all-paths",
        "--max-objects",
        "3",
    ];
    let run = generate(&classes, "demo.Ring#length", &more);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let note = "without a precondition cycles are valid inputs";
    assert!(run.stdout.contains(note), "{}", run.stdout);
    // But nothing excuses a loop on a list.
    let run = generate(&classes, "demo.Ring#contains", &["--no-spec", "--any-heap"]);
    assert_eq!(run.code, FINDING, "{}", run.stdout);
    assert!(run.stdout.contains("infinite loop"), "{}", run.stdout);
}

#[test]
fn loops_of_impl_programs_that_do_not_end_are_findings() {
    let target = data("ring.impl").display().to_string();
    let run = heapwright(&["generate", &target, "--findings"]);
    assert_eq!(run.code, FINDING, "{}", run.stdout);
    assert!(
        run.stdout.contains("endless: infinite loop"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("1 finding\n"), "{}", run.stdout);
}

#[test]
fn what_breaks_postcondition_and_predicate_is_one_finding() {
    let classes = compiled("both");
    let file = data("Row.sl").display().to_string();
    for method in ["removeFirst", "push", "reverse"] {
        let run = java(&classes, method, &["--spec", &file, "-q", "--findings"]);
        let (_, listing) = run.stdout.split_once("1 finding\n").expect(&run.stdout);
        let line = listing.lines().next().unwrap_or_default();
        let kind = "  postcondition and invariant: the postcondition does not hold: ";
        assert!(line.starts_with(kind), "{line}");
        let both = "; repOk() fails after the call at demo/Row.java:";
        assert!(line.contains(both), "{line}");
    }
}
