//! Resolution and selection of methods and fields, on small sources compiled by `javac`, and for
//! calls compared with what the Java virtual machine itself does.

mod common;

use common::{Folder, class_path, compile, jdk, run};
use heapwright_java::classfile::{Instruction, MethodReference};
use heapwright_java::classpath::ClassPath;
use heapwright_java::descriptor::{MethodDescriptor, Type};
use heapwright_java::hierarchy::Hierarchy;
use std::sync::Arc;

/// The calls of a static method `Main.name`, in order: for each the class that declares the method
/// which is executed. The class of every receiver is the one that was created last.
fn executed(path: &ClassPath, class: &str, method: &str) -> Vec<String> {
    let hierarchy = Hierarchy::new(path);
    let class = path.load(class).unwrap();
    let method = class
        .methods
        .iter()
        .find(|one| *one.name == *method)
        .unwrap();
    let mut receiver = class.clone();
    let mut found = Vec::new();
    for (_, instruction) in &method.body().unwrap().instructions {
        match instruction {
            Instruction::New(Type::Class(name)) => receiver = path.load(name).unwrap(),
            Instruction::Invoke(invocation, reference) if *reference.name != *"<init>" => {
                let declared = hierarchy.callee(*invocation, reference, &class, &receiver);
                found.push(match declared {
                    Ok(declared) => declared.class.name.to_string(),
                    Err(error) => error.exception().to_owned(),
                });
            }
            _ => {}
        }
    }
    found
}

/// Every method `m` returns the name of its class, so that the virtual machine can tell which one
/// it ran. `Main.calls` makes the calls in order; `Main.main` prints what they gave.
fn check_calls(sources: &[(&str, &str)], expected: &[&str]) -> Folder {
    let jdk = jdk();
    let folder = compile(&jdk, &["-encoding", "UTF-8"], sources);
    let path = class_path(&folder);
    assert_eq!(executed(&path, "Main", "calls"), expected);
    let classes = folder.path().join("classes").display().to_string();
    let printed = run(&jdk, "java", &["-cp", &classes, "Main"]);
    assert_eq!(
        printed.split_whitespace().collect::<Vec<_>>(),
        expected,
        "the virtual machine"
    );
    folder
}

fn main_class(calls: &str) -> String {
    format!(
        "public class Main {{ static String[] calls() {{ return new String[] {{ {calls} }}; }}
         public static void main(String[] a) {{ for (String s : calls()) System.out.println(s); }} }}"
    )
}

