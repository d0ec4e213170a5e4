//! Classes without a specification: objects as inferred from the code, where no call leads.

use crate::common::project::Project;
use crate::common::{as_typed, heapwright};

/// Values are even, which nothing but the only method that adds them says.
const EVENS: &str = "package demo;

public class Evens {
    static class Node {
        final int value;
        final Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    private Node first;

    public void add(int half) {
        first = new Node(2 * half, first);
    }

    public int sum() {
        int sum = 0;
        for (Node node = first; node != null; node = node.next) {
            if (node.value % 2 != 0) {
                throw new AssertionError(\"odd\");
            }
            sum += node.value;
        }
        return sum;
    }
}
";

#[test]
fn failures_on_objects_that_nobody_builds_are_unconfirmed() {
    let project = Project::of_texts("inferred-evens", &[("Evens.java", EVENS)]);
    let (classes, out) = (project.classes(), project.path("out"));
    let usual = ["generate", "demo.Evens", "-c", &classes, "--time", "600"];
    let run = heapwright(&[&usual[..], &["--findings", "--out", &out]].concat());
    assert_eq!(run.code, 0, "{}", run.stdout);
    let says = [
        "1 test has an input by the inferred invariant (`heapwright infer demo.Evens`)",
        "~ sum_throwsAssertionError",
        "no failures found\n1 unconfirmed failure (not counted: the input is only inferred to be valid)",
    ];
    for says in says {
        assert!(run.stdout.contains(says), "{says}\n{}", run.stdout);
    }
    let text = project.read("out/demo/EvensFindingsTest.java");
    let comment =
        "// The input is only inferred to be valid: no public calls that build it are known.";
    assert!(text.contains(comment), "{text}");

    let run = heapwright(&[&usual[..], &["--no-infer"]].concat());
    assert!(!run.stdout.contains("inferred"), "{}", run.stdout);
    assert!(
        run.stdout.contains("not taken: `(node.value % 2) != 0`"),
        "{}",
        run.stdout
    );
}

/// Covered branches of a run.
fn covered(stdout: &str) -> usize {
    let line = stdout
        .lines()
        .find(|line| line.contains("branches covered"));
    let words = line.and_then(|line| line.split(": ").nth(1)?.split(' ').next());
    words.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[test]
fn inferred_objects_lead_where_those_of_a_specification_do() {
    let file = "subjects/java/src/subjects/rbt/RedBlackTree.java";
    let project = Project::of_files("inferred-rbt", &[file]);
    let (classes, out) = (project.classes(), project.path("out"));
    let class = "subjects.rbt.RedBlackTree";
    let usual = ["generate", class, "-c", &classes, "-q", "--time", "600"];
    let calls = heapwright(&[&usual[..], &["--no-infer"]].concat());
    let specified = ["--spec", "subjects/java/specs/RedBlackTree.sl"];
    let specified = heapwright(&[&usual[..], &specified].concat());
    let usual = ["generate", class, "-c", &classes, "--time", "600"];
    let inferred = as_typed(&[&usual[..], &["--out", &out, "--verify"]].concat());
    assert!(covered(&calls.stdout) < covered(&specified.stdout));
    assert!(
        covered(&inferred.stdout) >= covered(&specified.stdout),
        "{}",
        inferred.stdout
    );
    // The predicate of the class accepts the inputs on a virtual machine as well.
    for says in ["verified on Java", "the predicate accepts all"] {
        assert!(inferred.stdout.contains(says), "{}", inferred.stdout);
    }
    assert!(!inferred.stdout.contains("fails"), "{}", inferred.stdout);
}

#[test]
fn a_method_that_is_named_alone_gets_nodes_of_models() {
    let file = "subjects/java/src/subjects/rbt/RedBlackTree.java";
    let project = Project::of_files("inferred-alone", &[file]);
    let target = "subjects.rbt.RedBlackTree#predecessor";
    let run = heapwright(&[
        "generate",
        target,
        "-c",
        &project.classes(),
        "--time",
        "600",
    ]);
    assert!(
        run.stdout.contains("10 of 10 branches covered"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("tests have inputs by the inferred invariant"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_model_that_calls_build_is_built_by_them() {
    let file = "subjects/java/src/subjects/stack/LinkedStack.java";
    let project = Project::of_files("inferred-stack", &[file]);
    let out = project.path("out");
    let target = "subjects.stack.LinkedStack#search";
    let classes = project.classes();
    let usual = ["generate", target, "-c", &classes, "--out", &out];
    let run = heapwright(&[&usual[..], &["--time", "600"]].concat());
    assert!(run.stdout.contains("8 of 8 branches"), "{}", run.stdout);
    let text = project.read("out/subjects/stack/LinkedStack_searchTest.java");
    assert!(text.contains("built by public calls"), "{text}");
    assert!(!text.contains("reflect"), "{text}");
}

/// A queue whose `take` forgets the size of the last object.
fn queue(last: &str) -> String {
    format!(
        "package demo;

public class Queue {{
    static class Node {{
        int value;
        Node next;
    }}

    private Node first;
    private Node last;
    private int size;

    public void add(int value) {{
        Node node = new Node();
        node.value = value;
        if (first == null) {{
            first = node;
        }} else {{
            last.next = node;
        }}
        last = node;
        size++;
    }}

    public int take() {{
        if (first == null) {{
            throw new IllegalStateException(\"empty\");
        }}
        int value = first.value;
        first = first.next;
        {last}
        return value;
    }}

    public int size() {{
        return size;
    }}
}}
"
    )
}

const RIGHT: &str = "size--; if (first == null) { last = null; }";
const WRONG: &str = "if (first == null) { last = null; } else { size--; }";

/// What queues are.
const QUEUES: &str = "
pred nodes(x, last, n) :=
    emp & x = null & last = null & n = 0
  | x -> Queue$Node(next: null) & x = last & n = 1
  | exists next. x -> Queue$Node(next: next) * nodes(next, last, n - 1) & next != null & n > 1;

pre Queue#size() :=
    exists f, l, n. this -> Queue(first: f, last: l, size: n) * nodes(f, l, n);
";

/// The same, but the last node is forgotten.
const WITHOUT_LAST: &str = "
pred nodes(x, n) :=
    emp & x = null & n = 0
  | exists next. x -> Queue$Node(next: next) * nodes(next, n - 1) & n > 0;

pre Queue#size() :=
    exists f, n. this -> Queue(first: f, last: null, size: n) * nodes(f, n);
";

fn check(test: &str, take: &str, specification: &str) -> crate::common::Run {
    let texts = [("Queue.java", &*queue(take))];
    let project = Project::of_texts(test, &texts);
    let spec = project.write("Queue.sl", specification);
    let classes = project.classes();
    let usual = ["check", "--inferred", "demo.Queue", "--spec", &spec];
    heapwright(&[&usual[..], &["-c", &classes, "--time", "600"]].concat())
}

#[test]
fn a_specification_and_the_code_agree() {
    let run = check("inferred-agree", RIGHT, QUEUES);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("all accepted"), "{}", run.stdout);
    assert!(
        run.stdout.contains("all reached by calls"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_state_that_the_specification_rejects_is_shown_with_its_calls() {
    let run = check("inferred-wrong", WRONG, QUEUES);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    let says = [
        "reached by calls, but not accepted:",
        "built by: new Queue(); add(",
        "; take()",
    ];
    for says in says {
        assert!(run.stdout.contains(says), "{says}\n{}", run.stdout);
    }
}

#[test]
fn an_object_that_is_allowed_is_shown_with_the_call_that_fails_on_it() {
    let run = check("inferred-weak", RIGHT, WITHOUT_LAST);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    let says = [
        "accepted, but not seen to be reached by calls:",
        "one that a call breaks",
        "fails on it: NullPointerException",
    ];
    for says in says {
        assert!(run.stdout.contains(says), "{says}\n{}", run.stdout);
    }
}

/// A list whose methods fail on some objects.
const CHAIN: &str = "package demo;

public class Chain {
    static class Link {
        int value;
        Link next;
    }

    private Link first;
    private int size;

    public void add(int value) {
        Link link = new Link();
        link.value = value;
        link.next = first;
        first = link;
        size++;
    }

    public int get(int index) {
        Link link = first;
        for (int i = 0; i < index; i++) {
            link = link.next;
        }
        return link.value;
    }

    public int checked(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException();
        }
        return get(index);
    }

    private int second() {
        return first.next.value;
    }
}
";

#[test]
fn preconditions_keep_out_calls_that_fail() {
    let project = Project::of_texts("inferred-chain", &[("Chain.java", CHAIN)]);
    let classes = project.classes();
    let exact = "the checker rejects the calls that failed, and accepts the others";
    let none = "calls failed.";
    let methods: [(&str, &[&str]); 3] = [
        ("get", &["& first != null", "& a1 < size", exact]),
        ("checked", &["// - none of", none, ":= chain(this);"]),
        ("second", &["not allowed: this.size = 1", exact]),
    ];
    for (method, says) in methods {
        let target = format!("demo.Chain#{method}");
        let run = heapwright(&["infer", &target, "-c", &classes, "--time", "600"]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        for says in says {
            assert!(run.stdout.contains(says), "{says}\n{}", run.stdout);
        }
    }
}
