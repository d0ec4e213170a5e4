//! Tests that are sequences of calls: `--mode sequences` and `--via-api`.

use crate::common::project::Project;
use crate::common::{Run, heapwright, root};

fn compiled(test: &str, sources: &[&str]) -> Project {
    Project::of_files(&format!("sequences-{test}"), sources)
}

fn generate(project: &Project, target: &str, more: &[&str]) -> Run {
    let (classes, out) = (project.classes(), project.path("out"));
    let usual = [
        "generate", target, "-c", &classes, "--out", &out, "--verify",
    ];
    heapwright(&[&usual, more].concat())
}

/// Everything was verified, and nothing looks into an object.
fn check(run: &Run, text: &str) {
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("verified on Java"), "{}", run.stdout);
    assert!(!run.stdout.contains("they differ"), "{}", run.stdout);
    assert!(!run.stdout.contains("not written"), "{}", run.stdout);
    assert!(!text.contains("reflect"), "{text}");
    assert!(!text.contains("add-opens"), "{text}");
}

#[test]
fn a_search_tree_is_tested_by_calls() {
    let sources = ["BinaryNode", "BinarySearchTree"]
        .map(|class| format!("subjects/java/src/subjects/bst/{class}.java"));
    let project = compiled("tree", &sources.each_ref().map(String::as_str));
    let run = generate(
        &project,
        "subjects.bst.BinarySearchTree",
        &["--mode", "sequences", "--keep", "coverage"],
    );
    let text = project.read("out/subjects/bst/BinarySearchTreeTest.java");
    check(&run, &text);
    assert!(!text.contains("tree.root"), "{text}");
    let remove = "  BinarySearchTree#remove(int, BinaryNode)      12 of 12   12 of 12\n";
    assert!(run.stdout.contains(remove), "{}", run.stdout);
    let insert = "        BinarySearchTree tree = new BinarySearchTree();
        tree.insert(0);

        tree.insert(0);
        assertTrue(tree.repOK());
";
    assert!(text.contains(insert), "{text}");
}

#[test]
fn all_of_the_deletion_from_tree_map_is_covered() {
    let project = compiled("map", &[]);
    let options = [
        "--mode",
        "sequences",
        "--calls",
        "put,remove",
        "--scope",
        "6",
    ];
    let options = [&options[..], &["--length", "12", "--domain", "put.2=0"]].concat();
    let run = generate(&project, "java.util.TreeMap#remove(Object)", &options);
    let text = project.read("out/tests/java/util/TreeMap_removeTest.java");
    check(&run, &text);
    let line = |method: &str| {
        let mut lines = run.stdout.lines();
        let found = lines.find(|line| line.contains(&format!("TreeMap#{method}(")));
        let words = found.unwrap_or_default().split_whitespace();
        words.skip(1).collect::<Vec<&str>>().join(" ")
    };
    // The rest tests for null what is none.
    assert_eq!(
        line("fixAfterDeletion"),
        "22 of 22 22 of 22",
        "{}",
        run.stdout
    );
    assert_eq!(line("deleteEntry"), "21 of 24 21 of 24", "{}", run.stdout);
    let declared = "TreeMap<Object, Object> map = new TreeMap<>();\n        map.put(0, 0);\n";
    assert!(text.contains(declared), "{text}");
    let checked = "
        Object result = map.remove(0);
        assertEquals(Integer.valueOf(0), result);
        assertEquals(0, map.size());
        assertTrue(map.isEmpty());
";
    assert!(text.contains(checked), "{text}");
}

