//! A source file with its specification.

use std::path::{Path, PathBuf};

use heapwright_c::clang::Flags;
use heapwright_c::{CUnit, contracts, environment_of, read_unit};
use heapwright_engine::Subject;
use heapwright_ir::FunctionId;
use heapwright_spec::Specification;
use heapwright_testgen::host::{Host, Warning};
use heapwright_testgen::specified::{SpecificationChoice, specification_in, specification_of};
use heapwright_testgen::{Error, FunctionKind, RequestError};

/// A unit, and what is known about its functions.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub unit: CUnit,
    pub specification: Option<Specification>,
    pub specification_file: Option<PathBuf>,
}

impl Loaded {
    /// Reads a file, and the specification that was named or that lies beside it.
    pub fn read(
        path: &Path,
        flags: &Flags,
        choice: &SpecificationChoice,
        host: &dyn Host,
    ) -> Result<Loaded, Error> {
        let unit = read_unit(path, flags).map_err(Error::code)?;
        let declares = |name: &str| match unit.program.function_named(name) {
            Some(_) => Ok(()),
            None => Err(RequestError::NoFunction {
                kind: FunctionKind::Function,
                name: name.to_owned(),
                known: Vec::new(),
            }),
        };
        let declared = || environment_of(&unit.program);
        // Contracts in comments take the place of the file beside the source.
        let comments = match choice {
            SpecificationChoice::Beside => {
                contracts::specification(&unit.source).map_err(Error::code)?
            }
            _ => None,
        };
        let specified = match comments {
            Some(text) => {
                let beside = path.with_extension("sl");
                if beside.exists() {
                    host.warn(&Warning::InFile {
                        file: &beside,
                        message: "is not read: the source has contracts in comments, which can import it",
                    });
                }
                Some(specification_in(path, text, declared, declares, host)?)
            }
            None => specification_of(path, choice, declared, declares, host)?,
        };
        let (specification, specification_file) = specified
            .map(|known| (known.specification, known.file))
            .unzip();
        Ok(Loaded {
            unit,
            specification,
            specification_file,
        })
    }

    /// A function of the file by its name.
    pub fn function(&self, name: &str) -> Result<FunctionId, Error> {
        let program = &self.unit.program;
        let functions = || self.unit.functions.iter().map(|&(id, _)| id);
        let found = functions().find(|&id| program.function(id).name == name);
        found.ok_or_else(|| {
            let known = functions().map(|id| program.function(id).name.clone());
            Error::Request(RequestError::NoFunction {
                kind: FunctionKind::Defined,
                name: name.to_owned(),
                known: known.collect(),
            })
        })
    }

    /// Why a function cannot be tested.
    pub fn complaint(&self, function: FunctionId) -> Option<String> {
        let known = self.unit.functions.iter().find(|(id, _)| *id == function);
        let (_, error) = known?;
        error.as_ref().map(ToString::to_string)
    }

    /// A function with its contract.
    pub fn subject(&self, function: FunctionId) -> Result<Subject, Error> {
        let subject = Subject::new(&self.unit.program, function, self.specification.as_ref())?;
        Ok(subject.with_rules(self.unit.rules.clone()))
    }
}
