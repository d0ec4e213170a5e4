//! What counts as code under test, and which branches coverage tools leave out.

mod common;

use std::sync::Arc;

use heapwright_java::classpath::{ClassPath, Jdk};
use heapwright_java::hierarchy::DeclaredMethod;
use heapwright_java::target::{Target, TargetMethod};
use heapwright_java::world::World;

const SOURCE: &str = "package p;
import java.util.function.IntSupplier;
public class Subject {
    enum Colour { RED, GREEN; int shade() { return ordinal() + 1; } }
    record Point(int x, int y) { int sum() { return x + y; } public int y() { return y + 1; } }
    static class Base<T> { T get(T t) { return t; } }
    static class Derived extends Base<String> { @Override String get(String s) { return s + s; } }
    static class Resource implements AutoCloseable { public void close() { } }
    static Resource open(int n) { return n > 0 ? new Resource() : null; }
    int checked(int n) {
        assert n > 0 : n;
        return n;
    }
    static int named(String s) {
        switch (s) {
            case \"one\": return 1;
            case \"two\": return 2;
            default: return 3;
        }
    }
    static int coloured(Colour c) {
        return switch (c) { case RED -> 1; case GREEN -> 2; };
    }
    static int guarded(int n) {
        try (Resource r = open(n)) {
            if (n > 5) return 1;
            n++;
        }
        return n;
    }
    static int locked(Object o, int n) {
        synchronized (o) { return n > 0 ? n : -n; }
    }
    static int lambda(int n) { IntSupplier s = () -> n > 0 ? 1 : 2; return s.getAsInt(); }
    static final class Tools { private Tools() { } }
}";

/// A world with all methods of all classes loaded.
fn world(jdk: Jdk) -> (common::Folder, World, Vec<DeclaredMethod>, TargetMethod) {
    let sources = [
        ("p/Subject.java", SOURCE),
        (
            "q/Far.java",
            "package q; public class Far { public static int f() { return 1; } }",
        ),
    ];
    let folder = common::compile(&jdk, &["-g"], &sources);
    let path = Arc::new(ClassPath::open(jdk, [folder.path().join("classes")]).unwrap());
    let mut world = World::new(path.clone()).unwrap();
    let mut methods = Vec::new();
    for name in path.classes().unwrap() {
        let class = path.load(name).unwrap();
        for method in class.methods.iter().filter(|method| method.code.is_some()) {
            let declared = DeclaredMethod {
                class: class.clone(),
                method: method.clone(),
            };
            let function = world.function(&declared);
            world.load(function);
            methods.push(declared);
        }
    }
    let target: Target = "p.Subject#checked".parse().unwrap();
    let target = target.resolve(&path).unwrap().remove(0);
    (folder, world, methods, target)
}

#[test]
fn what_compilers_make_is_no_code_under_test() {
    let (_folder, mut world, methods, target) = world(common::jdk());
    let mut out = Vec::new();
    for declared in methods {
        let function = world.function(&declared);
        if !world.in_scope(&target, function) {
            out.push(declared.to_string());
        }
    }
    out.retain(|name| !name.starts_with("p.Subject$1#") && !name.contains("$values"));
    assert_eq!(
        out,
        [
            "p.Subject$Colour#values()",
            "p.Subject$Colour#valueOf(java.lang.String)",
            "p.Subject$Colour#<init>(java.lang.String,int)",
            "p.Subject$Derived#get(java.lang.Object)",
            "p.Subject$Point#toString()",
            "p.Subject$Point#hashCode()",
            "p.Subject$Point#equals(java.lang.Object)",
            "p.Subject$Point#x()",
            "p.Subject$Tools#<init>()",
            "q.Far#<init>()",
            "q.Far#f()",
        ]
    );
}

#[test]
fn helpers_of_a_class_of_the_jdk_are_its_code() {
    let path = Arc::new(ClassPath::open(common::jdk(), [""; 0]).unwrap());
    let mut world = World::new(path.clone()).unwrap();
    let target: Target = "java.util.TreeMap#put(Object,Object)".parse().unwrap();
    let target = target.resolve(&path).unwrap().remove(0);
    world.entry(&target).unwrap();
    let mut inside = |class: &str, name: &str| {
        let class = path.load(class).unwrap();
        let method = class.methods.iter().find(|m| &*m.name == name).unwrap();
        let declared = DeclaredMethod {
            class: class.clone(),
            method: method.clone(),
        };
        let function = world.function(&declared);
        world.load(function);
        world.in_scope(&target, function)
    };
    assert!(inside("java.util.TreeMap", "rotateLeft"));
    assert!(inside("java.util.TreeMap$Entry", "setValue"));
    assert!(!inside("java.util.HashMap", "hash"));
    assert!(!inside("java.lang.Math", "sin"));
}

/// The lines of the branches that are left out, and of the defaults.
fn filtered(world: &mut World, methods: &[DeclaredMethod], name: &str) -> (usize, usize, usize) {
    let method = methods
        .iter()
        .find(|declared| &*declared.method.name == name);
    let function = world.function(method.unwrap());
    let filtered = world.jacoco_filtered(function);
    let all = world.jumps().keys().filter(|(of, _)| *of == function);
    (all.count(), filtered.jumps.len(), filtered.defaults.len())
}

#[test]
fn branches_that_compilers_make_are_left_out() {
    for jdk in common::all_jdks() {
        let (_folder, mut world, methods, _) = world(jdk);
        let mut check = |name: &str, expected: (usize, usize, usize)| {
            assert_eq!(filtered(&mut world, &methods, name), expected, "{name}");
        };
        // All jumps, those left out, defaults left out.
        check("checked", (2, 1, 0));
        check("named", (4, 3, 0));
        check("coloured", (1, 0, 1));
        // The question before the early return stays, as in JaCoCo.
        check("guarded", (4, 2, 0));
        check("locked", (1, 0, 0));
        check("<clinit>", (1, 1, 0));
    }
}
