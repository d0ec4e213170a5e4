//! Predicates of the program as specifications: `--mode repok`, `--mode whitebox`, `check --repok`.

mod afterwards;
mod mutants;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Run, heapwright, root};
use serde_json::Value as Json;

/// The sources of the Java subjects.
fn subjects() -> PathBuf {
    root().join("subjects/java/src")
}

/// A folder of its own, which goes away.
struct Work(PathBuf);

impl Work {
    fn new(name: &str) -> Work {
        let name = format!("heapwright-repok-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Work(folder)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.0.join(name);
        std::fs::write(&file, text).expect("a file");
        file
    }

    /// Compiles sources into a folder.
    fn compile(&self, sources: &[PathBuf]) -> PathBuf {
        self.compile_with(&[], sources)
    }

    fn compile_with(&self, options: &[&str], sources: &[PathBuf]) -> PathBuf {
        let classes = self.0.join("classes");
        let compiled = Command::new("javac")
            .args(options)
            .args(["-g", "-nowarn", "-d"])
            .arg(&classes)
            .args(sources)
            .output()
            .expect("javac");
        let complaint = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{complaint}");
        classes
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The report of a run as JSON.
fn report(arguments: &[&str]) -> Json {
    let run: Run = heapwright(&[arguments, &["--json", "-"]].concat());
    serde_json::from_str(&run.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr))
}

/// The number of structures that a run found.
fn structures(arguments: &[&str]) -> u64 {
    let report = report(arguments);
    let statistics = &report["procedures"][0]["statistics"];
    assert_eq!(statistics["divergences"], 0, "{report:#}");
    statistics["structures"].as_u64().expect("a number")
}

const TREE: &str = "
struct Node { int value; Node left; Node right; }

proc valid(Node t) returns bool { return between(t, false, 0, false, 0); }

proc between(Node t, bool low, int lo, bool high, int hi) returns bool {
    if (t == nil) then return true;
    if (low && t.value <= lo) then return false;
    if (high && t.value >= hi) then return false;
    if (between(t.left, low, lo, true, t.value)) then
        return between(t.right, true, t.value, high, hi);
    return false;
}

proc contains(Node t, int x) returns bool {
    while (t /= nil) {
        if (x < t.value) then t := t.left
        else if (x > t.value) then t := t.right
        else return true;
    }
    return false;
}
";

#[test]
fn search_trees_of_an_impl_program_are_catalan_numbers() {
    let work = Work::new("catalan");
    let file = work.write("tree.impl", TREE);
    let target = format!("{}#contains", file.display());
    let expected = [2, 4, 9, 23, 65];
    for (scope, expected) in (1..).zip(expected) {
        let scope = u32::to_string(&scope);
        let arguments = [
            "generate", &target, "--repok", "valid", "--mode", "repok", "--scope", &scope,
        ];
        assert_eq!(structures(&arguments), expected, "scope {scope}");
    }
}

/// Lists with marks: which are valid depends on the marks in ways that a run can follow for all of
/// them at once, and which marks are told apart must not depend on that.
const MARKS: &str = "
struct Node { bool mark; bool deep; Node next; }

proc apart(Node l) returns bool {
    int length := 0;
    while (l /= nil) {
        length := length + 1;
        if (length > 5) then return false;
        if (l.mark && l.next /= nil && l.next.mark) then return false;
        l := l.next;
    }
    return true;
}

proc light(Node l) returns bool {
    int weight := 0;
    while (l /= nil) {
        if (l.mark) then {
            if (l.deep) then weight := weight + 1 else weight := weight + 2;
        } else weight := weight + 3;
        if (weight > 6) then return false;
        l := l.next;
    }
    return true;
}

proc balanced(Node l) returns bool {
    int marked := 0;
    int others := 0;
    while (l /= nil) {
        if (l.mark) then marked := marked + 1 else others := others + 1;
        if (l.deep && !l.mark || marked + others > 5) then return false;
        l := l.next;
    }
    return marked == others;
}

proc first(Node l) returns bool {
    if (l == nil) then return false;
    return l.mark;
}
";

#[test]
fn marks_are_told_apart_as_if_each_list_were_run_by_itself() {
    let work = Work::new("marks");
    let file = work.write("marks.impl", MARKS);
    let target = format!("{}#first", file.display());
    // Lists of up to five nodes, by hand: what is done with a node, and whether the end is valid.
    let lists = |ways: u32, valid: &dyn Fn(&[u32]) -> bool| -> u64 {
        let mut found = 0;
        for length in 0..=5 {
            for number in 0..ways.pow(length) {
                let list: Vec<u32> = (0..length).map(|at| number / ways.pow(at) % ways).collect();
                found += u64::from(valid(&list));
            }
        }
        found
    };
    let apart = lists(2, &|list| list.windows(2).all(|pair| pair != [1, 1]));
    let light = lists(3, &|list| list.iter().map(|way| way + 1).sum::<u32>() <= 6);
    // Marked and deep, marked and not deep, neither.
    let balanced = lists(3, &|list| {
        2 * list.iter().filter(|&&way| way < 2).count() == list.len()
    });
    for (predicate, expected) in [("apart", apart), ("light", light), ("balanced", balanced)] {
        let arguments = [
            "generate", &target, "--repok", predicate, "--mode", "repok", "--scope", "5",
        ];
        assert_eq!(structures(&arguments), expected, "{predicate}");
    }
}

/// Predicates in which going past something, or both ways at once, must not lose or invent anything:
/// each with the structures that there are within a scope.
const ODD: [(&str, &str, &str, u64); 7] = [
    // The predicate writes to the object that it is about.
    (
        "Writes",
        "boolean flag; Writes next;
        boolean repOk() {
            if (flag) return false;
            if (next != null) flag = true;
            if (!flag) return false;
            return true;
        }",
        "2",
        1,
    ),
    // What a handler does depends on something that is open.
    (
        "Catches",
        "boolean flag; Catches next;
        boolean repOk() {
            int y = 0;
            if (next != null) {
                try { boolean z = next.next.flag; } catch (NullPointerException e) { y = 1; }
            }
            if (y == 0) return false;
            return true;
        }",
        "2",
        1,
    ),
    // On a circle the count is never known.
    (
        "Counts",
        "boolean a, b; Counts next;
        boolean repOk() {
            int k = 0;
            for (Counts p = this; p != null; p = p.next) {
                if (p.a) k++;
                if (p.b) k--;
                if (k > 3) return false;
            }
            return k == 0;
        }",
        "2",
        8,
    ),
    // A count that has to be known as a number: the marks of ten nodes.
    (
        "Allocates",
        "boolean mark; Allocates next;
        boolean repOk() {
            int marks = 0, nodes = 0;
            for (Allocates p = this; p != null; p = p.next) {
                nodes++;
                if (nodes > 10) return false;
                if (p.mark) marks++;
            }
            return nodes == 10 && new int[marks].length == marks;
        }",
        "10",
        1024,
    ),
    // Circles end at a count that is any number: no list with one is valid.
    (
        "Counted",
        "static class Node { Node next; }
        Node head; int size;
        boolean repOk() {
            int count = 0;
            for (Node p = head; p != null; p = p.next) {
                count++;
                if (count > size) return false;
            }
            return count == size;
        }",
        "4",
        5,
    ),
    // The same by recursion; a node may have two parents, since nobody looks, and -1 is a size.
    (
        "CountedTree",
        "static class Node { Node left, right; }
        Node root; int size;
        boolean repOk() { return count(root, 0) == size; }
        int count(Node node, int seen) {
            if (node == null) return 0;
            if (seen >= size) return -1;
            int left = count(node.left, seen + 1);
            if (left < 0) return -1;
            int right = count(node.right, seen + left + 1);
            return right < 0 ? -1 : left + right + 1;
        }",
        "2",
        6,
    ),
    // Here, those who go round often enough are let through: three lists and three circles.
    (
        "Patient",
        "static class Node { Node next; }
        Node head; int size;
        boolean repOk() {
            int count = 0;
            for (Node p = head; p != null; p = p.next) {
                count++;
                if (count > size) return false;
                if (count == 20) return true;
            }
            return count == size;
        }",
        "2",
        6,
    ),
];

#[test]
fn odd_predicates_lose_and_invent_nothing() {
    let work = Work::new("odd");
    for (class, body, scope, expected) in ODD {
        let text = format!("public class {class} {{ {body} void call() {{}} }}");
        let source = work.write(&format!("{class}.java"), &text);
        let classes = work.compile(&[source]).display().to_string();
        let target = format!("{class}#call");
        let arguments = [
            "generate", &target, "-c", &classes, "--mode", "repok", "--scope", scope,
        ];
        assert_eq!(structures(&arguments), expected, "{class}");
    }
    // Numbers and truth values depend on each other; a model of one question is none of another.
    let text = "
        struct N { int v; bool a; bool b; }
        proc m(N t) { skip }
        proc ok(N t) returns bool {
            int j := 0;
            if (t.b) then { j := t.v; };
            if (t.a) then { if (0 /= j) then assert (t /= nil && false) };
            if (t.v < 0) then skip;
            return true;
        }";
    let file = work.write("mixed.impl", text);
    let target = format!("{}#m", file.display());
    let arguments = [
        "generate", &target, "--repok", "ok", "--mode", "repok", "--scope", "2",
    ];
    assert_eq!(structures(&arguments), 7);
}

#[test]
fn all_numbers_of_a_domain_are_tried() {
    let work = Work::new("domain");
    let file = work.write("tree.impl", TREE);
    let target = format!("{}#contains", file.display());
    // Of n numbers, every k can be put into a search tree in as many ways as there are trees with k
    // nodes; each tree is looked at for one number.
    for (numbers, expected) in [("1..2", 5), ("0..2", 15), ("-1..2", 51)] {
        let value = format!("value={numbers}");
        let report = report(&[
            "generate", &target, "--repok", "valid", "--mode", "repok", "--scope", "4", "--domain",
            &value, "--domain", "x=7..7", "--keep", "all",
        ]);
        let tests = report["procedures"][0]["tests"].as_array().expect("tests");
        assert_eq!(tests.len(), expected, "{numbers}");
    }
}

#[test]
fn white_box_covers_a_method_with_valid_inputs_only() {
    let work = Work::new("white");
    let file = work.write("tree.impl", TREE);
    let target = format!("{}#contains", file.display());
    let report = report(&[
        "generate", &target, "--repok", "valid", "--mode", "whitebox", "--scope", "3",
    ]);
    let procedure = &report["procedures"][0];
    let branches = procedure["branches"].as_array().expect("branches");
    assert!(
        branches.iter().all(|branch| branch["status"] == "covered"),
        "{report:#}"
    );
    assert_eq!(procedure["statistics"]["divergences"], 0);
}

#[test]
fn a_predicate_that_does_not_fit_is_refused() {
    let work = Work::new("refused");
    let file = work.write("tree.impl", TREE);
    let target = format!("{}#contains", file.display());
    let check = |predicate: &[&str], expected: &str| {
        let arguments = ["generate", &target, "--mode", "repok"];
        let run = heapwright(&[&arguments, predicate].concat());
        assert!(run.stderr.contains(expected), "{}", run.stderr);
        assert_eq!(run.code, 1);
    };
    check(&[], "there is no predicate");
    check(&["--repok", "sorted"], "there is no procedure `sorted`");
    check(&["--repok", "between"], "is no parameter of `contains`");
}

#[test]
fn maps_of_the_jdk_are_as_many_as_the_paper_says() {
    let work = Work::new("jdk");
    let folder = root().join("subjects/jdk/repok");
    let patch = format!("java.base={}", folder.display());
    let source = folder.join("java/util/TreeMapRepOk.java");
    let classes = work.compile_with(&["--patch-module", &patch], &[source]);
    let classes = classes.display().to_string();
    // One more than in the paper: the empty map.
    for (scope, expected) in (1..).zip([2, 4, 6, 10, 18]) {
        let scope = u32::to_string(&scope);
        let arguments = [
            "generate",
            "java.util.TreeMap#size()",
            "-c",
            &classes,
            "--repok",
            "java.util.TreeMapRepOk#repOk",
            "--mode",
            "repok",
            "--scope",
            &scope,
        ];
        assert_eq!(structures(&arguments), expected, "scope {scope}");
    }
}

#[test]
fn trees_with_predicates_in_korats_style_are_counted() {
    let work = Work::new("korat");
    let folder = root().join("subjects/korat/src/korat");
    let names = ["SearchTree.java", "RedBlackTree.java"];
    let classes = work.compile(&names.map(|name| folder.join(name)));
    let classes = classes.display().to_string();
    // Red-black trees with roots of both colours: 2, 2, 3 and 8 with 1, 2, 3 and 4 nodes.
    for (class, expected) in [("SearchTree", 23), ("RedBlackTree", 16)] {
        let target = format!("korat.{class}#repOk()");
        let arguments = [
            "generate", &target, "-c", &classes, "--mode", "repok", "--scope", "4",
        ];
        assert_eq!(structures(&arguments), expected, "{class}");
    }
}

#[test]
fn tests_assert_the_predicate_and_pass_on_the_virtual_machine() {
    let work = Work::new("verified");
    let folder = subjects().join("subjects/avl");
    let classes = work.compile(&[folder.join("AvlTree.java"), folder.join("AvlNode.java")]);
    let out = work.0.join("tests");
    let run = heapwright(&[
        "generate",
        "subjects.avl.AvlTree#insert(int)",
        "-c",
        &classes.display().to_string(),
        "--mode",
        "whitebox",
        "--scope",
        "3",
        "--out",
        &out.display().to_string(),
        "--verify",
    ]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let file = out.join("subjects/avl/AvlTree_insertTest.java");
    let text = std::fs::read_to_string(&file).expect("a test class");
    assert!(text.contains(".repOK());"), "{text}");
    let accepted = run
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("the predicate accepts all "));
    let inputs = accepted.and_then(|rest| rest.strip_suffix(" inputs"));
    let inputs: Option<u64> = inputs.and_then(|number| number.parse().ok());
    assert!(inputs.is_some_and(|inputs| inputs > 1), "{}", run.stdout);
}

/// A list whose method for insertion forgets to count, with an exception whose message has digits.
const LINE: &str = "package shop;
public class Line {
    static class Cell { int id; Cell next; }
    private Cell first;
    private int size;
    public Line() {}
    ACCESS boolean repOk() {
        int count = 0;
        for (Cell cell = first; cell != null; cell = cell.next) {
            count++;
            if (count > 4) return false;
        }
        return count == size;
    }
    public void push(int id) {
        Cell cell = new Cell();
        cell.id = id;
        cell.next = first;
        first = cell;
        size++;
    }
    public void insert(int index, int id) {
        if (index < 0 || index > size) throw new IndexOutOfBoundsException(\"index \" + index);
        if (index == 0) { push(id); return; }
        Cell before = first;
        while (--index > 0) before = before.next;
        Cell cell = new Cell();
        cell.id = id;
        cell.next = before.next;
        before.next = cell;
    }
}
";

#[test]
fn predicates_that_are_not_public_are_asserted_in_every_mode() {
    let work = Work::new("hidden");
    for (access, modes) in [
        ("private", &["whitebox"][..]),
        ("", &["whitebox", "repok", "sequences"]),
    ] {
        let source = work.write("Line.java", &LINE.replace("ACCESS", access));
        let classes = work.compile(&[source]).display().to_string();
        for mode in modes {
            let out = work.0.join(mode).display().to_string();
            let mut arguments = vec![
                "generate",
                "shop.Line#insert",
                "-c",
                &classes,
                "--mode",
                mode,
                "--scope",
                "3",
                "--out",
                &out,
                "--verify",
            ];
            if *mode == "repok" {
                arguments.push("--via-api");
            }
            let run = heapwright(&arguments);
            assert_eq!(run.code, 4, "{mode} {access}: {}{}", run.stdout, run.stderr);
            assert!(run.stdout.contains("failed as predicted"), "{}", run.stdout);
            assert!(
                !run.stdout.contains("findings: 0 of"),
                "{mode}: {}",
                run.stdout
            );
            let text =
                std::fs::read_to_string(Path::new(&out).join("shop/Line_insertFindingsTest.java"));
            assert!(text.expect("a test that fails").contains("repOk"), "{mode}");
        }
    }
}

#[test]
fn a_specification_and_a_predicate_are_compared() {
    let work = Work::new("compared");
    let folder = subjects().join("subjects/bst");
    let sources = ["BinarySearchTree.java", "BinaryNode.java"].map(|name| folder.join(name));
    let classes = work.compile(&sources).display().to_string();
    let right = root().join("subjects/java/specs/BinarySearchTree.sl");
    let check = |specification: &Path| {
        heapwright(&[
            "check",
            "--repok",
            "subjects.bst.BinarySearchTree#contains(int)",
            "--spec",
            &specification.display().to_string(),
            "-c",
            &classes,
            "--scope",
            "3",
        ])
    };
    let run = check(&right);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("all of which satisfy the precondition"),
        "{}",
        run.stdout
    );
    // Any tree, in order or not.
    let text = "pred tree(x) := emp & x = null
  | exists l, r. x -> BinaryNode(left: l, right: r) * tree(l) * tree(r);
pre BinarySearchTree#contains(x) := tree(this.root);
";
    let wrong = work.write("wrong.sl", text);
    let run = check(&wrong);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout
            .contains("the precondition holds, but not the predicate"),
        "{}",
        run.stdout
    );
}
