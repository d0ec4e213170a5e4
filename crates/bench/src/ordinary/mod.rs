//! `bench ordinary`: classes as people write them, without specifications.

mod classes;
mod measure;
mod mutation;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{BenchError, BenchStatus};
use crate::java_sources;
use crate::table::Table;
use heapwright_testgen::temporary::Temporary;
use heapwright_testgen::vocabulary;
use measure::{Row, measure};

/// Below this, a class is listed with the reasons.
const LOW: f64 = 60.0;

/// So many reasons are listed for a class.
const MOST_REASONS: usize = 6;

/// Generate tests for ordinary classes without specifications
///
/// Six small classes as applications have them, and 14 of libraries, which Maven fetches. Coverage is
/// that of the emitted tests, measured by JaCoCo, nested classes included. With --mutants PIT says how
/// many of its default mutants the tests kill.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder with the sources of the application classes
    #[arg(default_value = "subjects/ordinary/src")]
    sources: PathBuf,
    /// Only classes whose name contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Seconds for each class
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = vocabulary::seconds)]
    time: Duration,
    /// Also measure the mutation score, with PIT [default: no]
    #[arg(long)]
    mutants: bool,
    /// Every heap that the types allow is an input [default: no]
    #[arg(long)]
    any_heap: bool,
    /// Where the jars of libraries are kept [default: a folder for this run]
    #[arg(long, value_name = "DIR")]
    libraries: Option<PathBuf>,
    /// Keep the tests in a folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The JDK [default: JAVA_HOME, or that of `java`]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// The folder with the jars of JUnit and JaCoCo [default: where `heapwright setup` puts them]
    #[arg(long, value_name = "DIR")]
    tools: Option<PathBuf>,
    /// Also print the methods with branches that no test takes
    #[arg(short, long)]
    verbose: bool,
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    let work = Temporary::named(&std::env::temp_dir(), "ordinary");
    let classes = work.path().join("classes");
    heapwright_testgen::files::create_folder(&classes)?;
    java_sources::compile(arguments.jdk.as_deref(), &arguments.sources, &classes, None)?;
    let libraries = (arguments.libraries.clone()).unwrap_or_else(|| work.path().join("libraries"));
    let subjects = classes::subjects(&classes, &libraries, arguments.only.as_deref())?;
    if subjects.is_empty() {
        let only = arguments.only.clone().unwrap_or_default();
        return Err(BenchError::NoSubject(only));
    }
    if arguments.mutants {
        classes::fetch(&libraries)?;
    }
    let mut rows = Vec::new();
    for subject in &subjects {
        let folder = match &arguments.out {
            Some(folder) => folder.clone(),
            None => work.path().to_owned(),
        };
        let folder = folder.join(simple_name(subject.class));
        let row = measure(arguments, subject, &folder, &libraries)?;
        writeln!(out, "{}", line(&row))?;
        out.flush()?;
        rows.push(row);
    }
    print(&rows, arguments.verbose, out)?;
    let is_sound = rows.iter().all(|row| row.problems.is_empty());
    Ok(if is_sound {
        BenchStatus::Decided
    } else {
        BenchStatus::Refuted
    })
}

fn simple_name(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// What is said as soon as a class is done.
fn line(row: &Row) -> String {
    let (covered, all) = row.branches();
    format!(
        "{}: {covered} of {all} branches, {} tests, {:.1} s",
        row.class,
        row.tests,
        row.time.as_secs_f64()
    )
}

fn print(rows: &[Row], verbose: bool, out: &mut dyn Write) -> Result<(), BenchError> {
    let header = [
        "class", "branches", "covered", "%", "tests", "passed", "mutants", "%", "s",
    ];
    let mut table = Table::new(&header);
    for row in rows {
        let (covered, all) = row.branches();
        let (mutants, score) = match row.mutants {
            Some((killed, all)) => (all.to_string(), percent(killed, all)),
            None => (String::new(), String::new()),
        };
        table.row(vec![
            simple_name(row.class).to_owned(),
            all.to_string(),
            covered.to_string(),
            percent(covered, all),
            row.tests.to_string(),
            row.passed.to_string(),
            mutants,
            score,
            format!("{:.1}", row.time.as_secs_f64()),
        ]);
    }
    writeln!(out)?;
    table.print(out)?;
    let coverage = mean(rows.iter().map(|row| rate(row.branches())));
    write!(out, "mean branch coverage {coverage:.1} %")?;
    let scores: Vec<f64> = (rows.iter().filter_map(|row| row.mutants).map(rate)).collect();
    if !scores.is_empty() {
        let score = mean(scores.iter().copied());
        write!(out, ", mean mutation score {score:.1} %")?;
    }
    writeln!(out)?;
    for row in rows {
        let is_low = rate(row.branches()) < LOW;
        if !is_low && !verbose && row.problems.is_empty() {
            continue;
        }
        writeln!(out, "\n{}", row.class)?;
        for problem in &row.problems {
            writeln!(out, "  {problem}")?;
        }
        let most = if verbose { usize::MAX } else { MOST_REASONS };
        for (method, (missed, all)) in row.missed().into_iter().take(most) {
            writeln!(out, "  {method}: {missed} of {all} branches missed")?;
        }
        let mut reasons: Vec<(&String, &usize)> = row.reasons.iter().collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), (*reason).clone()));
        for (reason, count) in reasons.into_iter().take(MOST_REASONS) {
            writeln!(out, "  {count} open: {reason}")?;
        }
    }
    Ok(())
}

/// Covered and all.
type Rate = (u32, u32);

fn rate((part, all): Rate) -> f64 {
    match all {
        0 => 100.0,
        _ => 100.0 * f64::from(part) / f64::from(all),
    }
}

fn percent(part: u32, all: u32) -> String {
    format!("{:.0}", rate((part, all)))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count == 0.0 { 0.0 } else { sum / count }
}

/// Reasons why branches are open, with how many there are.
type Reasons = BTreeMap<String, usize>;

/// A folder as an argument of a program.
fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
