//! Where the specifications of Java classes may come from: a file, a file beside the class,
//! annotations, the notation of the StarFinder tools, the command line.

use crate::common::project::Project;
use crate::common::{Run, heapwright};

/// A list whose `last` fails on null; which inputs there are depends on the specification.
const CLASS: &str = r#"
package demo;

class Chain {
    Node head;

    static class Node {
        int value;
        Node next;
    }

    int last() {
        Node node = head;
        while (node.next != null) {
            node = node.next;
        }
        return node.value;
    }

    void drop(int n) {
        if (head == null) {
            throw new IllegalStateException();
        }
        head = head.next;
    }
}
"#;

/// The same with annotations of its own.
const ANNOTATED: &str = r#"
package demo;

@interface Specification { String value(); }
@interface Pre { String value(); }

@Specification("pred chain(x) := emp & x = null | exists n. x -> Annotated$Node(_, n) * chain(n);")
class Annotated {
    Node head;

    static class Node {
        int value;
        Node next;
    }

    @Pre("chain(this.head) & this.head != null")
    int last() {
        Node node = head;
        while (node.next != null) {
            node = node.next;
        }
        return node.value;
    }
}
"#;

const SPECIFICATION: &str = "
pred chain(x) := emp & x = null | exists n. x -> Chain$Node(_, n) * chain(n);
pre Chain#last() := chain(this.head) & this.head != null;
";

const PREDICATES: &str = "pred chain(x) == x=null || x::demo_Chain__Node<_,n> * chain(n);";

fn compiled(test: &str) -> Project {
    let classes = [("Chain.java", CLASS), ("Annotated.java", ANNOTATED)];
    Project::of_texts(test, &classes)
}

fn generate(project: &Project, target: &str, more: &[&str]) -> Run {
    let classes = project.classes();
    let usual = ["generate", "-v", target, "-c", &classes];
    heapwright(&[&usual, more].concat())
}

/// Without a specification the head may be null, so there is a test that throws; with one all
/// inputs are chains with a node.
fn check(run: &Run, tests: &str) {
    assert_eq!(run.stderr, "");
    let line = format!("2 of 2 branches covered, {tests}");
    assert!(run.stdout.contains(&line), "{}", run.stdout);
}

#[test]
fn specifications_come_from_where_they_are() {
    let project = compiled("specifications");
    let last = "demo.Chain#last";
    check(&generate(&project, last, &[]), "2 tests");
    let file = project.write("list.sl", SPECIFICATION);
    check(&generate(&project, last, &["--spec", &file]), "1 test");
    let file = project.write("list.pred", PREDICATES);
    let pre = "pre last == chain(this_head) & this_head!=null";
    check(
        &generate(&project, last, &["--spec", &file, "--pre", pre]),
        "1 test",
    );
    let whole = project.write("whole.pred", &format!("{PREDICATES}\n{pre}"));
    check(&generate(&project, last, &["--spec", &whole]), "1 test");
    check(&generate(&project, "demo.Annotated#last", &[]), "1 test");
    check(
        &generate(&project, "demo.Annotated#last", &["--no-spec"]),
        "2 tests",
    );
    project.write("classes/demo/Chain.sl", SPECIFICATION);
    check(&generate(&project, last, &[]), "1 test");
}

