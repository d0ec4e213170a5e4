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
