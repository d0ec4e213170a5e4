//! What the types of parameters say about inputs: type arguments, classes that others may extend,
//! and types that inputs know in part only.

use crate::common::project::Project;
use crate::common::{Run, heapwright};

const GENERIC: &str = r#"
package gen;

class Money implements Comparable<Money> {
    int cents;
    public int compareTo(Money other) { return Integer.compare(cents, other.cents); }
}

class Holder {
    Comparable<String> key;
    static Comparable<Long> limit;
}

class Gen {
    static int text(Comparable<String> c) { return c.compareTo("b") > 0 ? 1 : 2; }

    static int money(Comparable<Money> c, Money m) { return c.compareTo(m) > 0 ? 1 : 2; }

    static int above(Comparable<? super Integer> c) { return c.compareTo(3) > 0 ? 1 : 2; }

    static int both(Comparable<String> a, Comparable<Integer> b) {
        return a == null ? 0 : b == null ? 1 : 2;
    }

    static <T extends Comparable<T>> int greater(T a, T b) {
        return a == null || b == null ? 0 : a.compareTo(b) > 0 ? 1 : 2;
    }

    static int held(Holder h) { return h.key != null ? 1 : 2; }

    static int limited() { return Holder.limit != null ? 1 : 2; }

    static int same(Comparable<String> c, Integer i) {
        Object object = c;
        return object != null && object == i ? 1 : 2;
    }

    static int kind(Comparable<String> c) { return (Object) c instanceof Integer ? 1 : 2; }
}
"#;

const EXTENDED: &str = r#"
package ext;

class Open { int sign() { return 1; } }

final class Closed { int sign() { return 1; } }

sealed class Sealed permits Sub { int sign() { return 1; } }

final class Sub extends Sealed { int sign() { return 2; } }

class Ask {
    static int open(Open o) { return o == null || o.sign() > 0 ? 1 : 2; }

    static int closed(Closed c) { return c == null || c.sign() > 0 ? 1 : 2; }

    static int sealed(Sealed s) { return s == null || s.sign() > 0 ? 1 : 2; }
}
"#;

fn generate(project: &Project, target: &str, more: &[&str]) -> Run {
    let classes = project.classes();
    let usual = ["generate", target, "--any-heap", "-c", &classes];
    heapwright(&[&usual, more].concat())
}

#[test]
fn arguments_have_the_type_arguments_that_are_declared() {
    let project = Project::of_texts("generic", &[("Gen.java", GENERIC)]);
    let out = project.path("out");
    let run = generate(&project, "gen.Gen", &["--out", &out, "--verify"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let (_, verified) = run
        .stdout
        .split_once("verified on Java")
        .expect("a verification");
    let words: Vec<&str> = verified.split_whitespace().collect();
    assert_eq!(words[1], words[3], "{}", run.stdout);
    assert!(!run.stdout.contains("not compile"), "{}", run.stdout);
    let text = project.read("out/gen/GenTest.java");
    let calls = |method: &str| {
        let start = format!("Gen.{method}(");
        let calls = text.lines().filter(|line| line.contains(&start));
        calls.collect::<Vec<&str>>().join("\n")
    };
    // No integer where only a string fits, and the other way round.
    for (method, unfit) in [
        ("text", "Integer"),
        ("money", "Integer"),
        ("above", "\""),
        ("both", "(\"\", \""),
        ("kind", "Integer"),
    ] {
        assert!(!calls(method).is_empty(), "{text}");
        assert!(!calls(method).contains(unfit), "{}", calls(method));
    }
}

/// A caller with an unchecked cast can pass an integer all the same.
#[test]
fn nothing_is_proved_from_type_arguments() {
    let project = Project::of_texts("unchecked", &[("Gen.java", GENERIC)]);
    for method in ["same", "kind"] {
        let run = generate(&project, &format!("gen.Gen#{method}"), &[]);
        assert!(run.stdout.contains("not taken"), "{}", run.stdout);
        assert!(!run.stdout.contains("unreachable"), "{}", run.stdout);
    }
}

#[test]
fn what_is_to_blame_is_named_where_inputs_have_only_some_classes() {
    let project = Project::of_texts("in-part", &[("Gen.java", GENERIC)]);
    let run = generate(&project, "gen.Gen#kind", &[]);
    let expected = "not decided: only some kinds of Comparable are tried as inputs";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    assert!(!run.stdout.contains("0 objects"), "{}", run.stdout);
}

#[test]
fn nothing_is_proved_where_another_class_could_override_a_method() {
    let project = Project::of_texts("extended", &[("Ask.java", EXTENDED)]);
    let proof = "proved unreachable";
    for (method, is_open) in [("open", true), ("closed", false), ("sealed", false)] {
        let run = generate(&project, &format!("ext.Ask#{method}"), &[]);
        let unless = "unreachable unless another class extends Open\n";
        assert_eq!(run.stdout.contains(unless), is_open, "{}", run.stdout);
        assert_eq!(run.stdout.contains(proof), !is_open, "{}", run.stdout);
    }
}
