//! What a specification is about, by its text alone.

use std::collections::BTreeSet;
use std::path::Path;

use heapwright_spec::diagnostic::FileId;
use heapwright_spec::syntax::{ast::Declaration, parse_file};

/// The names of the classes whose contracts a specification has; without any, that of the file.
pub fn classes_of(path: &Path, text: &str) -> BTreeSet<String> {
    let declarations = parse_file(FileId(0), text).file.declarations.into_iter();
    let classes = declarations.filter_map(|declaration| match declaration {
        Declaration::Contract(contract) => Some(contract.class?.text),
        _ => None,
    });
    let names: BTreeSet<String> = classes.collect();
    let of_file = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    match names.is_empty() {
        true => of_file.into_iter().collect(),
        false => names,
    }
}
