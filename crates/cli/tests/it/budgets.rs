//! Code under test that would use up time or memory: the search stays within `--time` and
//! `--memory`, says what ended it, and keeps what it has found.

use crate::common::javac;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use heapwright_java::classpath::JdkSearch;

/// Nothing here takes as long, on any machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The memory that runs get, in megabytes; the program itself, unoptimised, takes a good part of it.
const MEMORY: u64 = 160;

const BOMBS: &str = "package bombs;
import java.util.*;
public class Bombs {
    static class Node { Node next; int value; int[] data; }
    static int endless(int n) { int i = 0; while (true) { i += n; if (i == 123456789) return i; } }
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
    static int million() { return deep(1000000); }
    static int[] huge() { return new int[Integer.MAX_VALUE]; }
    static int[][][] cube() { return new int[65536][65536][65536]; }
    static int[] many() { int[] a = null; while (true) { a = new int[100000]; } }
    static String repeat() { return \"ab\".repeat(1000000000); }
    static List<Object> list(Object o) { List<Object> l = new ArrayList<>(); while (true) l.add(o); }
    static String builder(String s) {
        StringBuilder b = new StringBuilder();
        while (true) { b.append(s); b.append(b); }
    }
    static Node chain(int n) {
        Node head = null;
        while (true) {
            Node node = new Node();
            node.next = head;
            node.data = new int[1000];
            head = node;
        }
    }
    static int[] wide(int n) {
        int[] a = new int[30000];
        int i = 0;
        while (i < n) i++;
        a[0] = i;
        return a;
    }
    static Node merge(Node a, Node b) {
        Node head = null, tail = null;
        while (a != null || b != null) {
            Node n;
            if (b == null || (a != null && a.value <= b.value)) { n = a; a = a.next; }
            else { n = b; b = b.next; }
            if (tail == null) head = n; else tail.next = n;
            tail = n;
        }
        return head;
    }
}
";

/// An unbounded structure with a predicate, and calls that make more and more states.
const TREES: &str = "package bombs;
public class Tree {
    static class Node { Node left, right; int value; }
    Node root;
    int size;
    boolean repOk() { return depth(root, 0) >= 0; }
    static int depth(Node n, int d) {
        return n == null ? d : d > 30 ? 0 : Math.max(depth(n.left, d + 1), depth(n.right, d + 1));
    }
    public void add(int value) {
        Node node = new Node();
        node.value = value;
        if (value % 2 == 0) node.left = root; else node.right = root;
        root = node;
        size++;
    }
    public int sum() { return sum(root); }
    static int sum(Node n) { return n == null ? 0 : n.value + sum(n.left) + sum(n.right); }
}
";

struct Project(PathBuf);

impl Project {
    fn new(name: &str) -> Project {
        let folder = format!("heapwright-budgets-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        fs::create_dir_all(&folder).expect("a folder");
        let sources = [("Bombs.java", BOMBS), ("Tree.java", TREES)];
        let sources = sources.map(|(name, text)| {
            let source = folder.join(name);
            fs::write(&source, text).expect("a source");
            source
        });
        let jdk = JdkSearch::from_environment(None).open();
        let jdk = jdk.expect("this test needs a JDK");
        let compiler = jdk.home().join("bin/javac");
        let options = ["-g", "--release", "17"];
        javac::compile(&compiler, &options, &folder.join("classes"), &sources);
        Project(folder)
    }

    /// Generates tests of a Java target. Returns what was printed and the most memory, in
    /// megabytes.
    fn generate(&self, target: &str, options: &str) -> (String, u64) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
        command.args(["generate", "-v", target, "--any-heap", "-c"]);
        command.arg(self.0.join("classes"));
        self.run(command, options)
    }

