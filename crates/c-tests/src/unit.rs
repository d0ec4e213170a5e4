//! A source file with its specification.

use std::path::{Path, PathBuf};

use heapwright_c::clang::Flags;
use heapwright_c::{CUnit, contracts, environment_of, read_unit, statics};
use heapwright_engine::{BoundGlobal, GlobalField, Subject};
use heapwright_ir::{FunctionId, Program};
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
        let declared = || environment_of(&unit);
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

    /// A function with its contract, and with the variables of the file that it depends on.
    pub fn subject(&self, function: FunctionId) -> Result<Subject, Error> {
        let unit = &self.unit;
        let entry = unit.entries.get(&function);
        let run = entry.map_or(function, |entry| entry.function);
        let inputs = entry.map_or(&[][..], |entry| &entry.globals);
        let statics: Vec<Option<usize>> = (statics(unit).iter())
            .map(|(variable, _)| {
                let input = inputs.iter().find(|input| input.variable == *variable);
                input.map(|input| input.parameter)
            })
            .collect();
        let specification = self.specification.as_ref();
        let mut program = unit.program.clone();
        // A wrapper has the contract of its function, and is called as that is wherever it is named.
        if run != function
            && let Some(wrapper) = program.functions.get_mut(run.index())
        {
            wrapper.name = unit.program.function(function).name.clone();
        }
        let subject = Subject::with_statics(&program, run, specification, &statics)?;
        let mut rules = unit.rules.clone();
        let (mut values, mut bound) = (Vec::new(), Vec::new());
        for input in inputs {
            rules.shared.variables.remove(&input.global);
            rules.shared.objects.remove(&input.global);
            match input.is_object {
                true => bound.push(BoundGlobal {
                    parameter: input.parameter,
                    global: input.global,
                }),
                false => values.push(GlobalField {
                    name: (subject.inputs.get(input.parameter))
                        .map_or(String::new(), |known| known.name.clone()),
                    global: input.global,
                    field: 0,
                    path: Vec::new(),
                }),
            }
        }
        Ok(subject
            .with_rules(rules)
            .with_globals(values)
            .with_bound_globals(bound))
    }

    /// A function of a program that has more functions, called as it is: variables outside of
    /// functions are as the calls before have left them.
    pub fn subject_in(&self, program: &Program, function: FunctionId) -> Result<Subject, Error> {
        let subject = Subject::new(program, function, self.specification.as_ref())?;
        Ok(subject.with_rules(self.unit.rules.clone()))
    }
}
