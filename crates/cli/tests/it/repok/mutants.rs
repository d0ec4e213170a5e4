//! Small mistakes planted into the subjects: each one breaks the invariant, and is found.

use std::path::PathBuf;

use super::{Work, subjects};
use crate::common::heapwright;

/// A change to the source of a class, and a method that then breaks the invariant.
struct Mutant {
    class: &'static str,
    method: &'static str,
    scope: u32,
    from: &'static str,
    to: &'static str,
}

const LIST: &str = "subjects.dll.DoublyLinkedList";
const AVL: &str = "subjects.avl.AvlTree";
const RED_BLACK: &str = "subjects.rbt.RedBlackTree";

const fn mutant(
    class: &'static str,
    method: &'static str,
    scope: u32,
    from: &'static str,
    to: &'static str,
) -> Mutant {
    Mutant {
        class,
        method,
        scope,
        from,
        to,
    }
}

const MUTANTS: [Mutant; 27] = [
    // Links and the size of a list.
    mutant(LIST, "add(Object)", 2, "        size++;\n", ""),
    mutant(
        LIST,
        "addFirst(Object)",
        2,
        "added.previous.next = added;",
        "added.previous.next = after;",
    ),
    mutant(
        LIST,
        "addLast(Object)",
        2,
        "added.next.previous = added;",
        "",
    ),
    mutant(
        LIST,
        "addAt(int,Object)",
        3,
        "new Node(element, after, after.previous)",
        "new Node(element, after, after)",
    ),
    mutant(
        LIST,
        "removeFirst()",
        3,
        "node.previous.next = node.next;",
        "",
    ),
    mutant(
        LIST,
        "removeLast()",
        3,
        "node.next.previous = node.previous;",
        "node.next.previous = node;",
    ),
    mutant(LIST, "remove(int)", 3, "        size--;\n", ""),
    mutant(
        LIST,
        "clear()",
        3,
        "        header.previous = header;\n        size = 0;",
        "        size = 0;",
    ),
    mutant(LIST, "clear()", 3, "        size = 0;\n", ""),
    mutant(
        LIST,
        "reverse()",
        3,
        "            node.previous = next;\n",
        "",
    ),
    // Heights and rotations of an AVL tree.
    mutant(
        AVL,
        "insert(int)",
        3,
        "        update(t);\n        update(child);\n        return child;",
        "        update(child);\n        update(t);\n        return child;",
    ),
    mutant(AVL, "insert(int)", 3, "difference > 1", "difference > 2"),
    mutant(AVL, "insert(int)", 3, "difference < -1", "difference < -2"),
    mutant(
        AVL,
        "insert(int)",
        3,
        "return doubleWithLeftChild(t);",
        "return rotateWithLeftChild(t);",
    ),
    mutant(
        AVL,
        "insert(int)",
        3,
        "return doubleWithRightChild(t);",
        "return rotateWithRightChild(t);",
    ),
    mutant(
        AVL,
        "insert(int)",
        3,
        "t.height = Math.max(height(t.left), height(t.right)) + 1;",
        "t.height = height(t.left) + 1;",
    ),
    mutant(
        AVL,
        "insert(int)",
        3,
        "        update(t);\n        return t;",
        "        return t;",
    ),
    mutant(
        AVL,
        "insert(int)",
        3,
        "        if (x < t.element) {\n            t.left = insert",
        "        if (x <= t.element) {\n            t.left = insert",
    ),
    mutant(
        AVL,
        "remove(int)",
        4,
        "            t.right = remove(t.element, t.right);\n",
        "",
    ),
    // Colours, parents and the size of a red-black tree.
    mutant(RED_BLACK, "put(int,Object)", 3, "        size++;\n", ""),
    mutant(
        RED_BLACK,
        "put(int,Object)",
        3,
        "            above.left = added;",
        "            above.right = added;",
    ),
    mutant(
        RED_BLACK,
        "put(int,Object)",
        3,
        "        root.red = false;\n",
        "",
    ),
    mutant(
        RED_BLACK,
        "put(int,Object)",
        3,
        "                    x.parent.red = false;\n                    above.red = true;\n                    rotateRight",
        "                    above.red = true;\n                    rotateRight",
    ),
    mutant(
        RED_BLACK,
        "put(int,Object)",
        3,
        "        child.right = entry;\n        entry.parent = child;",
        "        child.right = entry;",
    ),
    mutant(RED_BLACK, "remove(int)", 3, "        size--;\n", ""),
    mutant(
        RED_BLACK,
        "remove(int)",
        3,
        "            child.parent = gone.parent;\n",
        "",
    ),
    mutant(
        RED_BLACK,
        "remove(int)",
        4,
        "                    sibling.right.red = false;\n                    rotateLeft",
        "                    rotateLeft",
    ),
];

/// The file with the source of a class.
fn file(class: &str) -> PathBuf {
    subjects()
        .join(class.replace('.', "/"))
        .with_extension("java")
}

fn source(class: &str) -> String {
    std::fs::read_to_string(file(class)).expect("a subject")
}

/// The other classes of the package.
fn neighbours(class: &str) -> Vec<PathBuf> {
    let own = file(class);
    let folder = own.parent().expect("a folder");
    let entries = std::fs::read_dir(folder).expect("a folder");
    let files = entries.map(|entry| entry.expect("an entry").path());
    files.filter(|other| *other != own).collect()
}

/// What is printed for a method of a class with this source.
fn findings(class: &str, method: &str, scope: u32, source: &str, work: &Work) -> String {
    let simple = class.rsplit('.').next().expect("a name");
    let mut sources = neighbours(class);
    sources.push(work.write(&format!("{simple}.java"), source));
    let classes = work.compile(&sources);
    let target = format!("{class}#{method}");
    let scope = scope.to_string();
    let run = heapwright(&[
        "generate",
        &target,
        "-c",
        &classes.display().to_string(),
        "--mode",
        "repok",
        "--scope",
        &scope,
        "-q",
        "--findings",
    ]);
    run.stdout
}

#[test]
fn mistakes_that_break_the_invariant_are_found_with_a_small_input() {
    for (index, mutant) in MUTANTS.iter().enumerate() {
        let original = source(mutant.class);
        assert!(original.contains(mutant.from), "mutant {index}");
        let changed = original.replacen(mutant.from, mutant.to, 1);
        let work = Work::new(&format!("mutant{index}"));
        let Mutant {
            class,
            method,
            scope,
            ..
        } = *mutant;
        let shown = findings(class, method, scope, &changed, &work);
        assert!(
            shown.contains("  invariant: ") && shown.contains("() fails after the call at "),
            "mutant {index}, {class}#{method}:\n{shown}"
        );
    }
}

#[test]
fn the_subjects_themselves_keep_their_invariants() {
    let mut seen = Vec::new();
    for (index, mutant) in MUTANTS.iter().enumerate() {
        if seen.contains(&(mutant.class, mutant.method)) {
            continue;
        }
        seen.push((mutant.class, mutant.method));
        let work = Work::new(&format!("original{index}"));
        let source = source(mutant.class);
        let shown = findings(mutant.class, mutant.method, 4, &source, &work);
        assert!(
            !shown.contains("invariant:"),
            "{}#{}:\n{shown}",
            mutant.class,
            mutant.method
        );
    }
}
