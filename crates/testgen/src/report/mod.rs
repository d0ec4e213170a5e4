//! Reports of `generate` for people and for other tools: a web page, coverage in the usual
//! formats, findings as SARIF.
//!
//! What the engine found is turned into the plain data of the report crate here; the formats are
//! that crate's business.

mod code;
mod coverage;
mod findings;
mod listing;
mod page;
mod sources;
mod texts;

use std::collections::BTreeMap;
use std::path::PathBuf;

use heapwright_ir::{FunctionId, Program};
use heapwright_report::coverage::Coverage;
use heapwright_report::page::Page;
use heapwright_report::sarif::{self, Rule};

use crate::suite::Suite;

pub use sources::{Methods, test_statements};
pub use texts::Texts;

/// What functions are called.
pub type FunctionNames<'a> = Box<dyn Fn(&Program, FunctionId) -> FunctionName + 'a>;

/// What was found for all procedures.
pub struct Results<'a> {
    /// What was tested.
    pub title: String,
    /// What else the page says about the run.
    pub facts: Vec<(String, String)>,
    /// What could not be done.
    pub complaints: Vec<String>,
    /// The procedures.
    pub procedures: Vec<Procedure<'a>>,
    /// What a function is called.
    pub function_name: FunctionNames<'a>,
    /// The folders that names of files are relative to.
    pub source_folders: Vec<PathBuf>,
    /// The texts of source files.
    pub texts: Texts<'a>,
}

/// What was found for one procedure.
pub struct Procedure<'a> {
    /// Its tests.
    pub suite: &'a Suite,
    /// A short name.
    pub name: String,
    /// The function whose code is shown: that of the procedure, not of a wrapper around it.
    pub function: FunctionId,
    /// The tests as programs, by name.
    pub sources: BTreeMap<String, String>,
}

/// What other tools call a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionName {
    /// The class, with the package in front: `trees/Tree$Node`.
    pub class: String,
    /// The name.
    pub name: String,
    /// What tells functions of the same name apart.
    pub descriptor: String,
    /// A title for people.
    pub title: String,
}

impl Results<'_> {
    /// Where a file of the program is, as seen from the current folder.
    fn path(&self, file: &str) -> String {
        let folders = self.source_folders.iter().map(|folder| folder.join(file));
        let mut found = folders.filter(|path| path.is_file());
        let path = found.next().unwrap_or_else(|| PathBuf::from(file));
        let plain = path.strip_prefix(".").unwrap_or(&path);
        plain.display().to_string()
    }
}

/// The web page.
pub fn page(results: &Results<'_>) -> Page {
    page::page(results)
}

/// What was covered, for tools that show coverage.
pub fn coverage(results: &Results<'_>) -> Coverage {
    coverage::coverage(results)
}

/// The findings as SARIF has them.
pub fn findings(results: &Results<'_>) -> (&'static [Rule], Vec<sarif::Result>) {
    (&findings::RULES, findings::results(results))
}
