//! `bench papers`: the Java subjects of the papers on CSF and JSF, beside their figures.

mod measure;
mod print;
mod real;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use heapwright_engine::Mode;

use super::{java_sources, published};
use crate::error::{BenchError, BenchStatus};
use heapwright_testgen::temporary::Temporary;
use heapwright_testgen::vocabulary;
use measure::Row;

/// Generate tests for the subjects of the papers on CSF and JSF, beside the published figures
///
/// Every method with a precondition is explored by itself, in concolic mode (beside CSF) and in
/// symbolic mode (beside JSF). Tests are those that are kept for coverage; coverage is that of all
/// methods of a subject together. With --verify every test is run on the virtual machine, coverage
/// is measured by JaCoCo as well, and repOK is called on every input that was found.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder with the subjects: src with Java sources, specs with specifications
    #[arg(default_value = "subjects/java")]
    subjects: PathBuf,
    /// Only subjects whose name is this one, or only methods: NAME or NAME#METHOD
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Only one mode: concolic or symbolic [default: both]
    #[arg(long, value_parser = mode)]
    mode: Option<Mode>,
    /// Seconds for each method
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = vocabulary::seconds)]
    time: Duration,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Run all tests on the virtual machine [default: no]
    #[arg(long)]
    verify: bool,
    /// The JDK [default: JAVA_HOME, or that of `java`]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// The folder with the jars of JUnit and JaCoCo [default: where `heapwright setup` puts them]
    #[arg(long, value_name = "DIR")]
    tools: Option<PathBuf>,
    /// Also print every method, and every branch that is not covered
    #[arg(short, long)]
    verbose: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn mode(text: &str) -> Result<Mode, String> {
    match text {
        "concolic" => Ok(Mode::Concolic),
        "symbolic" => Ok(Mode::Symbolic),
        _ => Err("write concolic or symbolic".to_owned()),
    }
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    let work = Temporary::named(&std::env::temp_dir(), "papers");
    let classes = work.path().join("classes");
    heapwright_testgen::files::create_folder(&classes)?;
    let jdk = arguments.jdk.as_deref();
    java_sources::compile(jdk, &arguments.subjects.join("src"), &classes, None)?;
    let modes = match arguments.mode {
        Some(mode) => vec![mode],
        None => vec![Mode::Concolic, Mode::Symbolic],
    };
    let (only, method) = match &arguments.only {
        Some(text) => match text.split_once('#') {
            Some((name, method)) => (Some(name), Some(method)),
            None => (Some(text.as_str()), None),
        },
        None => (None, None),
    };
    let mut rows: Vec<Row> = Vec::new();
    for mode in modes {
        for subject in published::paper_subjects() {
            if only.is_none_or(|only| only == subject.program) {
                rows.push(measure::measure(
                    arguments, &classes, subject, mode, method,
                )?);
            }
        }
    }
    if rows.is_empty() {
        return Err(BenchError::NoSubject(only.unwrap_or_default().to_owned()));
    }
    if arguments.verify {
        real::verify(arguments, &classes, work.path(), &mut rows)?;
    }
    match arguments.json {
        true => print::json(&rows, out)?,
        false => print::tables(&rows, arguments.verbose, out)?,
    }
    Ok(match rows.iter().all(Row::is_sound) {
        true => BenchStatus::Decided,
        false => BenchStatus::Refuted,
    })
}
