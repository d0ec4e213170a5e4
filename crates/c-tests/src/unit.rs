//! A source file with its specification.

use std::path::{Path, PathBuf};

use heapwright_c::{CUnit, environment_of, read_unit};
use heapwright_engine::Subject;
use heapwright_ir::FunctionId;
use heapwright_spec::{ImportRequest, Source, Specification, library, read_specification};
use heapwright_testgen::host::{Host, Warning};
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
        flags: &[String],
        named: Option<&Path>,
        has_none: bool,
        host: &dyn Host,
    ) -> Result<Loaded, Error> {
        let unit = read_unit(path, flags).map_err(Error::code)?;
        let beside = Some(path.with_extension("sl")).filter(|beside| beside.exists());
        let file = match (has_none, named) {
            (true, _) => None,
            (false, Some(named)) => Some(named.to_owned()),
            (false, None) => beside,
        };
        let specification = match &file {
            None => None,
            Some(file) => {
                let text = match named {
                    Some(_) => host.read(file)?,
                    None => host.read_found(file, file.parent().unwrap_or(Path::new("")))?,
                };
                Some(contracts(file, text, &unit, host)?)
            }
        };
        Ok(Loaded {
            unit,
            specification,
            specification_file: file,
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

fn contracts(
    path: &Path,
    text: String,
    unit: &CUnit,
    host: &dyn Host,
) -> Result<Specification, Error> {
    let source = Source {
        name: library::plain(path).display().to_string(),
        text,
    };
    let mut import = |request: ImportRequest<'_>| host.import(request);
    let specification = read_specification(source, environment_of(&unit.program), &mut import)?;
    if !specification.warnings.is_empty() {
        host.warn(&Warning::InText {
            sources: &specification.sources,
            diagnostics: &specification.warnings,
        });
    }
    for contract in &specification.contracts {
        if unit.program.function_named(&contract.method).is_none() {
            let source = Box::new(RequestError::NoFunction {
                kind: FunctionKind::Function,
                name: contract.method.clone(),
                known: Vec::new(),
            });
            let path = path.to_owned();
            return Err(RequestError::Contract { path, source }.into());
        }
    }
    Ok(specification)
}

/// Splits `FILE#NAME`.
pub(crate) fn split(target: &str) -> (&Path, Option<&str>) {
    match target.rsplit_once('#') {
        Some((file, name)) => (Path::new(file), Some(name)),
        None => (Path::new(target), None),
    }
}