#[test]
fn virtual_calls_reach_the_nearest_override() {
    let main = main_class("new C().m(), new B().m(), new A().m(), ((A) new C()).m(), new D().m()");
    check_calls(
        &[
            ("A.java", r#"class A { String m() { return "A"; } }"#),
            ("B.java", r#"class B extends A { }"#),
            (
                "C.java",
                r#"class C extends B { String m() { return "C"; } }"#,
            ),
            (
                "D.java",
                r#"class D extends C { String m(int x) { return "D"; } static String m(long x) { return "D"; } }"#,
            ),
            ("Main.java", &main),
        ],
        &["C", "A", "A", "C", "C"],
    );
}

#[test]
fn default_methods_yield_to_classes_and_to_more_specific_interfaces() {
    let main = main_class(
        "((I) new OfI()).m(), ((I) new Diamond()).m(), new Diamond().m(), ((I) new Sub()).m(), \
         ((J) new ClassWins()).m(), new Inherits().m(), I.s(), ((I) new Abstracted()).m()",
    );
    check_calls(
        &[
            (
                "I.java",
                r#"interface I { default String m() { return "I"; } static String s() { return "I"; } }"#,
            ),
            (
                "J.java",
                r#"interface J extends I { default String m() { return "J"; } }"#,
            ),
            ("K.java", r#"interface K extends I { }"#),
            ("L.java", r#"interface L extends I { String m(); }"#),
            ("OfI.java", "class OfI implements I { }"),
            ("Diamond.java", "class Diamond implements K, J { }"),
            ("Sub.java", "class Sub extends OfI implements J { }"),
            (
                "Base.java",
                r#"class Base { public String m() { return "Base"; } }"#,
            ),
            (
                "ClassWins.java",
                "class ClassWins extends Base implements J { }",
            ),
            (
                "Inherits.java",
                "class Inherits extends Diamond implements I { }",
            ),
            (
                "Abstracted.java",
                r#"class Abstracted implements L { public String m() { return "Abstracted"; } }"#,
            ),
            ("Main.java", &main),
        ],
        &["I", "J", "J", "J", "Base", "J", "I", "Abstracted"],
    );
}

#[test]
fn package_private_methods_are_overridden_inside_of_their_package() {
    let main = r#"public class Main {
        static String[] calls() { return new String[] { p.A.call(new q.B()), p.A.call(new p.C()), p.A.call(new q.D()) }; }
        public static void main(String[] a) { for (String s : calls()) System.out.println(s); } }"#;
    let sources = [
        (
            "p/A.java",
            r#"package p; public class A { String m() { return "p.A"; } public static String call(A a) { return a.m(); } }"#,
        ),
        (
            "q/B.java",
            r#"package q; public class B extends p.A { public String m() { return "q.B"; } }"#,
        ),
        (
            "p/C.java",
            r#"package p; public class C extends q.B { public String m() { return "p.C"; } }"#,
        ),
        (
            "q/D.java",
            r#"package q; public class D extends p.C { public String m() { return "q.D"; } }"#,
        ),
        ("Main.java", main),
    ];
    let jdk = jdk();
    let folder = compile(&jdk, &[], &sources);
    let path = class_path(&folder);
    let hierarchy = Hierarchy::new(&path);
    let call = path.load("p.A").unwrap();
    let call = call
        .methods
        .iter()
        .find(|method| *method.name == *"call")
        .unwrap();
    let reference = call
        .body()
        .unwrap()
        .instructions
        .iter()
        .find_map(|(_, one)| match one {
            Instruction::Invoke(_, reference) => Some(reference.clone()),
            _ => None,
        });
    let resolved = hierarchy.resolve_method(&reference.unwrap()).unwrap();
    let selected: Vec<_> = ["q.B", "p.C", "q.D"]
        .map(|receiver| {
            let receiver = path.load(receiver).unwrap();
            hierarchy
                .select(&receiver, &resolved)
                .unwrap()
                .class
                .name
                .to_string()
        })
        .into();
    let classes = folder.path().join("classes").display().to_string();
    let printed = run(&jdk, "java", &["-cp", &classes, "Main"]);
    assert_eq!(printed.split_whitespace().collect::<Vec<_>>(), selected);
    // q.B is in another package and overrides nothing; p.C does; q.D overrides it through p.C.
    assert_eq!(selected, ["p.A", "p.C", "q.D"]);
}

#[test]
fn calls_with_super_and_private_calls_are_not_virtual() {
    let sources = [
        (
            "I.java",
            r#"interface I { default String m() { return "I"; } }"#,
        ),
        (
            "A.java",
            r#"class A extends E { String m() { return "A"; } private String p() { return "A"; } String callPrivate() { return p(); } }"#,
        ),
        ("E.java", r#"class E { String m() { return "E"; } }"#),
        ("B.java", "class B extends A { }"),
        (
            "C.java",
            r#"class C extends B { String m() { return "C"; } String p() { return "C"; } String[] calls() { return new String[] { super.m(), m() }; } }"#,
        ),
        (
            "D.java",
            r#"class D implements I { public String m() { return I.super.m(); } }"#,
        ),
    ];
    let folder = compile(&jdk(), &[], &sources);
    let path = class_path(&folder);
    assert_eq!(executed(&path, "C", "calls"), ["A", "C"]);
    assert_eq!(executed(&path, "D", "m"), ["I"]);
    let hierarchy = Hierarchy::new(&path);
    let (a, c) = (path.load("A").unwrap(), path.load("C").unwrap());
    // A reference to a class further up still means the method nearest above the caller.
    let further_up = MethodReference {
        class: Type::class("E"),
        name: "m".into(),
        descriptor: Arc::new(MethodDescriptor::parse("()Ljava/lang/String;").unwrap()),
        is_interface: false,
    };
    let selected = hierarchy.select_special(&c, &further_up).unwrap();
    assert_eq!(*selected.class.name, *"A");
    let private = hierarchy.lookup(
        &a,
        "p",
        &MethodDescriptor::parse("()Ljava/lang/String;").unwrap(),
    );
    let selected = hierarchy.select(&c, &private.unwrap().unwrap()).unwrap();
    assert_eq!(*selected.class.name, *"A");
}

#[test]
fn classes_that_changed_since_they_were_compiled_do_not_link() {
    let sources = [
        (
            "I.java",
            r#"interface I { default String m() { return "I"; } }"#,
        ),
        ("J.java", r#"interface J { }"#),
        (
            "A.java",
            "class A implements I, J { String gone() { return m(); } }",
        ),
        (
            "Main.java",
            "class Main { static void calls() { new A().m(); new A().gone(); ((I) new A()).m(); } }",
        ),
    ];
    let folder = compile(&jdk(), &[], &sources);
    let changed = [
        (
            "I.java",
            r#"interface I { default String m() { return "I"; } }"#,
        ),
        (
            "J.java",
            r#"interface J { default String m() { return "J"; } }"#,
        ),
    ];
    let changed = compile(&jdk(), &[], &changed);
    let removed = compile(
        &jdk(),
        &[],
        &[
            ("I.java", "interface I { String m(); }"),
            ("J.java", "interface J { }"),
            ("A.java", "abstract class A implements I, J { }"),
        ],
    );
    let calls = |folders: [&Folder; 2]| {
        let folders = folders.map(|folder| folder.path().join("classes"));
        executed(&ClassPath::open(jdk(), folders).unwrap(), "Main", "calls")
    };
    let (conflict, none, nothing) = (
        "java.lang.IncompatibleClassChangeError",
        "java.lang.NoSuchMethodError",
        "java.lang.AbstractMethodError",
    );
    assert_eq!(calls([&changed, &folder]), [conflict, "A", conflict]);
    assert_eq!(calls([&removed, &folder]), [nothing, none, nothing]);
}

#[test]
fn objects_have_the_fields_of_the_superclass_first() {
    let sources = [
        (
            "A.java",
            "class A { int x; private String s; static int count; }",
        ),
        (
            "B.java",
            "class B extends A implements I { long x; B next; int[] data; }",
        ),
        ("I.java", "interface I { Object CONSTANT = new Object(); }"),
    ];
    let folder = compile(&jdk(), &[], &sources);
    let path = class_path(&folder);
    let hierarchy = Hierarchy::new(&path);
    let fields = hierarchy.instance_fields(&path.load("B").unwrap()).unwrap();
    let fields: Vec<_> = (fields.iter())
        .map(|one| format!("{}.{} {}", one.class.name, one.field.name, one.field.ty))
        .collect();
    assert_eq!(
        fields,
        [
            "A.x int",
            "A.s java.lang.String",
            "B.x long",
            "B.next B",
            "B.data int[]"
        ]
    );
    let resolve = |name: &str, ty: &str| {
        let reference = heapwright_java::classfile::FieldReference {
            class: "B".into(),
            name: name.into(),
            ty: ty.parse().unwrap(),
        };
        hierarchy
            .resolve_field(&reference)
            .map(|found| found.class.name.to_string())
    };
    assert_eq!(resolve("x", "long").unwrap(), "B");
    assert_eq!(resolve("x", "int").unwrap(), "A");
    assert_eq!(resolve("count", "int").unwrap(), "A");
    assert_eq!(resolve("CONSTANT", "java.lang.Object").unwrap(), "I");
    assert_eq!(
        resolve("y", "int").unwrap_err().exception(),
        "java.lang.NoSuchFieldError"
    );
}

#[test]
fn types_fit_as_casts_allow() {
    let path = ClassPath::open(jdk(), [] as [&str; 0]).unwrap();
    let hierarchy = Hierarchy::new(&path);
    for (ty, ancestor, expected) in [
        ("java.util.TreeMap", "java.util.Map", true),
        ("java.util.TreeMap", "java.util.AbstractMap", true),
        ("java.util.Map", "java.lang.Object", true),
        ("java.util.Map", "java.util.TreeMap", false),
        ("int[]", "java.lang.Object", true),
        ("int[]", "java.lang.Cloneable", true),
        ("int[]", "java.lang.Comparable", false),
        ("int[]", "long[]", false),
        ("java.lang.String[]", "java.lang.CharSequence[]", true),
        ("java.lang.String[][]", "java.lang.Object[]", true),
        ("int[][]", "java.lang.Object[]", true),
        ("int[]", "java.lang.Object[]", false),
        ("java.lang.Object[]", "java.lang.String[]", false),
    ] {
        let fits = hierarchy
            .is_subtype(&ty.parse().unwrap(), &ancestor.parse().unwrap())
            .unwrap();
        assert_eq!(fits, expected, "{ty} as {ancestor}");
    }
}

#[test]
fn method_handles_take_any_arguments_and_arrays_have_the_methods_of_object() {
    let path = ClassPath::open(jdk(), [] as [&str; 0]).unwrap();
    let hierarchy = Hierarchy::new(&path);
    let resolve = |class: &str, name: &str, descriptor: &str| {
        let reference = MethodReference {
            class: class.parse().unwrap(),
            name: name.into(),
            descriptor: Arc::new(MethodDescriptor::parse(descriptor).unwrap()),
            is_interface: false,
        };
        hierarchy
            .resolve_method(&reference)
            .map(|found| found.to_string())
    };
    let exact = resolve("java.lang.invoke.MethodHandle", "invokeExact", "(IJ)V").unwrap();
    assert_eq!(
        exact,
        "java.lang.invoke.MethodHandle#invokeExact(java.lang.Object[])"
    );
    let plain = resolve("java.lang.invoke.MethodHandle", "type", "(I)V").unwrap_err();
    assert_eq!(plain.exception(), "java.lang.NoSuchMethodError");
    let clone = resolve("int[]", "clone", "()Ljava/lang/Object;").unwrap();
    assert_eq!(clone, "java.lang.Object#clone()");
}

#[test]
fn interfaces_have_the_public_methods_of_object_only() {
    let path = ClassPath::open(jdk(), [] as [&str; 0]).unwrap();
    let hierarchy = Hierarchy::new(&path);
    let list = path.load("java.util.List").unwrap();
    let lookup = |name: &str, descriptor: &str| {
        let descriptor = MethodDescriptor::parse(descriptor).unwrap();
        let found = hierarchy.lookup(&list, name, &descriptor).unwrap();
        found.map(|found| found.class.name.to_string())
    };
    assert_eq!(
        lookup("getClass", "()Ljava/lang/Class;").as_deref(),
        Some("java.lang.Object")
    );
    assert_eq!(lookup("hashCode", "()I").as_deref(), Some("java.util.List"));
    assert_eq!(
        lookup("stream", "()Ljava/util/stream/Stream;").as_deref(),
        Some("java.util.Collection")
    );
    assert_eq!(lookup("clone", "()Ljava/lang/Object;"), None);
}

#[test]
fn classes_that_are_their_own_supertypes_are_refused() {
    let first = compile(
        &jdk(),
        &[],
        &[
            ("A.java", "class A { }"),
            ("B.java", "class B extends A { }"),
            ("I.java", "interface I { }"),
            ("J.java", "interface J extends I { }"),
        ],
    );
    let second = compile(
        &jdk(),
        &[],
        &[
            ("B.java", "class B { }"),
            ("A.java", "class A extends B { }"),
            ("J.java", "interface J { }"),
            ("I.java", "interface I extends J { }"),
        ],
    );
    let mixed = Folder::new();
    for (from, name) in [(&first, "B"), (&second, "A"), (&first, "J"), (&second, "I")] {
        let bytes = std::fs::read(from.path().join(format!("classes/{name}.class"))).unwrap();
        mixed.write(&format!("classes/{name}.class"), bytes);
    }
    let path = class_path(&mixed);
    let hierarchy = Hierarchy::new(&path);
    let error = hierarchy
        .superclasses(&path.load("A").unwrap())
        .unwrap_err();
    assert_eq!(error.to_string(), "class A is its own supertype");
    let error = hierarchy.interfaces(&path.load("I").unwrap()).unwrap_err();
    assert_eq!(error.exception(), "java.lang.ClassCircularityError");
}
