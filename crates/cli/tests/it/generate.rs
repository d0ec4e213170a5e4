//! `generate` and `run` together: what one writes the other reads.

use std::path::{Path, PathBuf};

use crate::common::{heapwright, root};
use serde_json::Value as Json;

/// A folder of this test alone, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("heapwright-generate-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn join(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a name").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn report(path: &str) -> Json {
    let text = std::fs::read_to_string(path).expect("a report");
    serde_json::from_str(&text).expect("JSON")
}

/// All tests of a report, with the procedure of each.
fn tests(report: &Json) -> Vec<(String, Json)> {
    let procedures = report["procedures"].as_array().expect("a list");
    let tests = procedures.iter().flat_map(|procedure| {
        let name = procedure["procedure"].as_str().expect("a name").to_owned();
        let tests = procedure["tests"].as_array().expect("a list").clone();
        tests.into_iter().map(move |test| (name.clone(), test))
    });
    tests.collect()
}

fn name(test: &Json) -> &str {
    test["name"].as_str().expect("a name")
}

#[test]
fn every_test_of_a_report_is_replayed_as_recorded() {
    let folder = Folder::new("replay");
    let file = folder.join("report.json");
    for program in [
        "examples/impl/list.impl",
        "examples/impl/equal_neighbours.impl",
    ] {
        let run = heapwright(&["generate", program, "--keep", "all", "--json", &file]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let tests = tests(&report(&file));
        assert!(tests.len() > 2, "{program}");
        for (_, test) in tests {
            let run = heapwright(&["run", program, "--test", &format!("{file}#{}", name(&test))]);
            let recorded = format!("as recorded in {file}\n");
            assert!(
                run.stdout.ends_with(&recorded),
                "{}{}",
                run.stdout,
                run.stderr
            );
            assert_eq!(run.code, 0);
        }
    }
}

#[test]
fn a_changed_program_is_noticed() {
    let folder = Folder::new("changed");
    let file = folder.join("report.json");
    let program = "crates/cli/tests/data/faults.impl";
    heapwright(&["generate", program, "--json", &file]);
    let text = std::fs::read_to_string(root().join(program)).expect("a program");
    let changed = folder.join("changed.impl");
    let replay = |from: &str, to: &str, test: &str| {
        assert!(text.contains(from), "{from}");
        // A line more at the beginning moves everything, which is no difference.
        let edited = format!("\n{}", text.replace(from, to));
        std::fs::write(&changed, edited).expect("a file");
        heapwright(&["run", &changed, "--test", &format!("{file}#{test}")])
    };
    let run = replay("skip", "skip", "second_null_dereference");
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let run = replay("x.tail.head }", "x.head }", "second_null_dereference");
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    let told = "recorded: fault (null dereference); now: returned";
    assert!(run.stdout.contains(told), "{}", run.stdout);
    let run = replay("x.tail := nil;", "free x.tail;", "cut_leak");
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    let told = "leaks: recorded: #2; now: nothing";
    assert!(run.stdout.contains(told), "{}", run.stdout);
}

#[test]
fn the_input_of_a_test_is_an_input_of_run_and_of_check() {
    let folder = Folder::new("input");
    let (file, heap) = (folder.join("report.json"), folder.join("heap.json"));
    let program = "examples/impl/list.impl";
    heapwright(&["generate", program, "--json", &file]);
    for (procedure, test) in tests(&report(&file)) {
        std::fs::write(&heap, test["input"].to_string()).expect("a file");
        let run = heapwright(&["run", program, "--proc", &procedure, "--input", &heap]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        if procedure == "reverse" {
            let goal = ["--spec", "singly_linked_list", "--pred", "list", "first"];
            let run = heapwright(&[["check", heap.as_str()].as_slice(), &goal].concat());
            assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        }
    }
}

#[test]
fn tests_are_written_as_programs_and_end_as_they_expect() {
    let folder = Folder::new("programs");
    let out = folder.join("out");
    for (program, suite) in [
        ("examples/impl/list.impl", Some("list_suite.impl")),
        ("examples/impl/equal_neighbours.impl", None),
        (
            "crates/cli/tests/data/faults.impl",
            Some("faults_suite.impl"),
        ),
    ] {
        heapwright(&["generate", program, "--out", &out]);
        let files = impl_files(Path::new(&out));
        let has = |name: &str| files.iter().any(|file| file.ends_with(name));
        assert!(suite.is_none_or(has), "{program}: {files:?}");
        assert!(!files.is_empty());
        for file in &files {
            let run = heapwright(&["run", file.to_str().expect("a name")]);
            assert!(run.stdout.contains("\nas expected: "), "{}", run.stdout);
            assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        }
        // What is wrong shows as long as it is.
        for file in impl_files(&Path::new(&out).join("findings")) {
            let text = std::fs::read_to_string(&file).expect("a test");
            let run = heapwright(&["run", file.to_str().expect("a name")]);
            // What a program loses is not seen in a test.
            let is_seen = !text.contains("// finding: leak");
            assert_eq!(
                run.code,
                if is_seen { 4 } else { 0 },
                "{text}{}",
                run.stdout
            );
        }
        std::fs::remove_dir_all(&out).expect("the folder can be removed");
    }
}

fn impl_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_program = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "impl");
    paths.filter(is_program).collect()
}

