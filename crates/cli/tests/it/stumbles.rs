//! What a new user runs into: files of an earlier run, lines that cannot be reached, predicates
//! that nobody mentions, numbers that a specification forgets.

use std::path::PathBuf;
use std::process::Command;

use crate::common::{Run, heapwright, javac};

/// A sorted list with a predicate, in a package.
const SORTED: &str = "package demo;

public class Sorted {
    static class Node {
        int value;
        Node next;
    }

    Node first;
    int size;

    boolean repOk() {
        int count = 0;
        for (Node node = first; node != null; node = node.next) {
            if (node.next != null && node.value > node.next.value) {
                return false;
            }
            if (++count > 100) {
                return false;
            }
        }
        return size == count;
    }

    int smallest() {
        if (first == null) {
            throw new IllegalStateException();
        }
        if (size == 0) {
            return -1;
        }
        return first.value;
    }

    void removeFirst() {
        if (first != null) {
            first = first.next;
            size--;
        }
    }
}
";

/// Sorted lists, as the predicate has them.
const EXACT: &str = "
data Sorted { Node first; int size; }
pred sorted(x, lo, n) :=
    emp & x = null & n = 0
  | exists v, next. x -> Node(v, next) * sorted(next, v, n - 1) & lo <= v & n > 0;
pre Sorted#smallest() := exists lo. sorted(this.first, lo, this.size);
pre Sorted#removeFirst() := exists lo. sorted(this.first, lo, this.size);
";

/// Lists: nothing is said about the order.
const UNORDERED: &str = "
pred list(x, n) :=
    emp & x = null & n = 0
  | exists next. x -> Node(_, next) * list(next, n - 1) & n > 0;
pre Sorted#smallest() := list(this.first, this.size);
";

/// A folder with a compiled class, which goes away.
struct Project(PathBuf);

impl Project {
    fn new(name: &str, source: &str) -> Project {
        let name = format!("heapwright-stumbles-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let project = Project(folder);
        project.compile(source);
        project
    }

    fn compile(&self, source: &str) {
        self.compile_to("classes", &["-g"], source);
    }

    fn compile_to(&self, folder: &str, options: &[&str], source: &str) {
        let file = self.write("Sorted.java", source);
        self.javac(folder, options, &[&file]);
    }

    fn javac(&self, folder: &str, options: &[&str], files: &[&str]) {
        javac::compile(&javac::usual(), options, &self.0.join(folder), files);
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).expect("a file");
        self.path(name)
    }

