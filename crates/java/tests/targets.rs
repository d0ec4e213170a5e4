//! Targets, class paths, and what is said when one is wrong.

mod common;

use common::{Folder, all_jdks, class_path, compile, jdk, run};
use heapwright_java::classfile::Constant;
use heapwright_java::classpath::{ClassPath, Jdk, JdkSearch};
use heapwright_java::target::Target;
use std::fs;

fn subjects() -> Folder {
    compile(
        &jdk(),
        &[],
        &[
            (
                "shop/Tree.java",
                "package shop;
                public class Tree<T extends Comparable<T>> extends Base implements Comparable<Tree<T>> {
                    static class Node { Node left; void grow() { Runnable r = () -> left = null; r.run(); } }
                    public Tree() { }
                    public boolean remove(T key) { return false; }
                    public void put(int key, Object value) { }
                    public void put(long key, Object value) { }
                    public void put(int[] keys, String... values) { }
                    public int compareTo(Tree<T> other) { return 0; }
                    void hang(Node where) { }
                    native void outside();
                }",
            ),
            ("shop/Base.java", "package shop; public abstract class Base { int inherited(double x) { return 1; } abstract void hang(Tree.Node where); }"),
            ("Plain.java", "class Plain { void run() { } }"),
        ],
    )
}

#[test]
fn targets_name_methods_classes_and_packages() {
    let folder = subjects();
    let path = class_path(&folder);
    let check = |target: &str, expected: &[&str]| {
        let target: Target = target.parse().unwrap();
        let methods = target
            .resolve(&path)
            .unwrap_or_else(|error| panic!("{error}"));
        let methods: Vec<_> = methods.iter().map(|method| method.to_string()).collect();
        assert_eq!(methods, expected);
    };
    let remove = "shop.Tree#remove(java.lang.Comparable)";
    check("shop.Tree#remove", &[remove]);
    check("shop.Tree # remove( Comparable )", &[remove]);
    check(
        "shop.Tree#put(int,java.lang.Object)",
        &["shop.Tree#put(int,java.lang.Object)"],
    );
    check(
        "shop.Tree#put",
        &[
            "shop.Tree#put(int,java.lang.Object)",
            "shop.Tree#put(long,java.lang.Object)",
            "shop.Tree#put(int[],java.lang.String[])",
        ],
    );
    check(
        "shop.Tree#put(int[],String...)",
        &["shop.Tree#put(int[],java.lang.String[])"],
    );
    check("shop.Tree#hang(Node)", &["shop.Tree#hang(shop.Tree$Node)"]);
    check(
        "shop.Tree#hang(Tree.Node)",
        &["shop.Tree#hang(shop.Tree$Node)"],
    );
    check("shop.Tree#<init>", &["shop.Tree#<init>()"]);
    check("shop.Tree#inherited", &["shop.Tree#inherited(double)"]);
    check("shop.Tree#compareTo", &["shop.Tree#compareTo(shop.Tree)"]);
    check("shop.Tree.Node", &["shop.Tree$Node#grow()"]);
    check("shop.Tree$Node#grow()", &["shop.Tree$Node#grow()"]);
    check("Plain", &["Plain#run()"]);
    let tree = [
        remove,
        "shop.Tree#put(int,java.lang.Object)",
        "shop.Tree#put(long,java.lang.Object)",
        "shop.Tree#put(int[],java.lang.String[])",
        "shop.Tree#compareTo(shop.Tree)",
        "shop.Tree#hang(shop.Tree$Node)",
    ];
    check("shop.Tree", &tree);
    let mut package = vec!["shop.Base#inherited(double)"];
    package.extend(tree);
    package.push("shop.Tree$Node#grow()");
    check("shop", &package);
    check("shop.*", &package);
    check(
        "java.util.TreeMap#fixAfterDeletion",
        &["java.util.TreeMap#fixAfterDeletion(java.util.TreeMap$Entry)"],
    );
    check(
        "java.util.TreeMap#put",
        &["java.util.TreeMap#put(java.lang.Object,java.lang.Object)"],
    );
    check(
        "java.util.TreeMap#remove",
        &["java.util.TreeMap#remove(java.lang.Object)"],
    );
}