/// A test of a finding is about what was promised, and not about what happened instead: a program
/// that is mended passes it, whatever else it does.
#[test]
fn tests_of_findings_pass_when_the_bug_is_mended() {
    let folder = Folder::new("mended");
    let out = folder.join("out");
    let wrong = "struct Node { int value; Node next; }
proc push(Node list, int x) returns Node {
    Node fresh := new Node(x, nil);
    if (list == nil) then return fresh;
    fresh.next := list.next;
    return fresh;
}
proc head(Node list) returns int { return list.value; }
";
    let specification = "pred list(x) := emp & x = null | exists y. x -> Node(_, y) * list(y);
pre push(list, x) := list(list);
post push(list, x) := result -> Node(x, y) * list(y) & y = list;
pre head(list) := list(list);
";
    let (program, contracts) = (folder.join("push.impl"), folder.join("push.sl"));
    std::fs::write(&program, wrong).expect("a file");
    std::fs::write(&contracts, specification).expect("a file");
    heapwright(&["generate", &program, "--out", &out]);
    let check = |name: &str, code: i32, said: &str| {
        let file = Path::new(&out).join("findings").join(name);
        let run = heapwright(&["run", file.to_str().expect("a name")]);
        assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains(said), "{}", run.stdout);
        file
    };
    let post = "push_postcondition_violated.impl";
    let file = check(post, 4, "it does not hold: ");
    let text = std::fs::read_to_string(&file).expect("a test");
    assert!(!text.contains("assert"), "{text}");
    let mended = text.replace("fresh.next := list.next", "fresh.next := list");
    std::fs::write(&file, mended).expect("a file");
    check(post, 0, "as expected: the postcondition in ");
    // Another mistake is one.
    let other = text.replace(
        "fresh.next := list.next",
        "fresh.value := 0; fresh.next := list",
    );
    std::fs::write(&file, other).expect("a file");
    check(post, 4, "it does not hold: ");
    let fault = "head_null_dereference.impl";
    let file = check(fault, 4, "\nexpected: returned\n");
    let text = std::fs::read_to_string(&file).expect("a test");
    let mended = text.replace(
        "{ return list.value; }",
        "{ if (list == nil) then return 0; return list.value; }",
    );
    std::fs::write(&file, mended).expect("a file");
    check(fault, 0, "as expected: returned");
}

#[test]
fn a_test_that_expects_something_else_fails() {
    let folder = Folder::new("expectation");
    let file = folder.join("test.impl");
    std::fs::write(&file, "//! expect: null dereference at line 2\nx := 1\n").expect("a file");
    let run = heapwright(&["run", &file]);
    assert_eq!(run.code, 4);
    assert!(
        run.stdout
            .ends_with("expected: null dereference at line 2\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn files_of_others_are_not_replaced() {
    let folder = Folder::new("others");
    let mine = folder.join("length_first_is_nil.impl");
    std::fs::write(&mine, "x := 1\n").expect("a file");
    let out = folder.join("");
    let run = heapwright(&["generate", "examples/impl/list.impl#length", "--out", &out]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("was not generated"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&mine).expect("a file"), "x := 1\n");
}

#[test]
fn pictures_are_drawn_before_and_after() {
    let folder = Folder::new("pictures");
    let path = folder.join("");
    let target = "examples/impl/list.impl#length";
    let run = heapwright(&["generate", target, "--svg", &path, "--dot", &path]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for (moment, ending, begin) in [
        ("before", "svg", "<svg"),
        ("after", "svg", "<svg"),
        ("before", "dot", "digraph"),
        ("after", "dot", "digraph"),
    ] {
        let file = folder.join(&format!("length_first_is_nil.{moment}.{ending}"));
        let text = std::fs::read_to_string(&file).expect("a picture");
        assert!(
            text.starts_with(begin) && text.contains("ListNode"),
            "{text}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_whatever_the_number_of_threads() {
    let generate = |more: &[&str]| {
        let line = [
            "generate",
            "examples/impl/list.impl",
            "--json",
            "-",
            "--strategy",
            "random",
        ];
        heapwright(&[line.as_slice(), more].concat()).stdout
    };
    let first = generate(&["--seed", "7"]);
    assert_eq!(generate(&["--seed", "7"]), first);
    assert_eq!(generate(&["--seed", "7", "--jobs", "3"]), first);
    assert!(!first.contains("\"times\""));
    assert!(generate(&["--seed", "7", "--times"]).contains("\"times\""));
}

#[test]
fn the_benchmark_covers_all_procedures_in_both_modes() {
    let folder = Folder::new("bench");
    for ending in ["impl", "sl"] {
        let name = format!("list.{ending}");
        let from = root().join("examples/impl").join(&name);
        std::fs::copy(from, folder.join(&name)).expect("a copy");
    }
    let path = folder.join("");
    let run = heapwright(&["bench", "examples", &path, "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: Json = serde_json::from_str(&run.stdout).expect("JSON");
    let runs = report["runs"].as_array().expect("a list");
    assert_eq!(runs.len(), 12);
    for run in runs {
        assert_eq!(run["covered"], run["branches"], "{run}");
        assert_eq!(run["divergences"], 0, "{run}");
    }
    let run = heapwright(&["bench", "examples", &path]);
    assert!(run.stdout.contains("\nlist#reverse"), "{}", run.stdout);
    assert!(run.stdout.contains("\n12 searches"), "{}", run.stdout);
}
