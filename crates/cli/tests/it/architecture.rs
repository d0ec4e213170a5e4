//! `docs/ARCHITECTURE.md` is only of use while it is true: what it names exists, and the arrows between
//! crates are those that it shows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use toml::de::DeTable;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("the page exists")
}

/// The rows of the table below a heading, cell by cell, without the marks for code.
fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let section = page.split(&format!("\n{heading}\n")).nth(1);
    let section = section.expect("a section").split("\n## ").next();
    let lines = section.unwrap_or_default().lines();
    let rows = lines.filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    rows.skip(1)
        .map(|line| {
            let cells = line.trim_matches('|').split('|');
            cells.map(|cell| cell.trim().replace('`', "")).collect()
        })
        .collect()
}

#[test]
fn every_path_named_in_the_architecture_exists() {
    let text = page();
    // Paths are the pieces between backticks that contain a slash and no space.
    let paths: Vec<&str> = (text.split('`').skip(1).step_by(2))
        .filter(|piece| piece.contains('/') && !piece.contains(char::is_whitespace))
        .collect();
    assert!(
        paths.len() > 10,
        "the code map names paths, found {paths:?}"
    );
    let missing: Vec<&&str> = paths
        .iter()
        .filter(|path| !root().join(path).exists())
        .collect();
    assert!(
        missing.is_empty(),
        "docs/ARCHITECTURE.md names what does not exist: {missing:?}"
    );
}

#[test]
fn the_way_of_a_generate_is_as_described() {
    let steps = table(&page(), "## The way of one `generate`");
    assert!((6..=12).contains(&steps.len()), "{} steps", steps.len());
    for step in steps {
        let [_, function, file] = &step[..] else {
            panic!("three cells: {step:?}");
        };
        let text = std::fs::read_to_string(root().join(file)).expect(file);
        let declared = [format!("fn {function}("), format!("fn {function}<")];
        assert!(
            declared.iter().any(|declared| text.contains(declared)),
            "{file} has no function {function}"
        );
    }
}

/// The crates of the workspace, each with those that it is built from.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let mut crates = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("crates")).expect("a folder") {
        let folder = entry.expect("an entry").path();
        let text = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let manifest = DeTable::parse(&text).expect("a manifest");
        let used = manifest.get_ref().get("dependencies");
        let used = used.and_then(|used| used.get_ref().as_table());
        let used = used.into_iter().flatten().filter(|(_, value)| {
            // What is there for tests only is no arrow.
            let optional = value.get_ref().get("optional");
            optional.and_then(|optional| optional.get_ref().as_bool()) != Some(true)
        });
        let used = used.filter_map(|(name, _)| name.get_ref().strip_prefix("heapwright-"));
        let name = folder.file_name().expect("a name").to_string_lossy();
        crates.insert(name.into_owned(), used.map(str::to_owned).collect());
    }
    crates
}

#[test]
fn arrows_between_crates_are_those_of_the_table() {
    let mut above = BTreeSet::new();
    let mut allowed = BTreeMap::new();
    for row in table(&page(), "## The crates") {
        let [name, uses] = &row[..] else {
            panic!("two cells: {row:?}");
        };
        let uses: BTreeSet<String> = match uses.as_str() {
            "nothing" => BTreeSet::new(),
            "all above" => above.clone(),
            uses => uses.split(", ").map(str::to_owned).collect(),
        };
        assert!(uses.is_subset(&above), "{name} uses what is below it");
        above.insert(name.clone());
        allowed.insert(name.clone(), uses);
    }
    for (name, used) in dependencies() {
        let allowed = allowed
            .get(&name)
            .unwrap_or_else(|| panic!("no row for {name}"));
        let others: Vec<_> = used.difference(allowed).collect();
        assert!(others.is_empty(), "{name} must not use {others:?}");
    }
}

/// The Rust files below a folder.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source");
            found.push((path, text));
        }
    }
    found
}

#[test]
fn the_command_line_is_small_and_knows_languages_in_one_place() {
    let sources = sources(&root().join("crates/cli/src"));
    let lines: usize = sources.iter().map(|(_, text)| text.lines().count()).sum();
    assert!(lines < 6_000, "{lines} lines");
    for (path, text) in &sources {
        if path.ends_with("frontends.rs") {
            continue;
        }
        for name in ["heapwright_java", "heapwright_impl"] {
            assert!(!text.contains(name), "{} names {name}", path.display());
        }
    }
}

/// Crates whose code runs inside of other programs: these decide what is printed, and whether the
/// environment counts.
const LIBRARIES: [&str; 13] = [
    "configuration",
    "logic",
    "spec",
    "solver",
    "ir",
    "report",
    "engine",
    "explain",
    "lsp",
    "testgen",
    "impl",
    "impl-tests",
    "java-tests",
];

#[test]
fn libraries_print_nothing_and_read_no_environment() {
    for name in LIBRARIES {
        for (path, text) in sources(&root().join("crates").join(name).join("src")) {
            // Tests are at the end of a file, or in files of their own.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let is_test = path.file_stem().is_some_and(|stem| {
                let stem = stem.to_string_lossy();
                stem == "tests" || stem.ends_with("_tests")
            });
            if is_test {
                continue;
            }
            for line in code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
            {
                for word in ["println!(", "eprintln!(", "print!(", "eprint!(", "env::var"] {
                    // `writeln!` and the like print where they are told to.
                    let is_there = line.match_indices(word).any(|(at, _)| {
                        !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
                    });
                    assert!(!is_there, "{}: {line}", path.display());
                }
            }
        }
    }
}

/// Words of which every reader has an idea: each is the name of one type.
#[test]
fn words_that_everybody_knows_mean_one_thing() {
    let crates = sources(&root().join("crates"));
    for word in ["Scope", "Finding", "Session", "Place", "Outcome"] {
        let declares = |line: &&str| {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            let mut words = words
                .by_ref()
                .skip_while(|found| !["struct", "enum", "type", "trait"].contains(found));
            words.next().is_some() && words.next() == Some(word)
        };
        let declared = crates.iter().flat_map(|(path, text)| {
            let found = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            found.filter(declares).map(move |line| (path, line))
        });
        let declared: Vec<_> = declared.collect();
        assert_eq!(declared.len(), 1, "{word}: {declared:?}");
    }
}
