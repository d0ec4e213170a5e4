//! Runs every file of `tests/data/sl`: those in `ok` must be accepted and mean what is written
//! beside them, those in `err` must be rejected with exactly the diagnostics beside them.
//!
//! `UPDATE_EXPECT=1 cargo test` rewrites the expected files; review the difference.

mod common;

use std::path::Path;

use common::{data_files, expect, read_file};
use heapwright_spec::diagnostic::{Style, render_all};

#[test]
fn accepted_files_mean_what_is_expected() {
    for path in data_files("ok") {
        let specification = read_file(&path)
            .unwrap_or_else(|error| panic!("{}:\n{}", path.display(), error.render(Style::Plain)));
        let mut actual = common::show(&specification);
        let warnings = render_all(
            &specification.sources,
            &specification.warnings,
            Style::Plain,
        );
        if !warnings.is_empty() {
            actual.push_str("\n# warnings\n");
            actual.push_str(&warnings);
        }
        expect(&path, &actual);
    }
}

#[test]
fn rejected_files_get_the_expected_diagnostics() {
    for path in data_files("err") {
        match read_file(&path) {
            Ok(_) => panic!("{} was accepted", path.display()),
            Err(error) => expect(&path, &error.render(Style::Plain)),
        }
    }
}

#[test]
fn every_expected_file_belongs_to_an_input() {
    for folder in ["ok", "err"] {
        let folder = Path::new(common::DATA).join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "expect")
            {
                assert!(path.with_extension("sl").exists(), "{}", path.display());
            }
        }
    }
}

/// What `logic` prints is a specification too, and means the same.
#[test]
fn printed_definitions_are_read_back() {
    let mut compared = 0;
    for path in data_files("ok") {
        let specification = read_file(&path).unwrap();
        let shown = common::show(&specification);
        // Subclasses are shown with the fields that they inherit, so they cannot be read back.
        if shown.contains(" extends ") {
            continue;
        }
        let definitions: String = (shown.split_inclusive('\n'))
            .take_while(|line| {
                !["Pre ", "Post ", "check "]
                    .iter()
                    .any(|w| line.starts_with(w))
            })
            .collect();
        let text: String = (definitions.lines())
            .map(|line| line.split("    //").next().unwrap_or(""))
            .map(|line| format!("{}\n", line.replace("<any>", "Object")))
            .collect();
        let text = text.replace("\npred ", ";\npred ").replace("}\n;", "}\n") + ";";
        let source = heapwright_spec::Source {
            name: "printed.sl".to_owned(),
            text: text.clone(),
        };
        let environment = heapwright_spec::Environment::default();
        let mut loader = heapwright_spec::no_imports;
        let again = heapwright_spec::read_specification(source, environment, &mut loader)
            .unwrap_or_else(|error| panic!("{text}\n{}", error.render(Style::Plain)));
        let shown_again = common::show(&again);
        let (before, after) = (sorted_words(&definitions), sorted_words(&shown_again));
        assert_eq!(after, before, "{}:\n{shown_again}", path.display());
        compared += 1;
    }
    assert!(compared > 10);
}

/// The words of each line in alphabetical order: the sides of an equality and the operands of a
/// disjunction are printed in the order in which their terms were built.
fn sorted_words(text: &str) -> Vec<Vec<&str>> {
    let words = |line| {
        let mut words: Vec<&str> = str::split(line, [' ', '(', ')', ',']).collect();
        words.sort_unstable();
        words
    };
    text.lines().map(words).collect()
}
