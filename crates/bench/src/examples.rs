//! `bench examples`: how fast tests are generated for all procedures of a folder of programs.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heapwright_engine::{Bounds, Keep, Mode, Options, Status, explore};
use heapwright_ir::FunctionId;
use serde_json::{Value as Json, json};

use super::table::{Table, seconds};
use crate::error::{BenchError, BenchStatus};
use heapwright_explain::words;
use heapwright_impl_tests::{Loaded, test_programs};
use heapwright_testgen::host::QuietHost;
use heapwright_testgen::names::Taken;
use heapwright_testgen::specified::SpecificationChoice;
use heapwright_testgen::vocabulary;
use heapwright_testgen::vocabulary::mode_name;
use heapwright_testgen::{Procedural, Selection, Suite};

/// Generate tests for every procedure of every program of a folder, on one core
///
/// Each program is used with the specification beside it. The times are those of execution, of
/// the solver, and of choosing and writing tests; the total has everything else, too. `ended` says
/// what ended the search: nothing was left, every branch was covered, or a limit.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder with .impl files
    #[arg(default_value = "examples/impl")]
    folder: PathBuf,
    /// Seconds for each search
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = vocabulary::seconds)]
    time: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What one search came to.
struct Row {
    procedure: String,
    mode: &'static str,
    ended: &'static str,
    tests: usize,
    kept: usize,
    covered: usize,
    infeasible: usize,
    branches: usize,
    divergences: u64,
    paths: u64,
    solver_calls: u64,
    cache_hits: u64,
    execution: Duration,
    solving: Duration,
    output: Duration,
    total: Duration,
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    let mut rows = Vec::new();
    for path in programs(&arguments.folder)? {
        let loaded = Loaded::read(&path, &SpecificationChoice::Beside, &QuietHost::default())?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        for function in (0..loaded.read.program.functions.len() as u32).map(FunctionId) {
            for mode in [Mode::Concolic, Mode::Symbolic] {
                let bounds = Bounds {
                    time: Some(arguments.time),
                    ..Bounds::default()
                };
                let options = Options {
                    mode,
                    bounds,
                    jobs: 1,
                    ..Options::default()
                };
                rows.push(measure(&stem, &loaded, function, &options)?);
            }
        }
    }
    if rows.is_empty() {
        return Err(BenchError::NoFiles {
            folder: arguments.folder.clone(),
            kind: ".impl files",
        });
    }
    if arguments.json {
        let runs: Vec<Json> = rows.iter().map(to_json).collect();
        writeln!(
            out,
            "{:#}",
            json!({ "benchmark": "examples", "runs": runs })
        )?;
    } else {
        print(&rows, out)?;
    }
    let divergences = rows.iter().any(|row| row.divergences > 0);
    Ok(if divergences {
        BenchStatus::Refuted
    } else {
        BenchStatus::Decided
    })
}

/// The programs of a folder, in the order of their names.
fn programs(folder: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let unreadable = |source| BenchError::Read {
        path: folder.to_owned(),
        source,
    };
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "impl")
        {
            programs.push(path);
        }
    }
    programs.sort();
    Ok(programs)
}

fn measure(
    stem: &str,
    loaded: &Loaded,
    function: FunctionId,
    options: &Options,
) -> Result<Row, BenchError> {
    let start = Instant::now();
    let subject = loaded.subject(function)?;
    let report = explore(&subject, options, &mut |_| ());
    let report = report.map_err(BenchError::code)?;
    let searched = Instant::now();
    let selection = Selection::new(&Procedural, Keep::Coverage, None, options.budgets);
    let suite = Suite::new(subject, report, &selection, &mut Taken::default());
    let specification = loaded.specification_file.as_deref();
    test_programs(&loaded.read, specification, std::iter::once(&suite), stem)?;
    let times = (searched.elapsed(), start.elapsed());
    Ok(row(
        format!("{stem}#{}", suite.subject.name()),
        options.mode,
        &suite,
        times,
    ))
}

