//! Reports of `generate` that are files: which are wanted, and writing them.

use std::io::Write;
use std::path::{Path, PathBuf};

use heapwright_report::coverage::{cobertura, jacoco, lcov};
use heapwright_report::page::html;
use heapwright_report::sarif::sarif;
use heapwright_testgen::findings::asserted;
use heapwright_testgen::report::{self, Results};
use heapwright_testgen::vocabulary::{keep_name, mode_name, strategy_name};
use heapwright_testgen::{Frontend, Session};

use super::Arguments;
use crate::failure::{self, Failure};
use crate::usage::UsageError;

/// The name of the web page.
const PAGE: &str = "index.html";

/// Reports to be written.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Reports")]
pub struct ReportArguments {
    /// Write a report as a web page, DIR/index.html [default: not written]
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Write the coverage that the search reached, in the XML format of JaCoCo [default: not written]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub jacoco: Option<PathBuf>,
    /// Write it in the XML format of Cobertura [default: not written]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub cobertura: Option<PathBuf>,
    /// Write it as a trace file of LCOV [default: not written]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub lcov: Option<PathBuf>,
    /// Write the findings as SARIF 2.1.0 [default: not written]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
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

/// Writes the reports that are wanted.
pub fn write_all<F: Frontend>(
    session: &Session<F>,
    arguments: &Arguments,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if !arguments.reports.is_wanted() {
        return Ok(());
    }
    let facts = facts(session, arguments);
    let results = session.results(facts);
    write(&arguments.reports, &results, arguments.remarks(out))
}

/// How the tests were found.
fn facts<F: Frontend>(session: &Session<F>, arguments: &Arguments) -> Vec<(String, String)> {
    let search = &arguments.search;
    let file = (session.specification.as_ref()).map(|file| file.display().to_string());
    let predicate = session.suites().find_map(asserted);
    let mut specification: Vec<String> = file.into_iter().chain(predicate).collect();
    if specification.is_empty() {
        specification.push("none".to_owned());
    }
    let command = format!("{} generate {}", crate::NAME, arguments.words.join(" "));
    let mut facts = vec![
        ("Command", command),
        ("Specification", specification.join("; ")),
    ];
    match session.suites().find_map(|suite| suite.inputs.clone()) {
        Some(inputs) => facts.push(("Inputs", inputs)),
        None => facts.extend([
            ("Mode", mode_name(search.mode).to_owned()),
            ("Strategy", strategy_name(search.strategy)),
        ]),
    }
    facts.push(("Tests kept", keep_name(arguments.keep).to_owned()));
    if let Some(place) = &search.reach {
        facts.push(("To be reached", place.clone()));
    }
    let facts = facts.into_iter();
    facts.map(|(name, text)| (name.to_owned(), text)).collect()
}

/// Writes what is wanted, and says so.
fn write(
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
        put(&file, html(&report::page(results)))?;
    }
    let wanted = [&arguments.jacoco, &arguments.cobertura, &arguments.lcov];
    if wanted.iter().any(|path| path.is_some()) {
        let coverage = report::coverage(results);
        for (path, format) in wanted.into_iter().zip([jacoco, cobertura, lcov]) {
            if let Some(path) = path {
                put(path, format(&coverage))?;
            }
        }
    }
    if let Some(path) = &arguments.sarif {
        let version = env!("CARGO_PKG_VERSION");
        let (rules, found) = report::findings(results);
        put(path, sarif(version, rules, &found))?;
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
    Err(UsageError::NotGenerated {
        file: path.to_owned(),
        option: "--report",
    })?
}
