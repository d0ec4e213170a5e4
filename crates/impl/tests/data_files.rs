//! Runs every file of `tests/data`: programs in `ok` are accepted with the inputs and outputs
//! beside them, those in `err` are rejected with exactly the diagnostics beside them, and those in
//! `lower` are translated as written beside them.
//!
//! `UPDATE_EXPECT=1 cargo test` rewrites the expected files; review the difference.

mod common;

use std::fmt::Write;
use std::path::Path;

use heapwright_impl::{ImplProgram, Variable};
use heapwright_logic::display_sort;

fn data(folder: &str) -> Vec<std::path::PathBuf> {
    common::programs(&Path::new(common::DATA).join(folder))
}

fn accepted(path: &Path) -> ImplProgram {
    let read = common::read(path).unwrap_or_else(|text| panic!("{}:\n{text}", path.display()));
    if let Err(errors) = heapwright_ir::verify(&read.program) {
        panic!("{}: {errors:?}", path.display());
    }
    read
}

#[test]
fn accepted_programs_have_the_expected_interface() {
    for path in data("ok") {
        let read = accepted(&path);
        let definitions = &read.program.definitions;
        let sort = |sort| display_sort(definitions, sort).to_string();
        let mut out = String::new();
        for function in &read.program.functions {
            let params: Vec<_> = (function.registers.iter().take(function.params as usize))
                .map(|register| {
                    let name = register.name.as_deref().unwrap_or("_");
                    format!("{name}: {}", sort(register.sort))
                })
                .collect();
            let result = function.result.map_or("nothing".to_owned(), sort);
            let _ = writeln!(
                out,
                "{}({}) returns {result}",
                function.name,
                params.join(", ")
            );
        }
        if let Some(entry) = &read.entry {
            let names = |variables: &[Variable]| -> String {
                let names: Vec<_> = (variables.iter())
                    .map(|variable| format!("{}: {}", variable.name, sort(variable.sort)))
                    .collect();
                names.join(", ")
            };
            let _ = writeln!(out, "inputs: {}", names(&entry.inputs));
            let _ = writeln!(out, "outputs: {}", names(&entry.outputs));
        }
        common::expect(&path, &out);
    }
}

#[test]
fn rejected_programs_get_the_expected_diagnostics() {
    for path in data("err") {
        match common::read(&path) {
            Ok(_) => panic!("{} was accepted", path.display()),
            Err(text) => common::expect(&path, &text),
        }
    }
}

#[test]
fn programs_are_translated_as_expected() {
    for path in data("lower") {
        let mut program = accepted(&path).program;
        // The text is beside it.
        for file in &mut program.files {
            file.text.clear();
        }
        common::expect(&path, &heapwright_ir::print(&program));
    }
}

#[test]
fn every_expected_file_belongs_to_an_input() {
    for folder in ["ok", "err", "lower"] {
        for entry in std::fs::read_dir(Path::new(common::DATA).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            assert!(path.with_extension("impl").exists(), "{}", path.display());
        }
    }
}