fn row(procedure: String, mode: Mode, suite: &Suite, (output, total): (Duration, Duration)) -> Row {
    let branches = suite.report.branches.iter();
    let infeasible = branches.filter(|branch| matches!(branch.status, Status::Infeasible(_)));
    let known = &suite.report.statistics;
    Row {
        procedure,
        mode: mode_name(mode),
        ended: words::stop_name(suite.report.stop),
        tests: suite.report.tests.len(),
        kept: suite.tests.len(),
        covered: suite.covered(),
        infeasible: infeasible.count(),
        branches: suite.report.branches.len(),
        divergences: known.divergences,
        paths: known.paths,
        solver_calls: known.solver_calls,
        cache_hits: known.cache_hits,
        execution: known.execution,
        solving: known.solving,
        output,
        total,
    }
}

/// The sum of all rows.
fn sum(rows: &[Row]) -> Row {
    let procedures = rows.len() as u64;
    let number = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
    let size = |of: fn(&Row) -> usize| rows.iter().map(of).sum::<usize>();
    let time = |of: fn(&Row) -> Duration| rows.iter().map(of).sum::<Duration>();
    Row {
        procedure: words::count(procedures, "search", "searches"),
        mode: "",
        ended: "",
        tests: size(|row| row.tests),
        kept: size(|row| row.kept),
        covered: size(|row| row.covered),
        infeasible: size(|row| row.infeasible),
        branches: size(|row| row.branches),
        divergences: number(|row| row.divergences),
        paths: number(|row| row.paths),
        solver_calls: number(|row| row.solver_calls),
        cache_hits: number(|row| row.cache_hits),
        execution: time(|row| row.execution),
        solving: time(|row| row.solving),
        output: time(|row| row.output),
        total: time(|row| row.total),
    }
}

impl Row {
    fn paths_per_second(&self) -> f64 {
        let seconds = self.total.as_secs_f64();
        if seconds > 0.0 {
            self.paths as f64 / seconds
        } else {
            0.0
        }
    }

    fn cells(&self) -> Vec<String> {
        let time = |duration: Duration| seconds(duration.as_secs_f64());
        vec![
            self.procedure.clone(),
            self.mode.to_owned(),
            self.ended.to_owned(),
            format!("{}/{}", self.kept, self.tests),
            format!("{}/{}", self.covered, self.branches),
            self.infeasible.to_string(),
            self.paths.to_string(),
            format!("{:.0}", self.paths_per_second()),
            self.solver_calls.to_string(),
            self.cache_hits.to_string(),
            time(self.execution),
            time(self.solving),
            time(self.output),
            time(self.total),
        ]
    }
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), BenchError> {
    let header = [
        "procedure",
        "mode",
        "ended",
        "tests",
        "branches",
        "infeasible",
        "paths",
        "paths/s",
        "solver calls",
        "cache hits",
        "execution s",
        "solver s",
        "output s",
        "total s",
    ];
    let mut table = Table::new(&header);
    for row in rows {
        table.row(row.cells());
    }
    table.row(sum(rows).cells());
    table.print(out)?;
    Ok(())
}

fn to_json(row: &Row) -> Json {
    json!({
        "procedure": row.procedure,
        "mode": row.mode,
        "ended": row.ended,
        "tests": row.tests,
        "kept": row.kept,
        "branches": row.branches,
        "covered": row.covered,
        "infeasible": row.infeasible,
        "divergences": row.divergences,
        "paths": row.paths,
        "paths_per_second": row.paths_per_second(),
        "solver_calls": row.solver_calls,
        "cache_hits": row.cache_hits,
        "seconds": {
            "execution": row.execution.as_secs_f64(),
            "solver": row.solving.as_secs_f64(),
            "output": row.output.as_secs_f64(),
            "total": row.total.as_secs_f64(),
        },
    })
}
