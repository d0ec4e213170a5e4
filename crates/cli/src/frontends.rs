//! The languages that the command line knows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heapwright_explain::Labels;
use heapwright_java::contracts::{read_for, read_predicates_for};
use heapwright_logic::{Definitions, Heap, Loc};
use heapwright_spec::questions::{Notation, QuestionFile, predicates_of};
use heapwright_spec::{ImportRequest, Source};

use crate::failure::Failure;
use crate::input::{import, rejected};
use crate::java::{Choice, JavaProgram, Specifications};

/// How objects are shown where the language is not known: as Java does it, whose classes no other
/// language has.
pub const LABELS: &dyn Labels = &JavaLabels;

/// Strings, boxed numbers and constants of enums as texts.
struct JavaLabels;

impl Labels for JavaLabels {
    fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
        heapwright_java::display::labels(definitions, heap)
    }
}

/// A specification of a class, read with the classes of the code.
pub fn questions_about(
    class: &str,
    jdk: Option<&Path>,
    class_path: &[PathBuf],
    notation: Notation,
    source: Source,
) -> Result<QuestionFile, Failure> {
    let nothing = Specifications::new(Choice::None, Vec::new());
    let mut program = JavaProgram::open(jdk, class_path, nothing)?;
    let class = program.class(class)?;
    let mut imported = BTreeSet::new();
    let mut loader = |request: ImportRequest<'_>| {
        let source = import(request)?;
        imported.extend(predicates_of(&source.text));
        Ok(source)
    };
    let tested = [Arc::clone(&class)];
    let world = &mut program.world;
    let read = match notation {
        Notation::StarFinder => read_predicates_for(world, &class, &tested, vec![source]),
        _ => read_for(world, &class, &tested, source, &mut loader),
    };
    let specification = read.map_err(rejected)?.specification;
    let mut file = QuestionFile::from_specification(specification, imported);
    file.package = Some(class.package().to_owned());
    Ok(file)
}