    /// Runs the binary in the folder of the project, and tells what it complains about.
    fn complaint(&self, arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("the binary starts");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).expect("the messages are text")
    }

    fn run(&self, arguments: &[&str]) -> Run {
        let classes = self.path("classes");
        heapwright(&[arguments, &["-c", &classes]].concat())
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_short_name_in_a_specification_means_the_class_of_the_package() {
    let project = Project::new("short", SORTED);
    let spec = project.write("exact.sl", EXACT);
    let run = project.run(&["generate", "demo.Sorted#smallest", "--spec", &spec]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        !run.stdout.contains("without a precondition"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("proved unreachable"), "{}", run.stdout);
    let other = project.write("other.sl", "data Sorted { int size; }");
    let run = project.run(&["generate", "demo.Sorted#smallest", "--spec", &other]);
    assert_eq!(run.code, 1);
    let message = "class `demo.Sorted` is different in the code";
    assert!(run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn a_predicate_that_nobody_makes_use_of_is_mentioned() {
    let project = Project::new("hint", SORTED);
    let hint = "hint: demo.Sorted has a method repOk; with --mode whitebox all inputs satisfy it\n";
    let run = project.run(&["generate", "demo.Sorted", "--any-heap"]);
    assert_eq!(run.stdout.matches(hint).count(), 1, "{}", run.stdout);
    for quiet in [&["--mode", "whitebox"][..], &["-q"], &["--json", "-"]] {
        let run = project.run(&[&["generate", "demo.Sorted#smallest"], quiet].concat());
        assert!(!run.stdout.contains("hint:"), "{}", run.stdout);
    }
}

#[test]
fn a_file_as_a_target_is_answered_with_its_class() {
    let project = Project::new("files", SORTED);
    let complaint = project.complaint(&["generate", "Sorted.java"]);
    let advice = "Sorted.java is a source file; name the class and the folder of the class files \
                  instead: demo.Sorted -c classes\n";
    assert_eq!(complaint, advice);
    for command in ["generate", "init"] {
        let complaint = project.complaint(&[command, "classes/demo/Sorted.class"]);
        let advice = "classes/demo/Sorted.class is a class file; name the class and the folder of \
                      the class files instead: demo.Sorted -c classes\n";
        assert_eq!(complaint, advice);
    }
    let complaint = project.complaint(&["generate", "classes/demo/Sorted$Node.class#m"]);
    assert!(
        complaint.ends_with(": demo.Sorted$Node#m -c classes\n"),
        "{complaint}"
    );
}

#[test]
fn a_class_that_is_elsewhere_is_found_below_the_current_folder() {
    let project = Project::new("elsewhere", SORTED);
    let found = "; it is in ./classes: use -c classes\n";
    for target in [
        "demo.Sorted",
        "demo.Sorted#smallest",
        "demo.Sorted.Node",
        "demo",
    ] {
        let complaint = project.complaint(&["generate", target]);
        assert!(complaint.ends_with(found), "{complaint}");
    }
    let complaint = project.complaint(&["generate", "demo.Sortd", "-c", "classes"]);
    assert!(
        complaint.ends_with("; did you mean `demo.Sorted`?\n"),
        "{complaint}"
    );
    std::fs::remove_dir_all(project.0.join("classes")).expect("classes");
    std::fs::create_dir_all(project.0.join("src/demo")).expect("a folder");
    project.write("src/demo/Sorted.java", SORTED);
    for place in [".", "src"] {
        let complaint = project.complaint(&["generate", "demo.Sorted", "-c", place]);
        let advice = "; src holds its source: compile it (javac -g -d classes --source-path src \
                      src/demo/Sorted.java), and use -c classes\n";
        assert!(complaint.ends_with(advice), "{complaint}");
    }
}

#[test]
fn parameters_without_names_are_mentioned_once() {
    let source = "package demo; class Sorted { int twice(int number) { return 2 * number; } \
                  int half(int number) { return number / 2; } int one() { return 1; } }";
    let project = Project::new("names", source);
    let hint = "hint: demo.Sorted was compiled without -g; compile with -g to see the names of \
                parameters\n";
    let hints = |target: &str| {
        let run = project.run(&["generate", target]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        // The receiver has its name in any case.
        assert!(run.stdout.contains("this = "), "{}", run.stdout);
        run.stdout.matches(hint).count()
    };
    assert_eq!(hints("demo.Sorted"), 0);
    project.compile_to("classes", &[], source);
    assert_eq!(hints("demo.Sorted"), 1);
    assert_eq!(hints("demo.Sorted#one"), 0);
}

#[test]
fn a_line_that_no_valid_input_reaches_is_refuted() {
    let project = Project::new("reach", SORTED);
    let spec = project.write("exact.sl", EXACT);
    let line = SORTED.lines().position(|line| line.contains("return -1;"));
    let line = (line.expect("a line") + 1).to_string();
    let reach = ["generate", "demo.Sorted#smallest", "--reach", &line];
    let run = project.run(&[&reach[..], &["--spec", &spec]].concat());
    assert!(run.stdout.contains("cannot be reached"), "{}", run.stdout);
    assert_eq!(run.code, 4, "{}", run.stdout);
    let run = project.run(&reach);
    assert_eq!(run.code, 0, "{}", run.stdout);
    // A search that is cut short proves nothing.
    let bounds = ["--spec", &spec, "--max-paths", "1"];
    let run = project.run(&[&reach[..], &bounds].concat());
    assert_eq!(run.code, 3, "{}", run.stdout);
}

#[test]
fn findings_that_are_gone_are_removed() {
    let broken = SORTED.replace("size--;", "");
    let project = Project::new("stale", &broken);
    let out = project.path("tests");
    let findings = project.0.join("tests/demo/SortedFindingsTest.java");
    let arguments = [
        "generate",
        "demo.Sorted",
        "--mode",
        "repok",
        "--scope",
        "2",
        "--out",
        &out,
        "--findings",
    ];
    let run = project.run(&arguments);
    assert_eq!(run.code, 4, "{}", run.stdout);
    assert!(findings.is_file(), "{}", run.stdout);
    // One bug is one finding, however many inputs show it.
    assert!(run.stdout.contains("\n1 finding\n"), "{}", run.stdout);
    assert!(run.stdout.contains("more input"), "{}", run.stdout);
    project.compile(SORTED);
    let run = project.run(&arguments);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(!findings.exists(), "{}", run.stdout);
    let removed = "SortedFindingsTest.java: it has no tests any more";
    assert!(run.stdout.contains(removed), "{}", run.stdout);
    // What somebody wrote stays.
    std::fs::write(&findings, "// Mine.\n").expect("a file");
    let run = project.run(&arguments);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(findings.is_file(), "{}", run.stdout);
}

#[test]
fn a_missing_condition_on_a_number_is_noticed() {
    let project = Project::new("numbers", SORTED);
    let check = |name: &str, text: &str, target: &str| {
        let spec = project.write(name, text);
        project.run(&["check", "--repok", target, "--spec", &spec, "--scope", "3"])
    };
    // The whole class: both preconditions are the same.
    let run = check("exact.sl", EXACT, "demo.Sorted");
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(run.stdout.matches("all of which satisfy").count(), 2);
    let run = check("unordered.sl", UNORDERED, "demo.Sorted#smallest");
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    let expected = "the precondition holds, but not the predicate";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    assert!(
        run.stdout.contains("the predicate would hold"),
        "{}",
        run.stdout
    );
    let different = format!("{UNORDERED}pre Sorted#removeFirst() := list(this.first, 3);");
    let run = check("different.sl", &different, "demo.Sorted");
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("preconditions differ"),
        "{}",
        run.stderr
    );
}

/// A method that needs many classes of the JDK, which are loaded after its specification was read.
const GROWING: &str = "package demo;

import java.util.ArrayList;
import java.util.TreeMap;

public class Sorted {
    Sorted next;
    int value;

    int sum(int least) {
        ArrayList<Integer> all = new ArrayList<>();
        TreeMap<Integer, String> map = new TreeMap<>();
        for (Sorted node = this; node != null; node = node.next) {
            all.add(node.value);
            if (node.value > least) {
                map.put(node.value, \"x\");
            }
        }
        return all.size() + map.size();
    }
}
";

#[test]
fn classes_of_a_specification_are_not_mixed_up_with_classes_that_are_loaded_later() {
    let project = Project::new("growing", GROWING);
    let classes: String = (0..12)
        .map(|n| {
            format!(
                "data Own{n} {{ int a; long b; Own{n} c; bool d; double e; }}
                 pred own{n}(x, n) := emp & x = null & n = 0
                   | exists a, b, c, d. x -> Own{n}(a, b, c, d, _) * own{n}(c, n - 1)
                         & n > 0 & a > n & b < a & d;\n"
            )
        })
        .collect();
    let text = format!(
        "{classes}
         pred list(x, n) := emp & x = null & n = 0
           | exists next. x -> Sorted(next, _) * list(next, n - 1) & n > 0;
         pre Sorted#sum(least) := exists n. list(this, n) & n < 3;"
    );
    let spec = project.write("own.sl", &text);
    let run = project.run(&["generate", "demo.Sorted#sum", "--spec", &spec]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("branches covered"), "{}", run.stdout);
}

/// A stack with a method that calls another, one that is overloaded, and one that is wrong.
const STACK: &str = "package demo;

public class Sorted {
    static class Node {
        int value;
        Node next;
    }

    Node head;
    int count;

    void add(int value) {
        if (value > 0) {
            count++;
        }
    }

    void add(int value, int times) {
        if (times > 1) {
            add(value);
        }
    }

    int pop() {
        int value = head.value;
        if (count > 1) {
            head = head.next;
        }
        count--;
        return value;
    }
}
";

/// What a stack is, and that it stays one.
const STACK_SPEC: &str = "
pred list(x, n) :=
    emp & x = null & n = 0
  | exists next. x -> Node(_, next) * list(next, n - 1) & n > 0;
pre Sorted#pop() := list(this.head, this.count) & this.count > 0;
post Sorted#pop() := list(this.head, this.count) & this.count = old(this.count) - 1;
";

#[test]
fn branches_of_other_methods_and_of_findings_are_told_apart() {
    let project = Project::new("counted", STACK);
    let run = project.run(&["generate", "demo.Sorted#add(int,int)", "--verify"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let line = "  4 of 4 branches covered (2 of 2 its own, 2 of 2 in called code), ";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    // What the virtual machine sees is the same, method by method and together.
    let rows: Vec<&str> = (run.stdout.lines())
        .skip_while(|line| !line.contains("branches that passing tests take"))
        .skip(1)
        .collect();
    let figures = |row: &str| {
        row.split_whitespace()
            .rev()
            .take(6)
            .collect::<Vec<_>>()
            .len()
    };
    assert_eq!(rows.len(), 3, "{}", run.stdout);
    assert!(rows.iter().all(|row| figures(row) == 6));
    assert!(
        rows[2].starts_with("  total ") && rows[2].ends_with("4 of 4     4 of 4"),
        "{}",
        run.stdout
    );
    // A test that fails is not measured, and that is said.
    let spec = project.write("stack.sl", STACK_SPEC);
    let pop = ["generate", "demo.Sorted#pop", "--spec", &spec, "--verify"];
    let run = project.run(&pop);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("  2 of 2 branches covered, "),
        "{}",
        run.stdout
    );
    let note = "not counted here: 1 branch that only tests of findings take";
    assert!(run.stdout.contains(note), "{}", run.stdout);
}

#[test]
fn a_name_means_all_methods_of_the_name() {
    let project = Project::new("overloads", STACK);
    let out = project.path("tests");
    let run = project.run(&["generate", "demo.Sorted#add", "--out", &out]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    for title in [
        "demo.Sorted#add(int value)\n",
        "demo.Sorted#add(int value, int times)\n",
    ] {
        assert!(run.stdout.contains(title), "{}", run.stdout);
    }
    assert!(!run.stdout.contains("#pop"), "{}", run.stdout);
    // They are in one class, which is called after the name.
    assert!(project.0.join("tests/demo/Sorted_addTest.java").is_file());
    let run = project.run(&["generate", "demo.Sorted#add(int,int)", "--out", &out]);
    assert!(!run.stdout.contains("#add(int value)\n"), "{}", run.stdout);
    assert!(
        project
            .0
            .join("tests/demo/Sorted_add_intIntTest.java")
            .is_file()
    );
    // Where one method is needed, those that there are can be copied.
    let run = project.run(&["generate", "demo.Sorted#pop", "--repok", "demo.Sorted#add"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    let listed = "write one of 'demo.Sorted#add(int)', 'demo.Sorted#add(int,int)'";
    assert!(run.stderr.contains(listed), "{}", run.stderr);
}

#[test]
fn a_contradiction_in_a_specification_is_told_once() {
    let project = Project::new("contradiction", STACK);
    let contradictory = STACK_SPEC.replace("& n > 0", "& n > 0 & n < 0");
    // Every method that needs a stack with something on it can never be called.
    let same = "list(this.head, this.count) & this.count > 0";
    let text = format!("{contradictory}pre Sorted#add(int value) := {same};\n");
    let spec = project.write("stack.sl", &text);
    let run = project.run(&["generate", "demo.Sorted", "--specified", "--spec", &spec]);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    for name in ["`demo.Sorted#pop`", "`demo.Sorted#add`"] {
        assert_eq!(run.stderr.matches(name).count(), 1, "{}", run.stderr);
    }
    let complaint = "no heap satisfies the precondition of ";
    assert_eq!(run.stderr.matches(complaint).count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("see heapwright check "),
        "{}",
        run.stderr
    );
    assert!(!run.stdout.contains("proved unreachable"), "{}", run.stdout);
    // A stack can be empty only, which was not meant.
    let text = contradictory.replace(" & this.count > 0", "");
    let spec = project.write("stack.sl", &text);
    let run = project.run(&["generate", "demo.Sorted#pop", "--spec", &spec]);
    assert!(run.stdout.contains("proved unreachable"), "{}", run.stdout);
    let warning = "no heap satisfies disjunct 2 of `list`";
    assert_eq!(run.stderr.matches(warning).count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("n is at most -1"), "{}", run.stderr);
    // Without a contradiction nothing is said.
    let spec = project.write("stack.sl", STACK_SPEC);
    let run = project.run(&["generate", "demo.Sorted#pop", "--spec", &spec]);
    assert_eq!(run.stderr, "");
}

#[test]
fn reasons_and_paths_are_told_in_words() {
    let project = Project::new("told", STACK);
    let spec = project.write("stack.sl", STACK_SPEC);
    let run = project.run(&[
        "generate",
        "demo.Sorted#pop",
        "--spec",
        &spec,
        "--json",
        "-",
    ]);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    for words in [
        // The object is called by the way to it, not by a number.
        "the postcondition does not hold: list(this.head, 0) does not hold: disjunct 1 needs x = \
         null (x = this.head)",
        "`this.head` is inside of `list`, by its disjunct 2: a Node at x",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("predicate instance"), "{}", run.stdout);
}

#[test]
fn exceptions_are_listed_but_are_no_findings() {
    let project = Project::new("exceptions", STACK);
    let run = project.run(&["generate", "demo.Sorted#pop", "--findings"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("\nno failures found\n"),
        "{}",
        run.stdout
    );
    let exception = "  exception: threw NullPointerException";
    assert!(run.stdout.contains(exception), "{}", run.stdout);
    // Methods are not called procedures.
    let twice = STACK
        .replace("count--;", "assert count < 5; count--;")
        .replace(
            "void add(int value, int times) {",
            "int top() { return pop(); } void add(int value, int times) {",
        );
    project.compile(&twice);
    let run = project.run(&["generate", "demo.Sorted", "--any-heap", "--findings"]);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains(" and 1 other method\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn contracts_are_explained_as_they_are_written() {
    let project = Project::new("contracts", STACK);
    let text = format!("{STACK_SPEC}post Sorted#pop() throws NullPointerException := emp;\n");
    let spec = project.write("stack.sl", &text);
    let run = project.run(&["explain", &spec, "--class", "demo.Sorted"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    for expected in [
        "old(this.count) is this.count + 1",
        "postcondition of demo.Sorted#pop\n",
        "postcondition of demo.Sorted#pop when it throws NullPointerException\n",
    ] {
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    }
}

#[test]
fn nodes_of_another_package_need_no_package_where_there_is_one_class_of_the_name() {
    let project = Project::new("elsewhere-nodes", SORTED);
    let cell = "package other; public class Cell { public int value; public Cell next; }";
    let queue = "package demo;
        public class Queue {
            other.Cell head;
            int count;
            public int first() {
                if (head == null) { throw new IllegalStateException(); }
                return count == 0 ? -1 : head.value;
            }
        }";
    let cell = project.write("Cell.java", cell);
    let queue = project.write("Queue.java", queue);
    project.javac("classes", &["-g"], &[&cell, &queue]);
    let text = "pred list(x, n) := emp & x = null & n = 0
          | exists next. x -> Cell(_, next) * list(next, n - 1) & n > 0;
        pre Queue#first() := list(this.head, this.count);";
    // With and without a declaration.
    for data in ["", "data Cell { int value; Cell next; }\n"] {
        let spec = project.write("queue.sl", &format!("{data}{text}"));
        let run = project.run(&["generate", "demo.Queue#first", "--spec", &spec]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
        assert!(run.stdout.contains("  3 of 4 branches"), "{}", run.stdout);
    }
    // A method that the other class does not have is noticed.
    let spec = project.write("queue.sl", "pre Cell#last() := emp;");
    let run = project.run(&["generate", "demo.Queue#first", "--spec", &spec]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("`last`"), "{}", run.stderr);
    // A proposal has such nodes as well.
    let run = project.run(&["init", "demo.Queue"]);
    assert!(run.stdout.contains("-> Cell(next: next)"), "{}", run.stdout);
    // Models can be enumerated without a declaration.
    let spec = project.write("queue.sl", text);
    let list = format!("{spec}#list");
    let count = ["enumerate", &list, "--size", "2", "--count"];
    let run = project.run(&[&count[..], &["--class", "demo.Queue"]].concat());
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "1\n"),
        "{}",
        run.stderr
    );
    let run = project.run(&count);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("--class pkg.Class"), "{}", run.stderr);
}

#[test]
fn mistakes_in_a_specification_are_answered_with_what_to_write() {
    let project = Project::new("mistakes", STACK);
    let check = |text: &str, expected: &[&str]| {
        let spec = project.write("wrong.sl", text);
        let run = project.run(&["generate", "demo.Sorted#pop", "--spec", &spec]);
        assert_eq!(run.code, 1, "{}", run.stdout);
        for expected in expected {
            assert!(run.stderr.contains(expected), "{}", run.stderr);
        }
    };
    let throws = |name: &str| format!("{STACK_SPEC}post Sorted#pop() throws {name} := emp;");
    check(
        &throws("NullPointerExcepton"),
        &["did you mean `NullPointerException`?"],
    );
    check(
        &throws("UncheckedIOException"),
        &["did you mean `java.io.UncheckedIOException`?"],
    );
    check(
        &throws("Nothing"),
        &["write it with its package, as in `java.io.IOException`"],
    );
    check(
        &STACK_SPEC.replace("list(next, n - 1)", "list(next)"),
        &[
            "`list` takes 2 arguments, but 1 is given",
            "help: add n; `_` stands for any value",
        ],
    );
}

/// What is said about the names of a specification, by two commands.
fn warnings(project: &Project, text: &str) -> String {
    let spec = project.write("given.sl", text);
    let run = project.run(&["generate", "demo.Sorted#pop", "--spec", &spec]);
    let check = ["check", &spec, "--class", "demo.Sorted"];
    assert_eq!(run.stderr, project.run(&check).stderr);
    run.stderr
}

#[test]
fn a_misspelled_field_is_no_silent_variable() {
    let project = Project::new("misspelled", STACK);
    let (predicate, _) = STACK_SPEC.split_once("pre ").expect("a precondition");
    let spec = |count: &str| {
        format!(
            "{predicate}pre Sorted#pop() := list(head, {count});\n\
             pre Sorted#add(value, times) := list(head, {count});\n"
        )
    };
    let text = warnings(&project, &spec("cuont"));
    for expected in [
        "warning: `cuont` stands for any value, since nothing else mentions it",
        "given.sl:",
        "did you mean `count`?",
        "write `_` if any value is meant",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    // Once for all contracts.
    assert_eq!(text.matches("warning: ").count(), 1, "{text}");
    // What is spelled like nothing else is a variable.
    for name in ["anything", "_"] {
        assert_eq!(warnings(&project, &spec(name)), "", "{name}");
    }
}

#[test]
fn names_that_mean_nothing_are_answered_with_what_may_be_meant() {
    let project = Project::new("meant", SORTED);
    let check = |arguments: &[&str], expected: &[&str]| {
        let text = project.complaint(arguments);
        for expected in expected {
            assert!(text.contains(expected), "{arguments:?}: {text}");
        }
    };
    let generate = |target: &'static str| ["generate", target, "-c", "classes"];
    check(
        &generate("demo.Sorted#delete"),
        &["has no method `delete`; it has removeFirst, repOk, smallest"],
    );
    check(
        &generate("demo.Sorted.smallest"),
        &["did you mean `demo.Sorted#smallest`?"],
    );
    check(
        &generate("Missing.java#m"),
        &["there is no file Missing.java; name the class, `Missing#m`"],
    );
    let all = generate("demo.Sorted");
    check(
        &[&all[..], &["--repok", "repOk"]].concat(),
        &["did you mean `demo.Sorted#repOk`?"],
    );
    check(
        &[&all[..], &["--jdk", "nowhere"]].concat(),
        &["the JDK nowhere does not exist"],
    );
    check(
        &["generate", "demo.Sorted", "-c", "classes/demo"],
        &["use the one above: -c classes\n"],
    );
    check(
        &[
            &all[..],
            &["--out", "out", "--verify", "--tools", "nowhere"],
        ]
        .concat(),
        &["nowhere/"],
    );
    assert!(!project.0.join("out").exists());
    project.write("sorted.sl", EXACT);
    check(
        &[&all[..], &["sorted.sl"]].concat(),
        &["sorted.sl is a specification and no target; write --spec sorted.sl"],
    );
    project.write("wrong.sl", "pre Sorted#smallest(x) := emp;");
    check(
        &[&all[..], &["--spec", "wrong.sl"]].concat(),
        &["no method `smallest` has 1 parameter\n", "`smallest()`"],
    );
    check(
        &[
            "check",
            "--repok",
            "demo.Sorted#repOk",
            "-c",
            "classes",
            "--spec",
            "sorted.sl",
        ],
        &[
            "is the predicate itself",
            "--repok demo.Sorted",
            "--predicate",
        ],
    );
}

#[test]
fn a_specification_of_another_class_is_noticed() {
    let project = Project::new("other-class", SORTED);
    let other = "package demo; public class Other { Other next; int m() { return 1; } }";
    let other = project.write("Other.java", other);
    project.javac("classes", &["-g"], &[&other]);
    let spec = project.write("other.sl", "pre Other#m() := emp;");
    let run = project.run(&["generate", "demo.Sorted#smallest", "--spec", &spec]);
    let expected = "other.sl says nothing about the methods of demo.Sorted\n";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    assert_eq!(run.stderr.matches("warning").count(), 1, "{}", run.stderr);
    let spec = project.write("sorted.sl", EXACT);
    let run = project.run(&["generate", "demo.Sorted#smallest", "--spec", &spec]);
    assert_eq!(run.stderr, "");
}

#[test]
fn methods_that_are_called_like_a_predicate_and_are_none_are_named() {
    let project = Project::new("no-predicate", SORTED);
    for (declaration, expected) in [
        (
            "void checkRep() {",
            "checkRep returns nothing; heapwright needs a method that returns boolean",
        ),
        ("boolean repOk(int most) {", "repOk has parameters; "),
        (
            "static boolean repOk(Sorted list) {",
            "name it with --repok demo.Sorted#repOk",
        ),
    ] {
        let body = if declaration.starts_with("void") {
            "}"
        } else {
            "return true; }"
        };
        project.compile(&format!(
            "package demo; public class Sorted {{ int size; {declaration} {body} int m() {{ return size; }} }}"
        ));
        for mode in ["repok", "whitebox"] {
            let run = project.run(&["generate", "demo.Sorted#m", "--mode", mode]);
            assert_eq!(run.code, 1, "{}", run.stdout);
            assert!(run.stderr.contains(expected), "{}", run.stderr);
        }
    }
}

#[test]
fn a_loop_that_never_ends_is_named_so() {
    let project = Project::new("never-ends", SORTED);
    let source =
        "package demo; public class Sorted { static int m(int n) { while (n > 0) { } return n; } }";
    project.compile(source);
    let run = project.run(&["generate", "demo.Sorted#m"]);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("! m_neverEnds"), "{}", run.stdout);
    assert!(!run.stdout.contains("outOfSteps"), "{}", run.stdout);
}
