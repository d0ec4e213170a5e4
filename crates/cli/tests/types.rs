//! What the types of parameters say about inputs: type arguments.

mod common;

use common::project::Project;
use common::{Run, heapwright};

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

    static int kind(Comparable<String> c) { return (Object) c instanceof Integer ? 1 : 2; }
}
"#;

fn generate(project: &Project, target: &str, more: &[&str]) -> Run {
    let classes = project.classes();
    let usual = ["generate", target, "-c", &classes];
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
