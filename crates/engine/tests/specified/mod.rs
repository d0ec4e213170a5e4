//! Programs in ImpL with their specifications, as the tests of the engine need them.

#![allow(dead_code)]

use std::path::{Path, PathBuf};

use heapwright_engine::{Input, Output, Run, Subject, replay};
use heapwright_impl::{ImplProgram, environment_of, read_program};
use heapwright_ir::Program;
use heapwright_ir::machine::Budgets;
use heapwright_logic::{Cell, Heap, Loc, Value};
use heapwright_spec::diagnostic::Style;
use heapwright_spec::syntax::ast::ImportTarget;
use heapwright_spec::{ImportRequest, Source, Specification, read_specification};

/// A program with the specification of its procedures.
pub struct Specified {
    pub read: ImplProgram,
    pub specification: Specification,
}

impl Specified {
    /// One of the examples that come with Heapwright.
    pub fn example(name: &str) -> Self {
        let path = repository().join("examples/impl").join(name);
        let text = |ending| std::fs::read_to_string(path.with_extension(ending)).unwrap();
        Specified::new(&text("impl"), &text("sl"))
    }

    /// A program and a specification from their texts.
    pub fn new(program: &str, specification: &str) -> Self {
        let read = read_program("test.impl", program)
            .unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)));
        let specification = specification_of(&read.program, specification);
        Specified {
            read,
            specification,
        }
    }

    /// A procedure, or `main` for the statements outside of procedures, under its contract.
    pub fn subject(&self, name: &str) -> Subject {
        let program = &self.read.program;
        let function = program.function_named(name).unwrap();
        let subject = Subject::new(program, function, Some(&self.specification)).unwrap();
        match &self.read.entry {
            Some(entry) if entry.function == function => {
                let outputs = entry.outputs.iter().map(|variable| Output {
                    name: variable.name.clone(),
                    register: variable.register,
                    sort: variable.sort,
                });
                subject.with_outputs(outputs.collect())
            }
            _ => subject,
        }
    }

    /// Everything that can be tested.
    pub fn subjects(&self) -> impl Iterator<Item = Subject> {
        let functions = self.read.program.functions.iter();
        functions.map(|function| self.subject(&function.name))
    }
}

/// A specification for a program, which may import the shape library.
pub fn specification_of(program: &Program, text: &str) -> Specification {
    let source = Source {
        name: "test.sl".to_owned(),
        text: text.to_owned(),
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

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of all examples in ImpL, in order.
pub fn examples() -> Vec<String> {
    let folder = std::fs::read_dir(repository().join("examples/impl")).unwrap();
    let mut names: Vec<String> = folder
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".impl"))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

/// An input without a witness. The cells have numbers from 1, and all are of one class.
pub fn input(subject: &Subject, class: &str, cells: &[&[Value]], arguments: &[Value]) -> Input {
    let class = subject.definitions.class_named(class).unwrap();
    let cells = (1..).map(Loc).zip(cells.iter().map(|fields| Cell {
        class,
        fields: fields.to_vec(),
    }));
    Input {
        arguments: arguments.to_vec(),
        heap: Heap {
            cells: cells.collect(),
        },
        witness: None,
    }
}

/// Runs an input with the usual budgets.
pub fn run(subject: &Subject, input: &Input) -> Run {
    replay(subject, input, Budgets::default()).unwrap()
}

/// A number as a value.
pub fn int(value: i128) -> Value {
    Value::Int(value)
}

/// A reference to the cell of a number.
pub fn cell(number: u32) -> Value {
    Value::Ref(Loc(number))
}
