//! Files in the notation of the StarFinder tools, and what `.sl` files say in the same way: static
//! fields, cells of classes that implement an interface, mistakes with their places.

use crate::common::project::Project;
use crate::common::{Run, heapwright};

const CLASSES: &str = r#"
package demo;

interface Shape { }

abstract class Base { int kind; abstract int rank(); }

class Leaf extends Base { int rank() { return 1; } }

class Node extends Base implements Shape {
    int value;
    Node next;

    int rank() { return 2; }
}

public class Demo {
    static Node shared;
    static int total;
    static final int MAX = 3;
    static final int[] LOG = new int[2];
    Node head;

    static int walk() {
        if (shared == null) {
            return 0;
        }
        return shared.value > 5 ? 1 : 2;
    }

    int bump(int by) {
        if (total < 0) {
            return -1;
        }
        total = total + by;
        return total;
    }

    int draw(Shape shape) {
        if (shape instanceof Node) {
            return ((Node) shape).value > 0 ? 1 : 2;
        }
        return 3;
    }

    int rank(Base base) {
        return base.rank() > 1 ? 1 : 2;
    }

    int any(Object object) {
        if (object instanceof Node) {
            return ((Node) object).value > 0 ? 1 : 2;
        }
        return 3;
    }

    int first() {
        if (head == null) {
            return 0;
        }
        return head.value > MAX ? 1 : 2;
    }
}
"#;

/// The fields of a node in another order than in the class file, without the inherited one.
const PREDICATES: &str = "\
data Node { Node next; int value };
pred sll(root,low) == root=null || root::demo_Node<next,value> * sll(next,low) & value>low;
pre walk == sll(Demo_shared,5);
pre bump == this_total>=0 & by>0;
pre draw == shape::Node<_,v> & v>0;
pre any == object::Node<_,v> & v>0;
pre first == this_head::Node<_,v> & v<=Demo_MAX;
";

const SPECIFICATION: &str = "\
pred sll(root, low) := emp & root = null
  | exists n, v. root -> Node(value: v, next: n) * sll(n, low) & v > low;
pre Demo#walk() := sll(Demo.shared, 5);
pre Demo#bump(by) := this.total >= 0 & 0 < by & by < 100 & total < 100;
post Demo#bump(by) := Demo.total = old(Demo.total) + by & result = demo.Demo.total;
pre Demo#draw(shape) := shape -> Node(value: v) & v > 0;
pre Demo#any(object) := object -> Node(value: v) & v > 0;
pre Demo#first() := this.head -> Node(value: v) & v <= MAX;
";

fn compiled(test: &str) -> Project {
    Project::of_texts(test, &[("Demo.java", CLASSES)])
}

fn generate(project: &Project, target: &str, more: &[&str]) -> Run {
    let classes = project.classes();
    let usual = ["generate", "-v", target, "-c", &classes];
    heapwright(&[&usual, more].concat())
}

/// What each method reaches, and that the rest is ruled out by its precondition.
const REACHED: [(&str, &str); 5] = [
    ("walk", "3 of 4 branches covered"),
    ("bump", "1 of 2 branches covered"),
    ("draw", "2 of 4 branches covered"),
    ("any", "2 of 4 branches covered"),
    ("first", "2 of 4 branches covered"),
];

#[test]
fn both_notations_constrain_static_fields_and_references_to_interfaces() {
    let project = compiled("pred-meaning");
    let files = [
        project.write("demo.pred", PREDICATES),
        project.write("demo.sl", SPECIFICATION),
    ];
    for file in &files {
        for (method, reached) in REACHED {
            let target = format!("demo.Demo#{method}");
            let class_path = project.classes();
            let run = heapwright(&["generate", &target, "-c", &class_path, "--spec", file]);
            assert_eq!(run.code, 0, "{}", run.stderr);
            for wanted in [reached, "proved unreachable"] {
                assert!(run.stdout.contains(wanted), "{file}: {}", run.stdout);
            }
        }
    }
}

#[test]
fn postconditions_see_the_last_values_of_static_fields() {
    let project = compiled("pred-post");
    let right = project.write("right.sl", SPECIFICATION);
    let wrong = SPECIFICATION.replace("old(Demo.total) + by", "old(Demo.total)");
    let wrong = project.write("wrong.sl", &wrong);
    let run = generate(
        &project,
        "demo.Demo#bump",
        &["--spec", &right, "--findings"],
    );
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let run = generate(
        &project,
        "demo.Demo#bump",
        &["--spec", &wrong, "--findings"],
    );
    assert!(run.stdout.contains("postcondition"), "{}", run.stdout);
}

#[test]
fn preconditions_on_the_command_line_can_be_repeated() {
    let project = compiled("pred-given");
    let file = project.write("demo.pred", PREDICATES);
    let more = ["--spec", &file, "--pre", "pre first == this_head=null"];
    let run = generate(&project, "demo.Demo#first", &more);
    assert!(
        run.stdout.contains("1 of 4 branches covered"),
        "{}",
        run.stdout
    );
    let more = [
        "--pre",
        "pre first == this_head=null",
        "--pre",
        "pre bump == this_total<0",
    ];
    let run = generate(&project, "demo.Demo", &more);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("1 of 4 branches covered"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("1 of 2 branches covered"),
        "{}",
        run.stdout
    );
}

