//! Specifications inferred from real classes, by the numbers of their models.
//!
//! How many trees of each size there are is known from elsewhere, so these tests do not depend on how a
//! specification is written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use heapwright_infer::models::models;
use heapwright_infer::session::{Inference, InferenceRequest, NoInference, infer};
use heapwright_java::classpath::JdkSearch;
use heapwright_java_tests::{Choice, JavaOptions, JavaProgram, JavaTests, Specifications};
use heapwright_logic::Deadline;
use heapwright_spec::Source;
use heapwright_spec::questions::Notation;
use heapwright_testgen::Frontend;
use heapwright_testgen::host::QuietHost;
use heapwright_testgen::temporary::Temporary;

/// The folder of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(sources(&path)),
            false if path.extension().is_some_and(|ending| ending == "java") => found.push(path),
            false => {}
        }
    }
    found
}

fn compile(sources: &[PathBuf], classes: &Path) {
    let jdk = JdkSearch::from_environment(None).open().expect("a JDK");
    let compiled = Command::new(jdk.home().join("bin/javac"))
        .args(["-g", "-proc:none", "-d"])
        .arg(classes)
        .args(sources)
        .output();
    let compiled = compiled.expect("javac runs");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
}

/// The classes of all subjects, compiled once.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<Temporary> = OnceLock::new();
    let folder = CLASSES.get_or_init(|| {
        let folder = Temporary::named(&std::env::temp_dir(), "infer-it");
        std::fs::create_dir_all(folder.path()).expect("a folder for classes");
        let mut all = sources(&repository().join("subjects/java/src"));
        all.extend(sources(&repository().join("subjects/infer/src")));
        compile(&all, folder.path());
        folder
    });
    folder.path()
}

fn frontend(classes: &Path) -> JavaTests {
    let nothing = Specifications::new(Choice::None, Vec::new());
    let host = Arc::new(QuietHost::default());
    let path = [classes.to_owned()];
    let program = JavaProgram::open(
        &JdkSearch::from_environment(None),
        &path,
        None,
        nothing,
        host,
    );
    JavaTests::new(program.expect("class files"), JavaOptions::default())
}

fn inferred(class: &str, classes: &Path) -> Result<Inference, NoInference> {
    let request = InferenceRequest {
        objects: 6,
        time: Duration::from_secs(600),
        interrupt: heapwright_engine::Interrupt::default(),
    };
    infer(&mut frontend(classes), class, &request).expect("the class can be read")
}

/// How many models there are of 1, 2, ... objects.
fn counts(class: &str, inference: &Inference, classes: &Path, objects: u32) -> Vec<usize> {
    let source = Source {
        name: "inferred".to_owned(),
        text: inference.text.clone(),
    };
    let mut frontend = frontend(classes);
    let file = frontend.questions(class, Notation::Specification, source);
    let mut file = file.unwrap_or_else(|error| panic!("{error}\n{}", inference.text));
    let predicate = file
        .predicate(&inference.name)
        .expect("the invariant is there");
    let question = file.instance(predicate);
    let (found, is_all) = models(
        &file,
        &question,
        &Default::default(),
        objects,
        usize::MAX,
        &Deadline::NEVER,
    );
    assert!(is_all, "{}", inference.text);
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for state in found {
        *sizes.entry(state.heap.cells.len()).or_default() += 1;
    }
    let sizes = (1..=objects as usize).map(|size| sizes.get(&size).copied().unwrap_or(0));
    sizes.collect()
}

/// Infers, and compares the numbers of models with known ones.
fn check(class: &str, expected: &[usize]) -> Inference {
    let inference = inferred(class, classes()).unwrap_or_else(|why| panic!("{class}: {why:?}"));
    let counts = counts(class, &inference, classes(), expected.len() as u32);
    assert_eq!(counts, expected, "{}", inference.text);
    assert_eq!(inference.rejected, 0, "{}", inference.text);
    inference
}

/// One list of each length; the first object is the one that has the list.
#[test]
fn lists() {
    check("subjects.stack.LinkedStack", &[1, 1, 1, 1, 1, 1]);
    check("subjects.dll.DoublyLinkedList", &[0, 1, 1, 1, 1, 1]);
    check("structures.Ring", &[1, 1, 1, 1, 1, 1]);
    check("structures.Queue", &[1, 1, 1, 1, 1, 1]);
}

/// Rows with items: there are as many as compositions of the number of both.
#[test]
fn lists_of_lists() {
    check("structures.ListOfLists", &[1, 1, 2, 4, 8, 16]);
}

/// A006265: shapes of AVL trees.
#[test]
fn avl_trees() {
    let inference = check("subjects.avl.AvlTree", &[1, 1, 2, 1, 4, 6, 4, 17]);
    assert_eq!(inference.unwitnessed, 0);
}

/// Red-black trees with their colours, counted from the definition.
#[test]
fn red_black_trees() {
    let inference = check("subjects.rbt.RedBlackTree", &[1, 1, 2, 2, 4, 8, 16, 33]);
    assert_eq!(inference.unwitnessed, 0);
}

/// AA trees are 2-3 trees (A014535, by the number of leaves); the sentinel is one object more.
#[test]
fn aa_trees_have_a_sentinel() {
    check("subjects.aa.AaTree", &[0, 1, 1, 1, 1, 2, 2, 3]);
}

/// Trees in which inner nodes have two children: Catalan numbers at odd sizes.
#[test]
fn linked_leaves() {
    check("structures.LinkedLeaves", &[0, 1, 0, 1, 0, 2, 0, 5]);
}

/// What a changed red-black tree is, the text says: its models are others.
#[test]
fn a_mutant_is_no_red_black_tree() {
    let source = repository().join("subjects/java/src/subjects/rbt/RedBlackTree.java");
    let text = std::fs::read_to_string(source).expect("the source");
    let changed = text.replace("        root.red = false;\n", "");
    assert_ne!(changed, text);
    let folder = Temporary::named(&std::env::temp_dir(), "infer-mutant");
    std::fs::create_dir_all(folder.path()).expect("a folder");
    let source = folder.path().join("RedBlackTree.java");
    std::fs::write(&source, changed).expect("a file");
    compile(&[source], folder.path());
    let class = "subjects.rbt.RedBlackTree";
    let inference = inferred(class, folder.path()).expect("a specification");
    let found = counts(class, &inference, folder.path(), 6);
    assert_ne!(found, [1, 1, 2, 2, 4, 8], "{}", inference.text);
}

/// Without methods that change anything there is nothing to learn from.
#[test]
fn one_state_is_not_enough() {
    let found = inferred("subjects.tll.LinkedLeafTree", classes());
    assert_eq!(found.err(), Some(NoInference::OneState));
}

/// A field that only counts calls is left alone, whatever it is called.
#[test]
fn counters_are_found_by_what_they_do() {
    let folder = Temporary::named(&std::env::temp_dir(), "infer-counter");
    std::fs::create_dir_all(folder.path()).expect("a folder");
    let source = folder.path().join("Counted.java");
    let text = "public class Counted { int q; Node n; static class Node { Node m; }
        public void add() { Node o = new Node(); o.m = n; n = o; q++; }
        public void drop() { q++; n = n.m; } }";
    std::fs::write(&source, text).expect("a file");
    compile(&[source], folder.path());
    let inference = inferred("Counted", folder.path()).expect("a specification");
    assert!(
        inference
            .text
            .contains("not compared, since it has large numbers in small objects: q"),
        "{}",
        inference.text
    );
    assert!(inference.text.contains("Counted(_, "), "{}", inference.text);
}
