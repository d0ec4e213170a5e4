//! Programs in one file, with the specification that belongs to them.

use std::path::{Path, PathBuf};

use heapwright_spec::{
    Environment, ImportRequest, Source, Specification, library, read_specification,
};

use crate::error::{Error, RequestError};
use crate::host::{Host, Warning};

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

/// A specification with its file.
#[derive(Debug)]
pub struct Specified {
    /// The specification.
    pub specification: Specification,
    /// Its file.
    pub file: PathBuf,
}

/// Reads the specification of a program with what the code declares; `None` if it has none.
///
/// A contract for a function that the program does not have, as `lookup` says, is a typing error:
/// taken silently, it would mean that every heap is valid for the function that was meant.
pub fn specification_of(
    program: &Path,
    choice: &SpecificationChoice,
    declared: impl FnOnce() -> Environment,
    lookup: impl Fn(&str) -> Result<(), RequestError>,
    host: &dyn Host,
) -> Result<Option<Specified>, Error> {
    let file = match choice {
        SpecificationChoice::None => return Ok(None),
        SpecificationChoice::File(file) | SpecificationChoice::Named(file) => file.clone(),
        SpecificationChoice::Beside => program.with_extension("sl"),
    };
    if *choice == SpecificationChoice::Beside && !file.exists() {
        return Ok(None);
    }
    // What lies beside the program was not named by anybody.
    let text = match choice {
        SpecificationChoice::Beside | SpecificationChoice::Named(_) => {
            host.read_found(&file, file.parent().unwrap_or(Path::new("")))?
        }
        SpecificationChoice::File(_) | SpecificationChoice::None => host.read(&file)?,
    };
    specification_in(&file, text, declared, lookup, host).map(Some)
}

/// Reads the specification that a text of a file is, with what the code declares.
pub fn specification_in(
    file: &Path,
    text: String,
    declared: impl FnOnce() -> Environment,
    lookup: impl Fn(&str) -> Result<(), RequestError>,
    host: &dyn Host,
) -> Result<Specified, Error> {
    let source = Source {
        name: library::plain(file).display().to_string(),
        text,
    };
    let mut import = |request: ImportRequest<'_>| host.import(request);
    let specification = read_specification(source, declared(), &mut import)?;
    if !specification.warnings.is_empty() {
        host.warn(&Warning::InText {
            sources: &specification.sources,
            diagnostics: &specification.warnings,
        });
    }
    for contract in &specification.contracts {
        lookup(&contract.method).map_err(|source| RequestError::Contract {
            path: file.to_owned(),
            source: Box::new(source),
        })?;
    }
    Ok(Specified {
        specification,
        file: file.to_owned(),
    })
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
    fn a_target_may_name_a_function() {
        assert_eq!(split("a/b.impl"), (Path::new("a/b.impl"), None));
        assert_eq!(split("a.impl#f"), (Path::new("a.impl"), Some("f")));
    }
}
