//! The examples: they are accepted and well-formed, and every procedure has a precondition that
//! speaks of the program's own structs.

mod common;

use heapwright_spec::ContractKind;
use heapwright_spec::diagnostic::{Style, render_all};

#[test]
fn examples_are_accepted_and_verified() {
    for path in common::examples() {
        let read = common::read(&path).unwrap_or_else(|text| panic!("{text}"));
        if let Err(errors) = heapwright_ir::verify(&read.program) {
            panic!("{}: {errors:?}", path.display());
        }
    }
}

#[test]
fn every_function_has_a_precondition() {
    for path in common::examples() {
        let read = common::read(&path).unwrap_or_else(|text| panic!("{text}"));
        let specification = common::specification(&path, &read.program);
        let warnings = render_all(
            &specification.sources,
            &specification.warnings,
            Style::Plain,
        );
        assert_eq!(warnings, "", "{}", path.display());
        for function in &read.program.functions {
            let described = specification.contracts.iter().any(|contract| {
                contract.kind == ContractKind::Pre
                    && contract.method == function.name
                    && contract.params.len() == function.params as usize
            });
            let place = path.display();
            assert!(described, "{place}: no precondition for {}", function.name);
        }
        for contract in &specification.contracts {
            let known = read.program.function_named(&contract.method).is_some();
            assert!(known, "{}: no function {}", path.display(), contract.method);
        }
    }
}