    fn run(&self, mut command: Command, options: &str) -> (String, u64) {
        let printed = self.0.join("printed");
        let child = command
            .args(options.split_whitespace())
            .args(["--memory", &MEMORY.to_string()])
            .stdin(Stdio::null())
            .stdout(fs::File::create(&printed).expect("a file"))
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the binary starts");
        let most = watch(child);
        let printed = fs::read_to_string(printed).expect("what was printed");
        assert!(most <= MEMORY, "{most} MB: {printed}");
        (printed, most)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Waits for a process; the most memory that it had, in megabytes, as far as the system tells.
fn watch(mut child: Child) -> u64 {
    let begin = Instant::now();
    let mut most = 0;
    while child
        .try_wait()
        .expect("the state of the process")
        .is_none()
    {
        if begin.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("the process does not end");
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        most = most.max(number.unwrap_or(0) >> 10);
        sleep(Duration::from_millis(3));
    }
    most
}

#[test]
fn java_that_takes_all_time_and_memory() {
    let project = Project::new("java");
    for (method, expected) in [
        ("endless", "infinite loop"),
        ("million", "threw StackOverflowError"),
        ("huge", "out of budget (array length)"),
        ("cube", "out of budget (elements)"),
        ("many", "out of budget (elements)"),
        ("repeat", "out of budget (array length)"),
        ("list", "out of budget (steps)"),
        ("builder", "out of budget (steps)"),
        ("chain", "out of budget (elements)"),
    ] {
        let (printed, _) = project.generate(&format!("bombs.Bombs#{method}"), "--time 10");
        assert!(printed.contains(expected), "{method}: {printed}");
    }
}

/// One method after the other in one process: what the first ones used is there again for the last.
#[test]
fn methods_that_take_all_memory_leave_enough_for_others() {
    let project = Project::new("class");
    let (printed, _) = project.generate("bombs.Bombs", "--time 10");
    let last = printed.split("bombs.Bombs#merge").nth(1);
    let last = last.expect("the last method");
    assert!(last.contains("12 of 12 branches covered"), "{printed}");
}

#[test]
fn searches_that_find_more_and_more_end_by_the_memory_limit() {
    let project = Project::new("search");
    let endless = "--time 60 --all-paths --max-loops 1000000 --max-depth 1000000";
    for mode in ["concolic", "symbolic", "lazy"] {
        let options = format!("{endless} --mode {mode}");
        let (printed, _) = project.generate("bombs.Bombs#wide", &options);
        let expected = "stopped by the memory limit (--memory)";
        assert!(printed.contains(expected), "{mode}: {printed}");
        assert!(
            printed.contains("2 of 2 branches covered"),
            "{mode}: {printed}"
        );
    }
}

#[test]
fn searches_for_structures_and_sequences_end_by_the_memory_limit_or_in_time() {
    let project = Project::new("structures");
    let options = "--mode sequences --scope 7 --length 100 --time 60 --max-states 1000000000";
    let (printed, _) = project.generate("bombs.Tree", options);
    let expected = "stopped by the memory limit (--memory)";
    assert!(
        printed.contains(expected) || printed.contains("every branch"),
        "{printed}"
    );
    assert!(printed.contains("2 of 2 branches covered"), "{printed}");
    for mode in ["repok", "whitebox"] {
        let options = format!("--mode {mode} --scope 20 --all-paths --time 4");
        let (printed, _) = project.generate("bombs.Tree#sum()", &options);
        let ended = ["the memory limit", "the time limit", "the limit on paths"];
        assert!(
            ended.iter().any(|end| printed.contains(end)),
            "{mode}: {printed}"
        );
        assert!(printed.contains("covered"), "{mode}: {printed}");
    }
}

#[test]
fn impl_that_takes_all_time_and_memory() {
    let project = Project::new("impl");
    let file = project.0.join("bombs.impl");
    let program = "
        proc endless(int n) returns int { while (true) { n := n + 1; } return n; }
        proc deep(int n) returns int { if (n == 0) then return 0; return 1 + deep(n - 1); }
        proc million(int n) returns int { return deep(1000000); }
        proc list(int n) returns cons {
            cons c := nil;
            while (true) { c := new cons(n, c); }
            return c;
        }
        proc lengthy(int n) returns cons {
            cons c := nil;
            int i := 0;
            while (i < 3000) { c := new cons(i, c); i := i + 1; }
            i := 0;
            while (i < n) { i := i + 1; }
            return c;
        }
    ";
    fs::write(&file, program).expect("a program");
    for (procedure, options, expected) in [
        ("endless", "--time 10", "out of budget (steps)"),
        ("million", "--time 10", "out of budget"),
        ("list", "--time 10", "out of budget"),
        (
            "lengthy",
            "--time 60 --all-paths --max-loops 1000000 --max-depth 1000000",
            "the memory limit (--memory)",
        ),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
        command.arg("generate");
        command.arg(format!("{}#{procedure}", file.display()));
        let (printed, _) = project.run(command, options);
        assert!(printed.contains(expected), "{procedure}: {printed}");
    }
}
