//! What inputs of Java methods consist of.

mod common;

use std::fmt::Write as _;
use std::sync::Arc;

use heapwright_ir::{Content, InputRules};
use heapwright_java::classpath::ClassPath;
use heapwright_java::descriptor::Type;
use heapwright_java::target::Target;
use heapwright_java::world::World;

/// A world with a method of compiled sources, or of the JDK, as its entry.
fn world(sources: &[(&str, &str)], target: &str) -> (common::Folder, World) {
    let jdk = common::jdk();
    let folder = common::compile(&jdk, &["-g"], sources);
    let path = Arc::new(ClassPath::open(jdk, [folder.path().join("classes")]).unwrap());
    let target: Target = target.parse().unwrap();
    let methods = target.resolve(&path).unwrap();
    let mut world = World::new(path.clone()).unwrap();
    world.entry(&methods[0]).unwrap();
    (folder, world)
}

/// The candidates for a type, with `...` if there may be others.
fn candidates(world: &World, rules: &InputRules, ty: &str) -> String {
    let name = |id| world.program().definitions.class(id).name.clone();
    let mut found = rules.candidates.iter();
    let (_, candidates) = found.find(|(id, _)| name(**id) == ty).unwrap();
    let mut names: Vec<_> = candidates.classes.iter().map(|id| name(*id)).collect();
    if !candidates.complete {
        names.push("...".to_owned());
    }
    names.join(" ")
}

/// The rules for the fields of a class.
fn fields(world: &mut World, rules: &InputRules, ty: &str) -> String {
    let id = world.declare(&Type::class(ty));
    let class = world.program().definitions.class(id);
    let mut text = String::new();
    for rule in rules.of_fields(id) {
        let field = &class.fields[rule.field as usize].name;
        match rule.content {
            Content::Present => write!(text, "{field} present; ").unwrap(),
            Content::Owned => write!(text, "{field} owned; ").unwrap(),
            Content::Constant(constant) => write!(text, "{field} {constant:?}; ").unwrap(),
            Content::Itself => write!(text, "{field} itself; ").unwrap(),
            Content::Array(length) => write!(text, "{field} of {length}; ").unwrap(),
            Content::Partner(back) => write!(text, "{field} partner {back}; ").unwrap(),
        }
    }
    text
}

const SHAPES: &str = "package p;
public class Shapes {
    interface Shape { }
    static class Circle implements Shape { double r; Circle next; }
    static abstract class Polygon implements Shape { int[] sides; }
    static final class Square extends Polygon { Object tag; Inner inner; }
    enum Colour { RED, GREEN { } }
    class Inner { Colour colour; }
    static class Wrong extends Exception { }
    static class MyList extends java.util.ArrayList<String> { }
    static class Key implements Comparable<Key> { public int compareTo(Key o) { return 0; } }
    interface Visitor { void visit(Shape s); }
    static int count(Shape s, Polygon[] ps, java.util.Map<String, Integer> m, Visitor v, Comparable<Key> k,
            Wrong w, MyList l, Circle c, Runnable r, Object[] os) {
        if (k instanceof Key) return 1;
        Object o = s;
        if (o instanceof Circle) return 2;
        return ((int[]) o).length;
    }
}";

#[test]
fn references_lead_to_objects_of_classes_that_fit() {
    let (_folder, world) = world(&[("p/Shapes.java", SHAPES)], "p.Shapes#count");
    let rules = world.input_rules();
    let check = |ty: &str, expected: &str| {
        assert_eq!(candidates(&world, &rules, ty), expected, "{ty}");
    };
    check("p.Shapes$Shape", "p.Shapes$Circle p.Shapes$Square ...");
    check("p.Shapes$Circle", "p.Shapes$Circle");
    check("p.Shapes$Polygon", "p.Shapes$Square ...");
    check("p.Shapes$Polygon[]", "p.Shapes$Polygon[] ...");
    check("p.Shapes$Inner", "p.Shapes$Inner");
    check(
        "p.Shapes$Colour",
        "p.Shapes$Colour.RED p.Shapes$Colour.GREEN",
    );
    check("p.Shapes$Wrong", "p.Shapes$Wrong");
    check("p.Shapes$MyList", "p.Shapes$MyList ...");
    check("p.Shapes$Visitor", "p.Shapes$Visitor$$returns ...");
    check("java.lang.Runnable", "java.lang.Runnable$$returns ...");
    check("int[]", "int[]");
    check("java.lang.Object[]", "java.lang.Object[] ...");
    check(
        "java.lang.Object",
        "java.lang.Object java.lang.Integer java.lang.String p.Shapes$Key p.Shapes$Circle int[] ...",
    );
    check(
        "java.lang.Comparable",
        "java.lang.Integer java.lang.String p.Shapes$Key ...",
    );
    check("java.util.Map", "java.util.HashMap java.util.TreeMap ...");
    check("java.lang.Integer", "java.lang.Integer");
    check("java.lang.String", "java.lang.String ...");
    heapwright_ir::verify(world.program()).unwrap();
}

#[test]
fn fields_of_strings_collections_and_inner_classes_have_rules() {
    let (_folder, mut world) = world(&[("p/Shapes.java", SHAPES)], "p.Shapes#count");
    let rules = world.input_rules();
    let strings = fields(&mut world, &rules, "java.lang.String");
    assert_eq!(
        strings,
        "value owned; coder Int(I8, 0); hash Int(I32, 0); hashIsZero Bool(false); "
    );
    let maps = fields(&mut world, &rules, "java.util.HashMap");
    assert!(maps.contains("table Null; "), "{maps}");
    assert!(maps.contains("loadFactor Single(1061158912); "), "{maps}");
    let inner = fields(&mut world, &rules, "p.Shapes$Inner");
    assert_eq!(inner, "this$0 present; ");
    assert_eq!(fields(&mut world, &rules, "p.Shapes$Circle"), "");
    assert_eq!(fields(&mut world, &rules, "java.lang.Integer"), "");
}

#[test]
fn tested_classes_of_the_jdk_are_inputs_of_any_form() {
    let source = [("Empty.java", "class Empty { }")];
    let (_folder, mut world) = world(&source, "java.util.TreeMap#put(Object,Object)");
    let rules = world.input_rules();
    let tree = candidates(&world, &rules, "java.util.TreeMap");
    assert_eq!(tree, "java.util.TreeMap");
    let entry = candidates(&world, &rules, "java.util.TreeMap$Entry");
    assert_eq!(entry, "java.util.TreeMap$Entry");
    let fields = fields(&mut world, &rules, "java.util.TreeMap");
    assert_eq!(fields, "keySet Null; values Null; ");
}

/// What is loaded while a program is explored changes nothing.
#[test]
fn rules_do_not_depend_on_what_is_loaded() {
    let (_folder, mut world) = world(&[("p/Shapes.java", SHAPES)], "p.Shapes#count");
    let before = world.input_rules();
    for class in ["java.util.ArrayList", "p.Shapes$MyList", "java.lang.Thread"] {
        world.complete(&Type::class(class)).unwrap();
    }
    let after = world.input_rules();
    assert!(after.candidates.len() > before.candidates.len());
    for (class, candidates) in &before.candidates {
        assert_eq!(after.candidates.get(class), Some(candidates));
    }
}