/// A contract without a class is for the class under test.
#[test]
fn contracts_need_no_class() {
    let project = compiled("bare");
    let file = project.path("bare.sl");
    let specify = |text: &str| project.write("bare.sl", text);
    specify(&SPECIFICATION.replace("Chain#", ""));
    check(
        &generate(&project, "demo.Chain#last", &["--spec", &file]),
        "1 test",
    );
    check(
        &generate(&project, "demo.Chain", &["--spec", &file]),
        "1 test",
    );
    specify("pre lats() := emp;");
    let run = generate(&project, "demo.Chain", &["--spec", &file]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    let message = "demo.Chain has no method `lats`";
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert!(
        run.stderr.contains("did you mean `last`?"),
        "{}",
        run.stderr
    );
    // Two classes have the method.
    specify("pre last() := emp;");
    let run = generate(&project, "demo.*", &["--spec", &file]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    let help = "write the class that is meant: `demo.Annotated#last`";
    assert!(run.stderr.contains(help), "{}", run.stderr);
}

/// What is promised for exceptions is checked where they are thrown.
#[test]
fn exceptional_postconditions_are_checked() {
    let project = compiled("exceptional");
    let out = project.path("out");
    let generate_with = |promise: &str| {
        let text = format!("{SPECIFICATION}post Chain#drop(n) throws {promise};");
        let file = project.write("throws.sl", &text);
        let more = ["--spec", &file, "--out", &out, "--verify"];
        generate(&project, "demo.Chain#drop", &more)
    };
    let kept = generate_with("IllegalStateException := this.head = old(this.head)");
    assert_eq!(
        (kept.code, kept.stderr.as_str()),
        (0, ""),
        "{}",
        kept.stdout
    );
    let broken = generate_with("java.lang.RuntimeException := this.head != null");
    assert_eq!(broken.code, 4, "{}{}", broken.stdout, broken.stderr);
    let finding = "the postcondition does not hold";
    assert!(broken.stdout.contains(finding), "{}", broken.stdout);
    let predicted = "findings: 1 of 1 test failed as predicted";
    assert!(broken.stdout.contains(predicted), "{}", broken.stdout);
    // Nothing is promised for this one.
    let other = generate_with("java.util.NoSuchElementException := this.head != null");
    assert_eq!(
        (other.code, other.stderr.as_str()),
        (0, ""),
        "{}",
        other.stdout
    );
    let unknown = generate_with("NoSuchException := this.head != null");
    assert_eq!(unknown.code, 1, "{}", unknown.stdout);
    let message = "there is no exception `NoSuchException`";
    assert!(unknown.stderr.contains(message), "{}", unknown.stderr);
}

/// What a postcondition says about fields of known objects is what the test of a finding asserts;
/// where there is nothing of that kind, the output says that the test checks the observed state only.
#[test]
fn tests_of_findings_assert_what_is_demanded_of_fields() {
    let project = compiled("demanded");
    let out = project.path("out");
    let generate_with = |promise: &str| {
        let file = project.write("demanded.sl", &format!("{SPECIFICATION}{promise}"));
        let more = ["--spec", &file, "--out", &out, "--verify"];
        let run = generate(&project, "demo.Chain#drop", &more);
        let predicted = "failed as predicted";
        assert!(
            run.stdout.contains(predicted),
            "{}{}",
            run.stdout,
            run.stderr
        );
        (
            run.stdout,
            project.read("out/demo/Chain_dropFindingsTest.java"),
        )
    };
    let before = "pre Chain#drop(n) := this.head -> Chain$Node(v, t) * chain(t) & v > 0;\n";
    let unsaid = "cannot check its postcondition in Java";
    let fixed = format!("{before}post Chain#drop(n) := this.head = old(this.head);");
    let (said, text) = generate_with(&fixed);
    assert!(text.contains("assertSame(head, chain.head);"), "{text}");
    assert!(!text.contains("fail("), "{text}");
    assert!(!said.contains(unsaid), "{said}");
    let open = format!("{before}post Chain#drop(n) := this.head -> Chain$Node(w, _) & w > 9;");
    let (said, text) = generate_with(&open);
    assert!(text.contains("generate the tests again"), "{text}");
    assert!(said.contains(unsaid), "{said}");
}

#[test]
fn mistakes_are_pointed_out() {
    let project = compiled("mistakes");
    let complains = |target: &str, specification: Option<&str>, expected: &str| {
        let file = specification.map(|text| project.write("wrong.sl", text));
        let more: Vec<&str> = file.iter().flat_map(|file| ["--spec", file]).collect();
        let run = generate(&project, target, &more);
        assert_eq!(run.code, 1, "{}", run.stdout);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    };
    complains("demo.Chian#last", None, "demo.Chain");
    complains("demo.Chain#lats", None, "last");
    complains("demo.Chain#last", Some("pre Chain#lats() := emp;"), "last");
    complains("demo.Chain#last", Some("pre Chian#last() := emp;"), "Chain");
    complains(
        "demo.Chain#last",
        Some("pre Queue9#last() := emp;"),
        "Queue9",
    );
    complains(
        "demo.Chain#last",
        Some("pre Chain#last(x) := emp;"),
        "parameter",
    );
    complains(
        "demo.Chain#last",
        Some("pre Chain#last() := this.haed = null;"),
        "head",
    );
    complains(
        "demo.Chain#last",
        Some("pre Chain#last() := this.head = null & this.head != null;"),
        "no heap satisfies the precondition",
    );
    let run = generate(&project, "demo.Chain#last", &["--pre", "pre lats == emp"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(
        run.stderr.contains("did you mean `last`?"),
        "{}",
        run.stderr
    );
}

/// Methods without a precondition are tested by calls, those with one as it says, in whatever order they
/// stand in the class.
#[test]
fn a_specification_of_one_method_holds_beside_methods_without() {
    let project = Project::of_texts("partly", &[("Chain.java", CLASS)]);
    let specification = project.write(
        "Chain.sl",
        "pred chain(x) := emp & x = null | exists n. x -> Chain$Node(_, n) * chain(n);\n\
         pre Chain#drop(n) := exists h. this -> Chain(head: h) * chain(h) & h != null;\n",
    );
    let report = project.path("report.json");
    let classes = project.classes();
    let target = ["generate", "demo.Chain", "-c", &classes];
    let given = ["--spec", &specification, "--json", &report];
    let run = heapwright(&[&target[..], &given].concat());
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let document: serde_json::Value =
        serde_json::from_str(&project.read("report.json")).expect("JSON");
    let procedures = document["procedures"].as_array().expect("a list");
    let name = |procedure: &serde_json::Value| procedure["procedure"].to_string();
    let of_drop: Vec<_> = (procedures.iter())
        .filter(|procedure| name(procedure).contains("#drop("))
        .collect();
    let [of_drop] = of_drop[..] else {
        panic!("{}", run.stdout)
    };
    assert_eq!(of_drop["precondition"], true, "{of_drop}");
    let branches = of_drop["branches"].as_array().expect("a list");
    let is_decided = |branch: &serde_json::Value| {
        matches!(branch["status"].as_str(), Some("covered" | "infeasible"))
    };
    assert!(branches.iter().all(is_decided), "{branches:?}");
    assert!(
        procedures.iter().any(|one| name(one).contains("#last(")),
        "{}",
        run.stdout
    );
}
