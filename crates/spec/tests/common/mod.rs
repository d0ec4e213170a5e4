//! What the tests of the specification language share.

#![allow(dead_code)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use heapwright_logic::{Printer, display_sort};
use heapwright_spec::syntax::ast::ImportTarget;
use heapwright_spec::{
    Environment, ImportRequest, Source, SpecError, Specification, read_specification,
};

/// Where the inputs are.
pub const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sl");

/// The inputs of a folder, in order.
pub fn data_files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = (std::fs::read_dir(Path::new(DATA).join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sl"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no inputs in {folder}");
    files
}

/// Reads a specification; imports are files of the same folder, modules files in `modules`.
pub fn read_file(path: &Path) -> Result<Specification, SpecError> {
    let folder = path.parent().unwrap().to_owned();
    let mut loader = |request: ImportRequest<'_>| {
        let (name, path) = match request.target {
            ImportTarget::File(file) => (file.clone(), folder.join(file)),
            ImportTarget::Module(module) => {
                let file = format!("{}.sl", module.replace('.', "/"));
                (module.clone(), Path::new(DATA).join("modules").join(file))
            }
        };
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(Source { name, text }),
            Err(_) => Err("there is no such file".to_owned()),
        }
    };
    let source = Source {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        text: std::fs::read_to_string(path).unwrap(),
    };
    read_specification(source, Environment::default(), &mut loader)
}

/// Compares with the expected file beside an input, or rewrites it.
pub fn expect(input: &Path, actual: &str) {
    expect_file![input.with_extension("expect")].assert_eq(actual);
}

/// Everything that a specification defines, as `logic` prints it.
pub fn show(specification: &Specification) -> String {
    let Specification {
        terms, definitions, ..
    } = specification;
    let mut out = String::new();
    for (_, class) in definitions.classes().skip(1) {
        let _ = write!(out, "data {}", class.name);
        if let Some(superclass) = class.superclass {
            let _ = write!(out, " extends {}", definitions.class(superclass).name);
        }
        out.push_str(" {");
        for field in &class.fields {
            let sort = display_sort(definitions, field.sort);
            let _ = write!(out, " {sort} {};", field.name);
        }
        out.push_str(" }\n");
    }
    for (_, predicate) in definitions.predicates() {
        let mut printer = Printer::new(terms, definitions);
        let params: Vec<_> = (predicate.params.iter())
            .map(|&param| {
                let sort = display_sort(definitions, terms.variable(param).sort);
                format!("{}: {sort}", printer.variable(param))
            })
            .collect();
        let _ = write!(out, "pred {}({}) :=", predicate.name, params.join(", "));
        out.push_str(&sorted_heaps(
            specification,
            &predicate.disjuncts,
            &mut printer,
        ));
    }
    for contract in &specification.contracts {
        let mut printer = Printer::new(terms, definitions);
        let class = contract.class.map_or(String::new(), |class| {
            format!("{}#", definitions.class(class).name)
        });
        let _ = write!(out, "{:?} {class}{}(", contract.kind, contract.method);
        let mut named = |label: &str, variable: heapwright_logic::VarId| {
            let sort = display_sort(definitions, terms.variable(variable).sort);
            let name = printer.variable(variable);
            if label == name || label.is_empty() {
                format!("{name}: {sort}")
            } else {
                format!("{label} {name}: {sort}")
            }
        };
        let mut heads: Vec<_> = contract
            .this
            .iter()
            .map(|&this| named("this", this))
            .collect();
        heads.extend(contract.params.iter().map(|&param| named("", param)));
        heads.extend(
            contract
                .result
                .iter()
                .map(|&result| named("result", result)),
        );
        for old in &contract.old {
            let base = named("", old.base);
            let base = base.split(':').next().unwrap_or("");
            let fields: Vec<_> = (old.path.iter())
                .map(|&(class, field)| definitions.class(class).fields[field].name.as_str())
                .collect();
            let label = format!("old({base}.{}) =", fields.join("."));
            heads.push(named(&label, old.variable));
        }
        let _ = write!(out, "{})", heads.join(", "));
        if let Some(exception) = &contract.throws {
            let _ = write!(out, " throws {exception}");
        }
        out.push_str(" :=");
        out.push_str(&sorted_heaps(
            specification,
            &contract.formula.disjuncts,
            &mut printer,
        ));
    }
    for query in &specification.queries {
        let mut printer = Printer::new(terms, definitions);
        let variables: Vec<_> = (query.variables.iter())
            .map(|&variable| {
                let sort = display_sort(definitions, terms.variable(variable).sort);
                format!("{}: {sort}", printer.variable(variable))
            })
            .collect();
        let name = query.name.as_deref().unwrap_or("");
        let _ = write!(out, "check {name}({}) :=", variables.join(", "));
        out.push_str(&sorted_heaps(
            specification,
            &query.formula.disjuncts,
            &mut printer,
        ));
    }
    out
}

/// Symbolic heaps, each with the sorts of its quantified variables behind it.
fn sorted_heaps(
    specification: &Specification,
    heaps: &[heapwright_logic::SymbolicHeap],
    printer: &mut Printer<'_>,
) -> String {
    let mut out = String::new();
    for (index, heap) in heaps.iter().enumerate() {
        let lead = if index == 0 { "   " } else { "  |" };
        let text = printer.symbolic_heap(heap);
        let sorts: Vec<_> = (heap.exists.iter())
            .map(|&variable| {
                let sort = specification.terms.variable(variable).sort;
                let sort = display_sort(&specification.definitions, sort);
                format!("{}: {sort}", printer.variable(variable))
            })
            .collect();
        let _ = write!(out, "\n{lead} {text}");
        if !sorts.is_empty() {
            let _ = write!(out, "    // {}", sorts.join(", "));
        }
    }
    if heaps.is_empty() {
        out.push_str("\n    false");
    }
    out.push('\n');
    out
}
