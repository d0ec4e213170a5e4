//! What the tests of ImpL share.

#![allow(dead_code)]

pub mod cases;
pub mod checked_run;

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use heapwright_impl::{ImplProgram, environment_of, read_program};
use heapwright_ir::Program;
use heapwright_spec::diagnostic::Style;
use heapwright_spec::syntax::ast::ImportTarget;
use heapwright_spec::{ImportRequest, Source, Specification, read_specification};

/// Where the inputs are.
pub const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The `.impl` files of a folder, in order.
pub fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = (std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "impl"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no programs in {}", folder.display());
    files
}

/// The examples that come with Heapwright.
pub fn examples() -> Vec<PathBuf> {
    programs(&repository().join("examples/impl"))
}

/// One of the examples.
pub fn example(name: &str) -> ImplProgram {
    read(&repository().join("examples/impl").join(name)).unwrap_or_else(|text| panic!("{text}"))
}

/// Reads a program; the diagnostics if there are errors.
pub fn read(path: &Path) -> Result<ImplProgram, String> {
    let name = path.file_name().unwrap().to_string_lossy();
    let text = std::fs::read_to_string(path).unwrap();
    read_program(&name, &text).map_err(|error| error.render(Style::Plain))
}

/// The specification beside a program, read with what the program declares.
pub fn specification(path: &Path, program: &Program) -> Specification {
    let path = path.with_extension("sl");
    let source = Source {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        text: std::fs::read_to_string(&path).unwrap(),
    };
    let mut loader = |request: ImportRequest<'_>| {
        let ImportTarget::Module(module) = request.target else {
            return Err("only modules are imported here".to_owned());
        };
        let file = repository().join("library").join(format!("{module}.sl"));
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        let name = format!("library/{module}.sl");
        Ok(Source { name, text })
    };
    read_specification(source, environment_of(program), &mut loader)
        .unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)))
}

/// Compares with the expected file beside an input, or rewrites it.
pub fn expect(input: &Path, actual: &str) {
    expect_file![input.with_extension("expect")].assert_eq(actual);
}
