//! `docs/DEPENDENCIES.md` is only of use while it is true: its table names every crate of others
//! that a manifest names, with those who use it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use toml::de::DeTable;

/// Crates of others with our crates that use them; those that only their tests and benchmarks use
/// come second.
type Users = BTreeMap<String, [BTreeSet<String>; 2]>;

const SECTIONS: [&str; 2] = ["dependencies", "dev-dependencies"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What the manifests say.
fn users_by_manifests() -> Users {
    let mut users = Users::new();
    for entry in std::fs::read_dir(root().join("crates")).expect("a folder") {
        let folder = entry.expect("an entry").path();
        let text = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let manifest = DeTable::parse(&text).expect("a manifest");
        let user = folder.file_name().expect("a name").to_string_lossy();
        for (kind, section) in SECTIONS.iter().enumerate() {
            let used = manifest.get_ref().get(*section);
            let used = used.and_then(|used| used.get_ref().as_table());
            let names = used.into_iter().flatten().map(|(name, _)| name.get_ref());
            for name in names.filter(|name| !name.starts_with("heapwright")) {
                let users = users.entry(name.to_string()).or_default();
                users[kind].insert(user.clone().into_owned());
            }
        }
    }
    users
}

/// What the table says: crates, and after "tests of" or "benchmarks of" those who use it there.
fn users_by_table() -> Users {
    let page = std::fs::read_to_string(root().join("docs/DEPENDENCIES.md")).expect("the page");
    let table = page
        .split("\n\n")
        .find(|part| part.starts_with("| crate |"));
    let rows = table.expect("a table").lines().skip(2);
    let mut users = Users::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let [crates, used_by, _] = cells[..] else {
            panic!("three cells: {row}");
        };
        let mut found = <[BTreeSet<String>; 2]>::default();
        for part in used_by.split(';') {
            found[usize::from(part.contains(" of "))].extend(quoted(part));
        }
        for name in quoted(crates) {
            users.insert(name, found.clone());
        }
    }
    users
}

/// The words between backticks.
fn quoted(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

#[test]
fn the_table_of_dependencies_is_that_of_the_manifests() {
    assert_eq!(users_by_table(), users_by_manifests());
}