#[test]
fn wrong_targets_are_explained() {
    let folder = subjects();
    let path = class_path(&folder);
    let check = |target: &str, expected: &str| {
        let error = match target.parse::<Target>() {
            Ok(target) => target.resolve(&path).unwrap_err(),
            Err(error) => error,
        };
        let error = error.to_string();
        assert!(
            error.ends_with(expected),
            "{error}\ndoes not end with: {expected}"
        );
    };
    check(
        "shop.Tree#remvoe",
        "class shop.Tree has no method `remvoe`; did you mean `remove`?",
    );
    check(
        "shop.Tree#xyz",
        "class shop.Tree has no method `xyz`; it has compareTo, hang, outside, put, remove",
    );
    check(
        "shop.Tree#put(int)",
        "class shop.Tree has no method `put(int)`; it has put(int,java.lang.Object), \
         put(long,java.lang.Object), put(int[],java.lang.String[])",
    );
    check(
        "shop.Tree#outside",
        "shop.Tree#outside() is native and has no bytecode",
    );
    check(
        "shop.Base#hang",
        "shop.Base#hang(shop.Tree$Node) is abstract; name a class that implements it",
    );
    check("shop.Tere", "; did you mean `shop.Tree`?");
    check("Tree", "; did you mean `shop.Tree`?");
    check("store.Tree#remove", "; did you mean `shop.Tree`?");
    check("TreeMap", "; did you mean `java.util.TreeMap`?");
    check("java.util.TreMap", "; did you mean `java.util.TreeMap`?");
    for target in [
        "",
        "#m",
        "shop.Tree#",
        "shop.Tree#m(",
        "shop.Tree#m()x",
        "int",
        "a[]",
        "a..b",
        "a/b",
        "p.*#m",
        "A#b#c",
    ] {
        let error = target.parse::<Target>().unwrap_err().to_string();
        assert!(error.contains("is not a target"), "{target}: {error}");
    }
    check("A#m(int,)", "`` is not the name of a type");
    let error = "no.Where"
        .parse::<Target>()
        .unwrap()
        .resolve(&path)
        .unwrap_err()
        .to_string();
    let classes = folder.path().join("classes").display().to_string();
    assert!(
        error.starts_with("class no.Where was not found in the JDK at "),
        "{error}"
    );
    assert!(error.ends_with(&format!(", {classes}")), "{error}");
}

/// The constant in the field `VERSION` of class `p.V`.
fn version(path: &ClassPath) -> i32 {
    let class = path.load("p.V").unwrap();
    match &class.fields[0].constant {
        Some(Constant::Int(version)) => *version,
        other => panic!("{other:?}"),
    }
}

#[test]
fn jars_are_read_and_several_releases_respected() {
    let jdks = all_jdks();
    let source =
        |version: u16| format!("package p; class V {{ static final int VERSION = {version}; }}");
    let compiled = |version: u16| compile(&jdks[0], &[], &[("p/V.java", &source(version))]);
    let (plain, eleven, future) = (compiled(1), compiled(11), compiled(99));
    let folder = Folder::new();
    let text = |path: &std::path::Path| path.display().to_string();
    let classes = |folder: &Folder| text(&folder.path().join("classes"));
    let jar = |name: &str, options: &[&str], releases: &[(&str, &Folder)]| {
        let file = text(&folder.path().join(name));
        let mut arguments = vec!["--create".to_owned(), "--file".into(), file.clone()];
        arguments.extend(options.iter().map(|option| option.to_string()));
        arguments.extend(["-C".into(), classes(&plain), ".".into()]);
        for (release, folder) in releases {
            arguments.extend([
                "--release".into(),
                release.to_string(),
                "-C".into(),
                classes(folder),
                ".".into(),
            ]);
        }
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        run(&jdks[0], "jar", &arguments);
        file
    };
    let simple = jar("simple.jar", &[], &[]);
    let stored = jar("stored.jar", &["--no-compress"], &[]);
    let multi = jar("multi.jar", &[], &[("11", &eleven)]);
    let open = |jar: &str| ClassPath::open(jdk(), [jar]).unwrap();
    assert_eq!(version(&open(&simple)), 1);
    assert_eq!(version(&open(&stored)), 1);
    assert_eq!(version(&open(&multi)), 11);
    assert_eq!(
        open(&multi)
            .classes()
            .unwrap()
            .iter()
            .map(|c| &**c)
            .collect::<Vec<_>>(),
        ["p.V"]
    );
    // A version beyond that of the JDK does not count. The tool refuses to write one, so the
    // folder is laid by hand, into a jar with the manifest.
    let manifest = text(&folder.write("manifest", "Multi-Release: true\n"));
    let tree = Folder::new();
    for (place, from) in [("", &plain), ("META-INF/versions/99/", &future)] {
        let bytes = fs::read(from.path().join("classes/p/V.class")).unwrap();
        tree.write(&format!("{place}p/V.class"), bytes);
    }
    let file = text(&folder.path().join("future.jar"));
    run(
        &jdks[0],
        "jar",
        &["cfm", &file, &manifest, "-C", &text(tree.path()), "."],
    );
    assert_eq!(version(&open(&file)), 1);
    assert_eq!(open(&file).classes().unwrap().len(), 1);
    // A star stands for all jars, in the order of their names.
    let star = ClassPath::open(jdk(), [folder.path().join("*")]).unwrap();
    assert_eq!(version(&star), 1);
    assert_eq!(
        star.packages().unwrap().into_iter().collect::<Vec<_>>(),
        ["p"]
    );
}

