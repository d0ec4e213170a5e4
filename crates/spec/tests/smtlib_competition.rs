//! The scripts of the separation-logic competition, where they are at hand.
//!
//! They are not part of this repository: the folder is named by `HEAPWRIGHT_SLCOMP`, or lies
//! beside the workspace.

use std::path::{Path, PathBuf};

use heapwright_spec::smtlib;

fn scripts() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::var_os("HEAPWRIGHT_SLCOMP")
        .map_or_else(|| root.join("../shared/slcomp"), PathBuf::from);
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "smt2")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Each asks once before it asserts anything and once afterwards, and states its answer.
#[test]
fn every_competition_script_is_understood() {
    let mut failures = Vec::new();
    for path in scripts() {
        let text = std::fs::read_to_string(&path).expect("a readable script");
        let name = path.display().to_string();
        match smtlib::read(&name, &text) {
            Err(error) => failures.push(error.render(Default::default())),
            Ok(script) => {
                let stated: Vec<_> = (script.queries.iter())
                    .map(|query| query.expected.is_some())
                    .collect();
                if stated != [false, true] {
                    failures.push(format!("{name}: queries with a status: {stated:?}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
