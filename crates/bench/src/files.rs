//! Files with questions.

use std::path::Path;

use heapwright_spec::Source;
use heapwright_spec::library::{import_module, module};
use heapwright_spec::questions::{Notation, Question, QuestionFile};
use heapwright_testgen::files::read;

use crate::error::BenchError;

/// A file with questions.
pub fn questions(path: &Path) -> Result<QuestionFile, BenchError> {
    let source = Source {
        name: path.display().to_string(),
        text: read(path)?,
    };
    let notation = Notation::of(path).unwrap_or(Notation::Smtlib);
    Ok(QuestionFile::read(notation, source, &mut import_module)?)
}

/// The models of a predicate of the library: `MODULE#PREDICATE`.
pub fn library_questions(target: &str) -> Result<(QuestionFile, Question), BenchError> {
    let missing = || BenchError::missing("the library", target);
    let (name, predicate) = target.split_once('#').ok_or_else(missing)?;
    let source = module(name).ok_or_else(missing)?;
    let mut file = QuestionFile::read(Notation::Specification, source, &mut import_module)?;
    let predicate = file.predicate(predicate).map_err(|_| missing())?;
    let question = file.instance(predicate);
    Ok((file, question))
}