#[test]
fn a_call_that_breaks_an_invariant_is_a_finding() {
    let project = compiled(
        "queue",
        &["crates/cli/tests/data/sequences/shop/Queue.java"],
    );
    for (junit, broken) in [
        ("5", "repOk() is false after the call\");"),
        ("4", "repOk() is false after the call\","),
    ] {
        let options = [
            "--mode",
            "sequences",
            "--ignore",
            "changes",
            "--junit",
            junit,
        ];
        let run = generate(&project, "shop.Queue", &options);
        assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
        let failed = "findings: 1 of 1 test failed as predicted";
        assert!(run.stdout.contains(failed), "{}", run.stdout);
        assert!(!run.stdout.contains("they differ"), "{}", run.stdout);
        let text = project.read("out/shop/QueueFindingsTest.java");
        let smallest = "        Queue queue = new Queue();
        queue.add(\"a\");

        queue.take();
        assertTrue(";
        assert!(text.contains(smallest), "{text}");
        assert!(text.contains(broken), "{text}");
        // Who is broken already is nobody's finding but the first call's.
        assert_eq!(text.matches("@Test").count(), 1, "{text}");
        let text = project.read("out/shop/QueueTest.java");
        assert!(
            text.contains("assertSame(queue, queue.add(\"a\"));"),
            "{text}"
        );
        let thrown = "assertThrows(IllegalArgumentException.class, () -> queue.add(null));";
        assert!(text.contains(thrown), "{text}");
        // How many queues there were before depends on the other tests.
        assert!(!text.contains("assertEquals(1, queue.number());"), "{text}");
    }
}

/// The first call on a path says nothing about the others, and no other method needs what the
/// predicate needs.
#[test]
fn a_broken_invariant_is_found_whatever_is_kept_and_however_hidden_the_predicate_is() {
    let file = root().join("crates/cli/tests/data/sequences/shop/Till.java");
    let source = std::fs::read_to_string(file).expect("a source");
    for access in ["private ", "", "public "] {
        let source = source.replace("private boolean", &format!("{access}boolean"));
        let name = format!("till-{}", access.trim());
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("Till.java");
        std::fs::write(&file, source).expect("a file");
        let project = compiled(&name, &[&file.display().to_string()]);
        let _ = std::fs::remove_dir_all(&folder);
        for more in [
            &["--keep", "coverage"][..],
            &["--keep", "paths"],
            &["--keep", "all"],
            &["--repok", "shop.Till#repOk"],
        ] {
            let options = [&["--mode", "sequences", "--findings"], more].concat();
            let run = generate(&project, "shop.Till#add", &options);
            assert_eq!(run.code, 4, "{options:?}: {}{}", run.stdout, run.stderr);
            assert!(run.stdout.contains("1 finding\n"), "{}", run.stdout);
            assert!(!run.stdout.contains("they differ"), "{}", run.stdout);
            let smallest = "input: this = Till(0), more = -1";
            assert!(run.stdout.contains(smallest), "{}", run.stdout);
            let text = project.read("out/shop/Till_addFindingsTest.java");
            let call = match access {
                "private " => "call(till, Till.class, \"repOk\", new Class<?>[] {})",
                _ => "till.repOk()",
            };
            assert!(text.contains(call), "{text}");
        }
    }
}

#[test]
fn inputs_are_built_by_calls_where_that_is_possible() {
    let sources = ["BinaryNode", "BinarySearchTree"]
        .map(|class| format!("subjects/java/src/subjects/bst/{class}.java"));
    let project = compiled("built", &sources.each_ref().map(String::as_str));
    let spec = "subjects/java/specs/BinarySearchTree.sl";
    let target = "subjects.bst.BinarySearchTree#remove(int)";
    let run = generate(&project, target, &["--spec", spec, "--via-api"]);
    let text = project.read("out/subjects/bst/BinarySearchTree_removeTest.java");
    check(&run, &text);
    let built = text.matches("The input is built by public calls.").count();
    assert_eq!(built, text.matches("@Test").count(), "{text}");
    assert!(!text.contains("tree.root = "), "{text}");
    // What the calls have made is looked at all the same.
    assert!(text.contains("BinaryNode root = tree.root;"), "{text}");
    // Without a specification trees are no search trees, and have to be put together.
    let run = generate(&project, target, &["--no-spec", "--any-heap", "--via-api"]);
    let text = project.read("out/subjects/bst/BinarySearchTree_removeTest.java");
    // On a cycle the recursion does not end, which is a finding.
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    let built = text.matches("The input is built by public calls.").count();
    assert!(built > 0, "{text}");
    assert!(text.contains("tree.root = "), "{text}");
}

#[test]
fn what_has_no_sequences_is_told() {
    let told = |arguments: &[&str], expected: &str| {
        let run = heapwright(&[&["generate"], arguments].concat());
        assert_ne!(run.code, 0, "{}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    };
    let mode = ["--mode", "sequences"];
    let with = |target: &'static str| [&[target], &mode[..]].concat();
    told(
        &with("examples/impl/list.impl"),
        "it needs constructors and methods",
    );
    told(
        &with("java.util.AbstractList"),
        "no constructor that a test could call",
    );
    told(
        &with("java.util.Collections"),
        "there is no method of objects",
    );
    let options = [&with("java.util.TreeMap")[..], &["--calls", "put,fly"]].concat();
    told(
        &options,
        "--calls fly: java.util.TreeMap has no such method",
    );
    let options = [
        &with("java.util.TreeMap#get")[..],
        &["--domain", "get.1=\"a\"..3"],
    ]
    .concat();
    told(&options, "is no range of numbers");
    let options = [
        &with("java.util.BitSet#get(int)")[..],
        &["--domain", "int=\"a\""],
    ]
    .concat();
    told(
        &options,
        "has type int, which a value of its domain does not fit",
    );
}

#[test]
fn arguments_of_calls_are_found_for_branches_that_need_them() {
    let vault = r#"package vaults;

public class Vault {
    private final String owner;
    private int last;
    private int amount;
    private int stored;
    private int sum;

    public Vault(String owner) {
        if (owner == null) throw new IllegalArgumentException("owner");
        this.owner = owner;
    }

    public void store(int number, int amount) {
        this.last = number;
        this.amount = amount;
        stored++;
        sum += amount;
    }

    public boolean holds() {
        return last == 42 && amount == 4711;
    }

    public boolean isRich() {
        return sum > 1000 && stored == 2;
    }

    public boolean isOwner(String name) {
        return owner.equals("admin") && name.startsWith("root");
    }
}
"#;
    let project = Project::of_texts("vaults", &[("Vault.java", vault)]);
    let run = generate(&project, "vaults.Vault", &["--mode", "sequences"]);
    let text = project.read("out/vaults/VaultTest.java");
    check(&run, &text);
    for line in run
        .stdout
        .lines()
        .filter(|line| line.contains("branches covered"))
    {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[0], words[2], "{}", run.stdout);
    }
    assert!(text.contains("vault.store(42, 4711);"), "{text}");
}
