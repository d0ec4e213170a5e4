//! What the tests of text form and verifier share: data files, and equality of programs.
#![allow(dead_code)] // Every test uses a part of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use heapwright_ir::Program;

/// The programs of a folder under `tests/data`, in order.
pub fn data_files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder);
    let entries = fs::read_dir(&folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    for file in &files {
        let input = file.with_extension("ir");
        assert!(input.exists(), "{} has no input", file.display());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ir"));
    files.sort();
    assert!(!files.is_empty());
    files
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// Compares with the file beside the input, or rewrites it.
pub fn expect(input: &Path, actual: &str) {
    expect_file![input.with_extension("expect")].assert_eq(actual);
}

/// Panics unless the programs are the same, but for predicates.
pub fn assert_same(left: &Program, right: &Program) {
    let classes = |program: &Program| -> Vec<_> {
        let classes = program.definitions.classes();
        classes.map(|(_, class)| class.clone()).collect()
    };
    assert_eq!(classes(left), classes(right));
    for (_, class) in left.definitions.classes() {
        let found = right.definitions.class_named(&class.name);
        assert_eq!(found, left.definitions.class_named(&class.name));
    }
    assert_eq!(left.classes, right.classes);
    assert_eq!(left.globals, right.globals);
    assert_eq!(left.functions, right.functions);
    assert_eq!(left.files, right.files);
    assert_eq!(left.exceptions, right.exceptions);
    assert_eq!(left.manual_memory, right.manual_memory);
}

/// The name of a variant, from how it is shown for debugging.
pub fn variant(value: &impl std::fmt::Debug) -> String {
    let shown = format!("{value:?}");
    let end = shown.find(|character: char| !character.is_alphanumeric());
    shown[..end.unwrap_or(shown.len())].to_owned()
}

/// All operations and jumps, by name.
pub const ALL: [&str; 31] = [
    "Absent",
    "Assert",
    "Assume",
    "Binary",
    "Branch",
    "Call",
    "Cast",
    "Check",
    "CheckCast",
    "CopyBytes",
    "ElementAddress",
    "Extent",
    "FieldAddress",
    "FillBytes",
    "Free",
    "Goto",
    "InstanceOf",
    "Length",
    "Load",
    "LoadElement",
    "Move",
    "New",
    "NewArray",
    "Return",
    "Store",
    "StoreElement",
    "Switch",
    "Throw",
    "Unary",
    "Undefine",
    "Unreachable",
];

/// Those that occur in some programs.
pub fn operations_and_jumps(programs: &[Program]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for block in programs
        .iter()
        .flat_map(|p| &p.functions)
        .flat_map(|f| &f.blocks)
    {
        found.extend(block.instructions.iter().map(|i| variant(&i.operation)));
        found.insert(variant(&block.terminator));
    }
    found
}
