//! What is run or tested: a program with its specification, and one procedure of it.

use std::path::{Path, PathBuf};

use heapwright_engine::{Output, Subject};
use heapwright_impl::{ImplError, ImplProgram, environment_of, read_program};
use heapwright_ir::{FunctionId, Program};
use heapwright_spec::{
    ImportRequest, Source, SpecError, Specification, library, read_specification,
};

use heapwright_testgen::host::{Host, Warning};
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

/// Where the specification of a program comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecificationChoice {
    /// From the file of the same name that ends in `.sl`, if there is one.
    Beside,
    /// From this file.
    File(PathBuf),
    /// From a file that another one names, and not the user.
    Named(PathBuf),
    /// There is none: every heap is allowed.
    None,
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
        let specification_file = match choice {
            SpecificationChoice::None => None,
            SpecificationChoice::File(file) | SpecificationChoice::Named(file) => {
                Some(file.clone())
            }
            SpecificationChoice::Beside => {
                Some(path.with_extension("sl")).filter(|beside| beside.exists())
            }
        };
        let specification = match &specification_file {
            Some(file) => {
                // What lies beside the program was not named by anybody.
                let text = match choice {
                    SpecificationChoice::Beside | SpecificationChoice::Named(_) => {
                        host.read_found(file, file.parent().unwrap_or(Path::new("")))?
                    }
                    SpecificationChoice::File(_) | SpecificationChoice::None => host.read(file)?,
                };
                Some(read_contracts(file, text, &read.program, host)?)
            }
            None => None,
        };
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

fn read_contracts(
    path: &Path,
    text: String,
    program: &Program,
    host: &dyn Host,
) -> Result<Specification, Error> {
    let source = Source {
        name: library::plain(path).display().to_string(),
        text,
    };
    let environment = environment_of(program);
    let mut import = |request: ImportRequest<'_>| host.import(request);
    let specification = read_specification(source, environment, &mut import)?;
    if !specification.warnings.is_empty() {
        host.warn(&Warning::InText {
            sources: &specification.sources,
            diagnostics: &specification.warnings,
        });
    }
    check_names(path, program, &specification)?;
    Ok(specification)
}

/// A contract for a procedure that the program does not have is a typing error: taken silently,
/// it would mean that every heap is valid for the procedure that was meant.
fn check_names(path: &Path, program: &Program, specification: &Specification) -> Result<(), Error> {
    for contract in &specification.contracts {
        if let Err(source) = procedure_named(program, &contract.method) {
            return Err(Error::Request(RequestError::Contract {
                path: path.to_owned(),
                source: Box::new(source),
            }));
        }
    }
    Ok(())
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

/// Splits `FILE#NAME`.
pub fn split(target: &str) -> (&Path, Option<&str>) {
    match target.rsplit_once('#') {
        Some((file, name)) => (Path::new(file), Some(name)),
        None => (Path::new(target), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_may_name_a_procedure() {
        assert_eq!(split("a/b.impl"), (Path::new("a/b.impl"), None));
        assert_eq!(split("a.impl#f"), (Path::new("a.impl"), Some("f")));
    }

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
