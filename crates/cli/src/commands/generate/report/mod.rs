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
use std::io::Write;
use std::path::{Path, PathBuf};

use heapwright_ir::{FunctionId, Program};
use heapwright_report::coverage::{cobertura, jacoco, lcov};
use heapwright_report::page::html;
use heapwright_report::sarif::sarif;

use super::Arguments;
use super::options::{keep_name, mode_name, strategy_name};
use super::suite::Suite;
use crate::failure::{self, Failure};

pub use sources::{Methods, test_statements};
pub use texts::Texts;

/// The name of the web page.
const PAGE: &str = "index.html";

/// Reports to be written.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Reports")]
pub struct ReportArguments {
    /// Write the report as a web page into a folder: DIR/index.html, which needs nothing else
    /// [default: not written]
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Write the coverage that the search reached as XML like JaCoCo's [default: not written]
    #[arg(long, value_name = "FILE")]
    pub jacoco: Option<PathBuf>,
    /// Write it as XML like Cobertura's [default: not written]
    #[arg(long, value_name = "FILE")]
    pub cobertura: Option<PathBuf>,
    /// Write it as a trace file of LCOV [default: not written]
    #[arg(long, value_name = "FILE")]
    pub lcov: Option<PathBuf>,
    /// Write the findings as SARIF 2.1.0 [default: not written]
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
}

impl ReportArguments {
    /// The files to be written.
    pub fn files(&self) -> Vec<PathBuf> {
        let page = self.report.as_ref().map(|folder| folder.join(PAGE));
        let others = [&self.jacoco, &self.cobertura, &self.lcov, &self.sarif];
        let others = others.into_iter().flatten().cloned();
        page.into_iter().chain(others).collect()
    }

    /// Whether anything is to be written.
    pub fn is_wanted(&self) -> bool {
        !self.files().is_empty()
    }
}

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
    pub function_name: &'a dyn Fn(&Program, FunctionId) -> FunctionName,
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

/// How the tests were found.
pub fn facts(arguments: &Arguments, specification: Option<&Path>) -> Vec<(String, String)> {
    let search = &arguments.search;
    let specification = match specification {
        Some(file) => file.display().to_string(),
        None => "none".to_owned(),
    };
    let mut facts = vec![
        ("Specification", specification),
        ("Mode", mode_name(search.mode).to_owned()),
        ("Strategy", strategy_name(search.strategy)),
        ("Tests kept", keep_name(arguments.keep).to_owned()),
    ];
    if let Some(place) = &search.reach {
        facts.push(("To be reached", place.clone()));
    }
    let facts = facts.into_iter();
    facts.map(|(name, text)| (name.to_owned(), text)).collect()
}

/// Writes what is wanted, and says so.
pub fn write(
    arguments: &ReportArguments,
    results: &Results<'_>,
    out: Option<&mut dyn Write>,
) -> Result<(), Failure> {
    let mut written: Vec<PathBuf> = Vec::new();
    let mut put = |path: &Path, text: String| -> Result<(), Failure> {
        if let Some(parent) = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
        {
            failure::create_folder(parent)?;
        }
        failure::write(path, &text)?;
        written.push(path.to_owned());
        Ok(())
    };
    if let Some(folder) = &arguments.report {
        let file = folder.join(PAGE);
        spare(&file)?;
        put(&file, html(&page::page(results)))?;
    }
    let wanted = [&arguments.jacoco, &arguments.cobertura, &arguments.lcov];
    if wanted.iter().any(|path| path.is_some()) {
        let coverage = coverage::coverage(results);
        for (path, format) in wanted.into_iter().zip([jacoco, cobertura, lcov]) {
            if let Some(path) = path {
                put(path, format(&coverage))?;
            }
        }
    }
    if let Some(path) = &arguments.sarif {
        let version = env!("CARGO_PKG_VERSION");
        put(
            path,
            sarif(version, &findings::RULES, &findings::results(results)),
        )?;
    }
    if let Some(out) = out {
        for path in written {
            writeln!(out, "wrote {}", path.display())?;
        }
    }
    Ok(())
}

/// Fails if there is a page that was not generated.
fn spare(path: &Path) -> Result<(), Failure> {
    let generated = |text: String| text.contains(heapwright_report::page::MARK);
    if !path.exists() || failure::read(path).is_ok_and(generated) {
        return Ok(());
    }
    Err(Failure::Unfit(format!(
        "{} exists and was not generated, so it is not replaced; choose another folder for --report",
        path.display()
    )))
}
