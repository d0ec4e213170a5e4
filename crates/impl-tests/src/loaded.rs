//! What is run or tested: a program with its specification, and one procedure of it.

use std::path::{Path, PathBuf};

use heapwright_engine::{Output, Subject};
use heapwright_impl::{ImplError, ImplProgram, environment_of, read_program};
use heapwright_ir::{FunctionId, Program};
use heapwright_spec::{SpecError, Specification};

use heapwright_testgen::host::Host;
use heapwright_testgen::specified::{SpecificationChoice, specification_of};
use heapwright_testgen::{Error, FunctionKind, RequestError};

/// A program, and the specification of its procedures.
#[derive(Debug)]
pub struct Loaded {
    /// The program.
    pub read: ImplProgram,
    /// The specification, if there is one.
    pub specification: Option<Specification>,
    /// The file of the specification.
    pub specification_file: Option<PathBuf>,
}

impl Loaded {
    /// Reads a program and its specification.
    pub fn read(
        path: &Path,
        choice: &SpecificationChoice,
        host: &dyn Host,
    ) -> Result<Loaded, Error> {
        Loaded::of_text(path, &host.read(path)?, choice, host)
    }

    /// The same for the text of a program, which is that of the file or a part of it.
    pub fn of_text(
        path: &Path,
        text: &str,
        choice: &SpecificationChoice,
        host: &dyn Host,
    ) -> Result<Loaded, Error> {
        let read = parse_impl(path, text)?;
        let specified = specification_of(
            path,
            choice,
            || environment_of(&read.program),
            |name| procedure_named(&read.program, name).map(|_| ()),
            host,
        )?;
        let (specification, specification_file) = specified
            .map(|known| (known.specification, known.file))
            .unzip();
        Ok(Loaded {
            read,
            specification,
            specification_file,
        })
    }

    /// The procedures that are meant: the one of this name; otherwise the program itself, or all
    /// procedures where there are no statements outside of them.
    pub fn targets(&self, name: Option<&str>) -> Result<Vec<FunctionId>, Error> {
        match (name, &self.read.entry) {
            (Some(name), _) => Ok(vec![procedure_named(&self.read.program, name)?]),
            (None, Some(entry)) => Ok(vec![entry.function]),
            (None, None) => Ok((0..self.read.program.functions.len() as u32)
                .map(FunctionId)
                .collect()),
        }
    }

    /// A procedure with its contract.
    pub fn subject(&self, function: FunctionId) -> Result<Subject, Error> {
        let subject = Subject::new(&self.read.program, function, self.specification.as_ref())?;
        Ok(match &self.read.entry {
            Some(entry) if entry.function == function => {
                let outputs = entry.outputs.iter().map(|variable| Output {
                    name: variable.name.clone(),
                    register: variable.register,
                    sort: variable.sort,
                });
                subject.with_outputs(outputs.collect())
            }
            _ => subject,
        })
    }
}

/// Reads a program, without a specification.
fn parse_impl(path: &Path, text: &str) -> Result<ImplProgram, Error> {
    read_program(&path.display().to_string(), text)
        .map_err(|ImplError::Rejected(rejected)| Error::Rejected(SpecError::Rejected(rejected)))
}

/// A procedure by its name.
pub fn procedure_named(program: &Program, name: &str) -> Result<FunctionId, RequestError> {
    let found = program.function_named(name);
    found.ok_or_else(|| RequestError::NoFunction {
        kind: FunctionKind::Procedure,
        name: name.to_owned(),
        known: (procedure_names(program).into_iter())
            .map(str::to_owned)
            .collect(),
    })
}

/// The names of all procedures, in order.
pub fn procedure_names(program: &Program) -> Vec<&str> {
    let functions = program.functions.iter();
    functions.map(|function| function.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_procedure_is_suggested_by_its_name() {
        let text = "proc length(cons x) returns int { return 0 } proc empty() { skip }";
        let program = read_program("p.impl", text).expect("a program").program;
        let error = |name| {
            procedure_named(&program, name)
                .expect_err("unknown")
                .to_string()
        };
        let suggested = "there is no procedure `lenght`; did you mean `length`?";
        assert_eq!(error("lenght"), suggested);
        let listed = "there is no procedure `zzz`; there are length, empty";
        assert_eq!(error("zzz"), listed);
    }
}
