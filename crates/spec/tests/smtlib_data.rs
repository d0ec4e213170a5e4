//! The SMT-LIB reader on small scripts: what comes out, and what is reported.

mod smtlib_support;

use std::fmt::Write;

use heapwright_logic::{Printer, display_sort};
use heapwright_spec::smtlib::{self, Script};
use smtlib_support::{check_folder, show_definitions};

fn show(script: &Script) -> String {
    let mut printer = Printer::new(&script.terms, &script.definitions);
    let mut out = show_definitions(&script.definitions, &mut printer);
    for (index, query) in script.queries.iter().enumerate() {
        for (_, text) in script.echoes.iter().filter(|&&(before, _)| before == index) {
            let _ = writeln!(out, "echo {text}");
        }
        let constants: Vec<_> = (query.constants.iter())
            .map(|&constant| {
                let sort = script.terms.variable(constant).sort;
                let sort = display_sort(&script.definitions, sort);
                format!("{}: {sort}", printer.variable(constant))
            })
            .collect();
        let expected = query
            .expected
            .map_or(String::new(), |status| format!(", {status:?}"));
        let model = if query.wants_model { ", model" } else { "" };
        let _ = writeln!(out, "query ({}){expected}{model}", constants.join(", "));
        let _ = writeln!(
            out,
            "  {}",
            printer.formula(&query.formula).replace('\n', "\n  ")
        );
    }
    out
}

#[test]
fn scripts_become_formulas() {
    check_folder("smtlib/ok", "smt2", |name, text| {
        match smtlib::read(name, text) {
            Ok(script) => show(&script),
            Err(error) => panic!("{}", error.render(Default::default())),
        }
    });
}

#[test]
fn errors_say_where_and_what() {
    check_folder("smtlib/err", "smt2", |name, text| {
        match smtlib::read(name, text) {
            Ok(_) => panic!("{name} was accepted"),
            Err(error) => error.render(Default::default()),
        }
    });
}
