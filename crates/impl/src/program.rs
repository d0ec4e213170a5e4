//! What comes out of reading a program.

use heapwright_ir::{FunctionId, Program, Reg, SourceFile};
use heapwright_logic::{Sort, Terms};
use heapwright_spec::diagnostic::{SourceMap, Span};
use heapwright_spec::{Environment, Signature};

use crate::check::check;
use crate::error::ImplError;
use crate::lower::lower;
use crate::syntax::parse;

/// A program that was read, checked and translated.
#[derive(Clone, Debug)]
pub struct ImplProgram {
    /// The program: one function per procedure, and `main` for the statements outside of them.
    pub program: Program,
    /// What is executed when the file is run; none if it only has procedures.
    pub entry: Option<Entry>,
    /// The text.
    pub sources: SourceMap,
}

/// The statements of a program as a function.
///
/// Its parameters are the inputs. It returns nothing: what it does is seen in the registers of
/// the outputs when it returns, and in the heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The function, which is called `main`.
    pub function: FunctionId,
    /// The variables that have a value before the program starts, in order of their first
    /// mention: those that may be read before they are assigned, and those that may still have
    /// their first value at the end.
    pub inputs: Vec<Variable>,
    /// All variables of the program, inputs included, in order of their first mention, but not
    /// those that are declared inside of a block. Each has a value when the program ends.
    pub outputs: Vec<Variable>,
}

/// A variable of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The register that holds its value.
    pub register: Reg,
    /// Its sort.
    pub sort: Sort,
}

/// Reads, checks and translates a program. The name is that of its file.
pub fn read_program(name: &str, text: &str) -> Result<ImplProgram, ImplError> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text.to_owned());
    let (tree, diagnostics) = parse(file, text);
    if !diagnostics.is_empty() {
        return Err(ImplError::rejected(sources, diagnostics));
    }
    let whole = Span::new(file, 0, 0);
    match check(&tree, whole) {
        Err(diagnostics) => Err(ImplError::rejected(sources, diagnostics)),
        Ok(checked) => {
            let source = SourceFile {
                name: name.to_owned(),
                text: text.to_owned(),
            };
            Ok(lower(&checked, sources, source))
        }
    }
}

/// What a specification may use of a program: its structs as classes, and its functions.
pub fn environment_of(program: &Program) -> Environment {
    let signatures = (program.functions.iter())
        .map(|function| Signature {
            class: None,
            has_receiver: false,
            method: function.name.clone(),
            params: (function.registers.iter().take(function.params as usize))
                .map(|register| register.sort)
                .collect(),
            names: Vec::new(),
            result: function.result,
        })
        .collect();
    Environment {
        terms: Terms::new(),
        definitions: program.definitions.clone(),
        signatures,
        packages: Vec::new(),
        tested: Vec::new(),
        statics: Vec::new(),
        aliases: Vec::new(),
    }
}
