//! Reading specifications for tests.

// Not every test uses everything.
#![allow(dead_code)]

use std::path::Path;

use heapwright_logic::{Formula, Instance, SymbolicHeap};
use heapwright_solver::{Config, Solver};
use heapwright_spec::syntax::ast::ImportTarget;
use heapwright_spec::{Environment, ImportRequest, Source, Specification, read_specification};

/// Reads a module of the shape library.
pub fn library(module: &str) -> Specification {
    let source = module_source(module).expect("a module of the library");
    read(source)
}

/// Reads a specification from text; it may import library modules.
pub fn specification(text: &str) -> Specification {
    read(Source {
        name: "test.sl".to_owned(),
        text: text.to_owned(),
    })
}

fn read(source: Source) -> Specification {
    let mut import = |request: ImportRequest<'_>| match request.target {
        ImportTarget::Module(name) => module_source(name),
        ImportTarget::File(name) => Err(format!("{name} cannot be imported here")),
    };
    match read_specification(source, Environment::default(), &mut import) {
        Ok(specification) => specification,
        Err(error) => panic!("{error}"),
    }
}

fn module_source(module: &str) -> Result<Source, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../library");
    let path = folder.join(format!("{module}.sl"));
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    Ok(Source {
        name: module.to_owned(),
        text,
    })
}

/// The formula `p(params)` for a predicate and its own parameters.
pub fn instance(specification: &mut Specification, predicate: &str) -> SymbolicHeap {
    let definitions = &specification.definitions;
    let predicate = definitions.predicate_named(predicate).expect("a predicate");
    let params = definitions.predicate(predicate).params.clone();
    let args = (params.into_iter())
        .map(|param| {
            let fresh = specification.terms.fresh_like(param);
            specification.terms.var(fresh)
        })
        .collect();
    SymbolicHeap {
        instances: vec![Instance { predicate, args }],
        ..SymbolicHeap::default()
    }
}

/// A solver with default settings.
pub fn solver(specification: &mut Specification) -> Solver {
    let Specification {
        terms, definitions, ..
    } = specification;
    Solver::new(terms, definitions, Config::default())
}

/// A formula with one disjunct.
pub fn formula(heap: SymbolicHeap) -> Formula {
    Formula {
        disjuncts: vec![heap],
    }
}
