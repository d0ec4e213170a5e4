//! `init` on the Java subjects: every proposal is accepted by the commands that it recommends, and
//! for correct classes tests find nothing wrong with it.

use std::fs;
use std::path::PathBuf;

use crate::common::{Run, heapwright, javac, root};
use heapwright_java::classpath::JdkSearch;

/// Compiled subjects, in a folder that is removed at the end.
struct Subjects(PathBuf);

impl Subjects {
    fn compile(name: &str, sources: &[&str]) -> Subjects {
        let below = root().join("subjects/java/src/subjects");
        let sources = sources.iter().map(|source| below.join(source));
        Subjects::new(name, &sources.collect::<Vec<_>>())
    }

    /// A class of the unnamed package.
    fn write(name: &str, text: &str) -> Subjects {
        let file = format!("heapwright-init-{}-{name}.java", std::process::id());
        let file = std::env::temp_dir().join(file);
        fs::write(&file, text).expect("a source");
        let subjects = Subjects::new(name, std::slice::from_ref(&file));
        fs::remove_file(&file).expect("the source is removed");
        subjects
    }

    fn new(name: &str, sources: &[PathBuf]) -> Subjects {
        let folder = format!("heapwright-init-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        fs::create_dir_all(&folder).expect("a temporary folder");
        let jdk = JdkSearch::from_environment(None).open();
        let jdk = jdk.expect("this test needs a JDK");
        let compiler = jdk.home().join("bin/javac");
        let options = ["-g", "--release", "17"];
        javac::compile(&compiler, &options, &folder.join("classes"), sources);
        Subjects(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn run(&self, arguments: &[&str]) -> Run {
        heapwright(&[arguments, &["-c", &self.path("classes")]].concat())
    }

    fn propose(&self, class: &str) -> String {
        let run = self.run(&["init", class]);
        assert_eq!(run.code, 0, "{class}: {}", run.stderr);
        run.stdout
    }
}

impl Drop for Subjects {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Proposes a specification, checks what it says, and generates tests from it, with the
/// postconditions that it leaves to the reader.
fn check(source: &[&str], class: &str, method: &str, says: &[&str]) {
    let subjects = Subjects::compile(class, source);
    let file = subjects.path("proposal.sl");
    let run = subjects.run(&["init", class, "--out", &file]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = fs::read_to_string(&file).expect("the proposal");
    for expected in says {
        assert!(text.contains(expected), "{expected} is missing in\n{text}");
    }
    let run = subjects.run(&["explain", &file, "--class", class]);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{text}");
    assert!(run.stdout.contains("pred valid("), "{}", run.stdout);
    fs::write(&file, text.replace("// post ", "post ")).expect("the proposal");
    let target = format!("{class}#{method}");
    let out = subjects.path("tests");
    let run = subjects.run(&["generate", &target, "--spec", &file, "--out", &out]);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}\n{text}", run.stdout);
    let tests = run.stdout.lines().find(|line| line.starts_with("wrote "));
    assert!(
        tests.is_some_and(|line| line.contains("tests)")),
        "{}",
        run.stdout
    );
}

#[test]
fn a_list() {
    let says = [
        "list(next, n - 1)",
        "--mode repok",
        "pre  SinglyLinkedList#remove(value)",
    ];
    let source = ["sll/SinglyLinkedList.java"];
    check(&source, "subjects.sll.SinglyLinkedList", "remove", &says);
}

#[test]
fn a_circle_through_a_header_in_both_directions() {
    let says = [
        "previous: before",
        "segment(first_node, header, last_node, header, n)",
    ];
    let source = ["dll/DoublyLinkedList.java"];
    check(
        &source,
        "subjects.dll.DoublyLinkedList",
        "removeLast",
        &says,
    );
}

#[test]
fn a_search_tree() {
    let says = ["search_tree(left, lo, k)", "lo < k & k < hi"];
    let source = ["bst/BinarySearchTree.java", "bst/BinaryNode.java"];
    check(&source, "subjects.bst.BinarySearchTree", "contains", &says);
}

#[test]
fn a_tree_with_parents_and_a_size() {
    let says = [
        "parent: above",
        "n = n1 + n2 + 1",
        "// pre  RedBlackTree#rotateLeft(entry)",
    ];
    let source = ["rbt/RedBlackTree.java"];
    check(&source, "subjects.rbt.RedBlackTree", "firstKey", &says);
}

#[test]
fn a_tree_with_a_sentinel() {
    let says = [
        "sentinel -> AaTree$Node(left: sentinel, right: sentinel)",
        "x != end",
    ];
    check(&["aa/AaTree.java"], "subjects.aa.AaTree", "isEmpty", &says);
}

#[test]
fn fields_that_nobody_understands_are_named() {
    let subjects = Subjects::compile("leaves", &["tll/LinkedLeafTree.java"]);
    let text = subjects.propose("subjects.tll.LinkedLeafTree");
    assert!(
        text.contains("// Nothing is said about\n//   LinkedLeafTree$Node.next\n"),
        "{text}"
    );
}

#[test]
fn words_of_the_notation_and_bridges_are_no_obstacles() {
    let text = "class Link implements Comparable<Link> {
        Link next; Link nil; int old;
        public int compareTo(Link other) { return other == null ? 1 : next == null ? 0 : 2; }
        int emp(int[] exists, Link result) { return exists == null || result == null ? 1 : 2; }
        int emp(int exists) { return exists; }
    }";
    let subjects = Subjects::write("words", text);
    let file = subjects.path("Link.sl");
    let run = subjects.run(&["init", "Link", "--out", &file]);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    let text = fs::read_to_string(&file).expect("the proposal");
    assert!(
        text.contains("pre  Link#compareTo(other) := valid(this) * valid(other);"),
        "{text}"
    );
    assert!(
        text.contains("// Nothing is said about\n//   Link.nil\n"),
        "{text}"
    );
    let run = subjects.run(&["generate", "Link", "--spec", &file, "-q"]);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{text}");
    assert!(
        run.stdout.contains("4 of 4 branches covered"),
        "{}",
        run.stdout
    );
}

#[test]
fn classes_are_suggested_and_files_are_kept() {
    let subjects = Subjects::compile("errors", &["stack/LinkedStack.java"]);
    let run = subjects.run(&["init", "subjects.stack.LinkedStak"]);
    assert_eq!(run.code, 1);
    let expected = "did you mean `subjects.stack.LinkedStack`?";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    let run = subjects.run(&["init", "subjects.stack.LinkedStack#push"]);
    assert!(run.stderr.contains("is not one class"), "{}", run.stderr);
    let file = subjects.path("mine.sl");
    fs::write(&file, "// mine\n").expect("a file");
    let arguments = ["init", "subjects.stack.LinkedStack", "--out", &file];
    let run = subjects.run(&arguments);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("is there already"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&file).expect("the file"), "// mine\n");
    let run = subjects.run(&[&arguments[..], &["--force"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = subjects.run(&["init", "subjects.stack.LinkedStack$Underflow"]);
    assert!(
        run.stdout.contains("every object is a valid input"),
        "{}",
        run.stdout
    );
}

#[test]
fn parameters_are_not_called_like_fields_and_repok_is_left_alone() {
    let text = "class Chain { static class Node { Node before; Node after; } Node first; Node last; \
                boolean repOk() { return true; } void clear() { first = null; last = null; } }";
    let subjects = Subjects::write("before", text);
    let proposal = subjects.propose("Chain");
    for expected in [
        "(first, from, last, to) :=",
        "(after: after, before: from)",
        "check --repok Chain ",
        "pre  Chain#clear() :=",
    ] {
        assert!(proposal.contains(expected), "{expected}\n{proposal}");
    }
    for unexpected in ["Chain#repOk", "decides the same"] {
        assert!(!proposal.contains(unexpected), "{unexpected}\n{proposal}");
    }
}

#[test]
fn comments_recommend_what_works() {
    let ring = "class Ring { int[] items; int count; boolean repOk() { return count >= 0; } \
                int size() { return count; } }";
    let subjects = Subjects::write("Ring", ring);
    let text = subjects.propose("Ring");
    assert!(text.contains("--spec Ring.sl"), "{text}");
    assert!(text.contains("The class has repOk().\n"), "{text}");
    // There is no precondition that could be compared.
    assert!(!text.contains("check --repok"), "{text}");
    let chain = "class Chain { Chain next; boolean repOk() { return next != this; } \
                 int length() { return next == null ? 1 : 1 + next.length(); } }";
    let subjects = Subjects::write("Chain", chain);
    let file = subjects.path("mine.sl");
    let run = subjects.run(&["init", "Chain", "--out", &file]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = fs::read_to_string(&file).expect("the proposal");
    assert!(text.contains(&format!("--spec {file}")), "{text}");
    assert!(text.contains("check --repok Chain"), "{text}");
    assert!(!text.contains("Chain.sl"), "{text}");
}

/// The other way to a first specification: a module of the library, with the names of the class.
#[test]
fn a_module_of_the_library_describes_a_java_class() {
    let text = "class Basket { static class Fruit { String name; Fruit rest; } Fruit top; \
                int count() { int n = 0; for (Fruit f = top; f != null; f = f.rest) n++; return n; } }";
    let subjects = Subjects::write("Basket", text);
    let file = subjects.path("Basket.sl");
    let specification = "import singly_linked_list with ListNode = Basket$Fruit(next: rest);\n\
                         pre Basket#count() := list_of_length(top, n) & n < 3;\n\
                         post Basket#count() := list_of_length(top, result);\n";
    fs::write(&file, specification).expect("a specification");
    let run = subjects.run(&["generate", "Basket#count", "--spec", &file]);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
    assert!(
        run.stdout.contains("2 of 2 branches covered"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("postcondition checked"),
        "{}",
        run.stdout
    );
    let wrong = specification.replace("rest)", "rest, value: name)");
    fs::write(&file, wrong).expect("a specification");
    let run = subjects.run(&["generate", "Basket#count", "--spec", &file]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    let expected = "`name` cannot stand for `value`";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}