#[test]
fn mistakes_are_reported_at_their_places() {
    let project = compiled("pred-mistakes");
    let complains = |name: &str, text: &str, wanted: &[&str]| {
        let file = project.write(name, text);
        let run = generate(&project, "demo.Demo", &["--spec", &file]);
        assert_eq!(run.code, 1, "{text}: {}", run.stdout);
        for wanted in wanted {
            assert!(run.stderr.contains(wanted), "{text}: {}", run.stderr);
        }
    };
    let wanted = [
        "class `demo.Node` has no field `valu`",
        "bad.pred:1:17",
        "unknown class `demo_Nod`",
        "did you mean `demo_Node`?",
        "bad.pred:2:27",
        "class `demo.Demo` has no field `haed`",
        "did you mean `this_head`?",
        "class `demo.Demo` has no static field `shard`",
        "nothing can be said about `Demo.LOG`",
        "`walk` is static, so there is no `this_head`",
        "demo.Demo has no method `bmp`",
    ];
    let text = "data Node { int valu; Node next };\n\
                pred p(x) == x=null || x::demo_Nod<a,b> * p(b);\n\
                pre first == p(this_haed) & Demo_LOG=null;\n\
                pre draw == p(Demo_shard);\n\
                pre walk == p(this_head);\n\
                pre bmp == emp;\n";
    complains("bad.pred", text, &wanted);
    let wanted = [
        "class `demo.Demo` has no static field `shard`",
        "did you mean `shared`?",
        "nothing can be said about `Demo.LOG`",
        "`Demo.total` is a static field, which only contracts can mention",
    ];
    let text = "pred p(x) := emp & x = Demo.total;\n\
                pre Demo#walk() := Demo.shard = null;\n\
                pre Demo#first() := p(3) & LOG = null;\n";
    complains("bad.sl", text, &wanted);
}

#[test]
fn commands_that_name_a_class_read_the_notation() {
    let project = compiled("pred-commands");
    let file = project.write("demo.pred", PREDICATES);
    let class_path = project.classes();
    let about = ["--class", "demo.Demo", "-c", &class_path];
    let run = |command: &str, more: &[&str]| {
        let arguments: Vec<&str> = [command]
            .iter()
            .chain(more)
            .chain(&about)
            .copied()
            .collect();
        let run = heapwright(&arguments);
        assert_eq!(run.code, 0, "{command}: {}{}", run.stdout, run.stderr);
        run.stdout
    };
    run("check", &[&file]);
    let explained = run("explain", &[&file]);
    assert!(explained.contains("sll"), "{explained}");
    let goal = format!("{file}#sll(x, 0)");
    let listed = run("enumerate", &[&goal, "--size", "2"]);
    assert!(listed.contains("Node"), "{listed}");
}

/// An object has a class with constructors, and that decides which method a call runs.
#[test]
fn cells_of_abstract_classes_are_refused_with_the_classes_to_write() {
    let project = compiled("pred-abstract");
    let run = |name: &str, text: &str| {
        let file = project.write(name, text);
        generate(&project, "demo.Demo", &["--spec", &file])
    };
    let refused = [
        (
            "cell.sl",
            "pre rank(base) := base -> Base(kind: k) & k > 0;",
            "`Base` is abstract",
        ),
        (
            "path.sl",
            "pre rank(base) := base.kind > 0;",
            "`Base` is abstract",
        ),
        (
            "pred.sl",
            "pred p(x) := x -> Base(_);\npre rank(base) := p(base);",
            "`Base`, which `p` describes an object of, is abstract",
        ),
        (
            "interface.sl",
            "pre draw(shape) := shape -> Shape();",
            "`Shape` is an interface",
        ),
        (
            "cell.pred",
            "pre rank == base::Base<k> & k>0;",
            "`demo_Base` is abstract",
        ),
    ];
    for (name, text, message) in refused {
        let run = run(name, text);
        assert_eq!(run.code, 1, "{name}: {}", run.stdout);
        let class = match (name, name.ends_with(".pred")) {
            ("interface.sl", _) => "`Node`",
            (_, true) => "`demo_Leaf`, `demo_Node`",
            (_, false) => "`Leaf`, `Node`",
        };
        for wanted in [message, class] {
            assert!(run.stderr.contains(wanted), "{name}: {}", run.stderr);
        }
    }
    // A case for each class is what the message asks for; a postcondition looks at what is there.
    let written = "pre rank(base) := base -> Leaf(k) & k > 0 | base -> Node(kind: k) & k > 0;\n\
                   post rank(base) := base -> Base(k) & k > 0;";
    let run = run("cases.sl", written);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("2 of 2 branches covered"),
        "{}",
        run.stdout
    );
}
