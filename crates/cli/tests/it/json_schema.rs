//! `docs/JSON.md` is only of use while it is true: its example is what the binary prints, and it
//! mentions every key.

use std::collections::BTreeSet;

use crate::common::{heapwright, root};
use expect_test::expect_file;
use heapwright_logic::{Class, Definitions, Field, IntType, Sort, Terms, heap_to_json, read_heap};
use serde_json::Value as Json;

const BEGIN: &str = "```json\n";
const END: &str = "```\n";

#[test]
fn the_example_is_what_is_printed() {
    let page = root().join("docs/JSON.md");
    let text = std::fs::read_to_string(&page).expect("the page exists");
    let (before, rest) = text.rsplit_once(BEGIN).expect("an example");
    let (_, after) = rest.split_once(END).expect("an end");
    let run = heapwright(&["generate", "examples/impl/list.impl#length", "--json", "-"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    expect_file![page].assert_eq(&[before, BEGIN, &run.stdout, END, after].concat());
}

#[test]
fn the_heap_with_arrays_is_written_as_it_is_read() {
    let text = std::fs::read_to_string(root().join("docs/JSON.md")).expect("the page exists");
    let (_, rest) = text.split_once(BEGIN).expect("an example");
    let (example, _) = rest.split_once(END).expect("an end");
    let mut definitions = Definitions::new();
    let mut add = |name: &str| {
        definitions.add_class(Class {
            name: name.to_owned(),
            fields: Vec::new(),
            superclass: None,
        })
    };
    let (node, ints) = (add("Node"), add("int[]"));
    definitions.set_element_sort(ints, Sort::Machine(IntType::I32));
    let fields = [("data", ints), ("next", node)].map(|(name, class)| Field {
        name: name.to_owned(),
        sort: Sort::Ref(class),
    });
    definitions.class_mut(node).fields = fields.to_vec();
    let mut terms = Terms::new();
    let first = terms.declare("first".to_owned(), Sort::Ref(node));
    let (stack, heap) = read_heap(&terms, &definitions, example, |name| {
        (name == "first").then_some(first)
    })
    .expect("a heap");
    assert_eq!(heap.cells.len(), 4);
    let written = heap_to_json(&terms, &definitions, &stack, &heap);
    let expected: Json = serde_json::from_str(example).expect("JSON");
    assert_eq!(written, expected);
}

#[test]
fn every_key_is_described() {
    let text = std::fs::read_to_string(root().join("docs/JSON.md")).expect("the page exists");
    let described: BTreeSet<&str> = text.split('`').skip(1).step_by(2).collect();
    let mut keys = BTreeSet::new();
    for line in [
        "crates/cli/tests/data/faults.impl --times",
        "examples/impl/tree_remove.impl#remove --max-objects 2",
        "examples/impl/tree_remove.impl#remove --mode lazy --max-objects 3",
        "examples/impl/list.impl --no-spec --max-paths 20",
    ] {
        let words = line.split(' ');
        let words: Vec<&str> = ["generate"].into_iter().chain(words).collect();
        let run = heapwright(&[words.as_slice(), &["--json", "-"]].concat());
        let report = serde_json::from_str(&run.stdout).expect("JSON");
        collect(&report, &mut keys);
    }
    for key in ["postcondition", "budget", "leaks", "limit", "times"] {
        assert!(keys.contains(key), "the reports do not show `{key}`");
    }
    let missing: Vec<&String> = (keys.iter())
        .filter(|key| !described.contains(key.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/JSON.md does not describe {missing:?}"
    );
}

/// The keys of a value, but for those that are names of the program.
fn collect(json: &Json, keys: &mut BTreeSet<String>) {
    match json {
        Json::Array(items) => items.iter().for_each(|item| collect(item, keys)),
        Json::Object(members) => {
            for (key, value) in members {
                keys.insert(key.clone());
                if key != "stack" && key != "objects" {
                    collect(value, keys);
                }
            }
        }
        _ => {}
    }
}