#[test]
fn wrong_class_paths_and_jdks_are_explained() {
    let folder = Folder::new();
    let text = folder.write("text.jar", "this is no archive");
    let error = ClassPath::open(jdk(), [&text]).unwrap_err().to_string();
    assert!(
        error.contains("text.jar is not a readable jar: "),
        "{error}"
    );
    let error = ClassPath::open(jdk(), [folder.path().join("absent")])
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("absent on the class path does not exist"),
        "{error}"
    );
    let error = Jdk::open(folder.path()).unwrap_err().to_string();
    assert!(
        error.ends_with("is not the home of a JDK: it has no lib/modules"),
        "{error}"
    );
    let absent = Jdk::open(&folder.path().join("absent"));
    let error = absent.unwrap_err().to_string();
    assert!(error.ends_with("absent does not exist"), "{error}");
    folder.write("jre/lib/rt.jar", "");
    let error = Jdk::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("holds Java 8 or older"), "{error}");
    let image = folder.write("lib/modules", [0; 100]);
    let error = Jdk::open(folder.path()).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{}: this is not a JDK image", image.display())
    );
    let error = JdkSearch::default().open().unwrap_err().to_string();
    assert!(error.starts_with("no JDK was found"), "{error}");
}

#[test]
fn jdks_are_found_in_the_order_that_is_documented() {
    let home = jdk().home().to_path_buf();
    let wrong = Folder::new();
    let search = JdkSearch {
        explicit: Some(home.clone()),
        java_home: Some(wrong.path().into()),
        path: None,
    };
    assert_eq!(search.open().unwrap().home(), home);
    // What was named and is wrong is not passed over in silence.
    let search = JdkSearch {
        explicit: None,
        ..search
    };
    assert!(search.open().is_err());
    let commands = std::env::join_paths([wrong.path().to_path_buf(), home.join("bin")]).unwrap();
    let search = JdkSearch {
        explicit: None,
        java_home: None,
        path: Some(commands),
    };
    assert_eq!(search.open().unwrap().home(), home.canonicalize().unwrap());
}

/// A damaged image gives errors and nothing worse.
#[test]
fn damaged_images_are_refused() {
    let jdk = jdk();
    let image = jdk.home().join("lib").join("modules");
    let mut index = vec![0; 4 << 20];
    std::io::Read::read_exact(&mut fs::File::open(image).unwrap(), &mut index).unwrap();
    let folder = Folder::new();
    // Without the resources, the index alone is there.
    let truncated = Folder::new();
    truncated.write("lib/modules", &index[..2 << 10]);
    let error = Jdk::open(truncated.path()).unwrap_err().to_string();
    assert!(
        error.ends_with("the image is damaged: its index is larger than the file"),
        "{error}"
    );
    for place in [4, 16, 20, 24, 28, 40] {
        let mut bytes = index.clone();
        bytes[place..place + 4].fill(0xff);
        folder.write("lib/modules", &bytes);
        assert!(Jdk::open(folder.path()).is_err(), "{place}");
    }
}
