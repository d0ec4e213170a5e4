//! `bench c`: the subjects in C, a bug in a red-black tree, and long lists, beside the paper on
//! pointers.

mod planted;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_c_tests::{COptions, CTests};
use heapwright_engine::{Bound, Bounds, Keep, Limit, Options, Status, StrategyKind};
use heapwright_ir::machine::environment::Environment;
use heapwright_solver::arith::Layers;
use heapwright_testgen::host::QuietHost;
use heapwright_testgen::temporary::Temporary;
use heapwright_testgen::{Request, Session, Suite, vocabulary};

use super::table::{Table, seconds};
use crate::error::{BenchError, BenchStatus};

/// Generate tests for the subjects in C, beside the figures of the paper on pointers
///
/// Each file is used with the specification beside it, each function is explored by itself, on one
/// core; where a branch stays open that depends on whether memory can be allocated, once more with
/// `--malloc-fails`. Then a bug is planted into the fix-up of the red-black tree, and the search goes on until
/// two tests fail, which took the paper 16 and 28 seconds; and the longest list is looked for, which
/// the paper does for 600 seconds. Both are repeated without the cheap layers before the backend, as
/// the paper does without two-phase solving.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder with the subjects
    #[arg(default_value = "subjects/c")]
    folder: PathBuf,
    /// Only subjects whose name is this one
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Seconds for each function
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = vocabulary::seconds)]
    time: Duration,
    /// Seconds for each search for a long list
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = vocabulary::seconds)]
    longest: Duration,
}

/// What came of a file.
struct Row {
    name: String,
    functions: usize,
    branches: usize,
    covered: usize,
    infeasible: usize,
    tests: usize,
    findings: usize,
    divergences: u64,
    total: Duration,
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    let mut rows = Vec::new();
    for path in sources(&arguments.folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if (arguments.only.as_ref()).is_none_or(|only| *only == *name) {
            rows.push(measure(&name, &path, arguments.time)?);
        }
    }
    if rows.is_empty() {
        return Err(BenchError::NoFiles {
            folder: arguments.folder.clone(),
            kind: ".c files",
        });
    }
    print(&rows, out)?;
    if arguments.only.is_none() {
        writeln!(out)?;
        two_failing_tests(&arguments.folder, out)?;
        writeln!(out)?;
        longest_lists(&arguments.folder, arguments.longest, out)?;
    }
    Ok(match rows.iter().any(|row| row.divergences > 0) {
        true => BenchStatus::Refuted,
        false => BenchStatus::Decided,
    })
}

/// The C files of a folder, in the order of their names.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let unreadable = |source| BenchError::Read {
        path: folder.to_owned(),
        source,
    };
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            sources.push(path);
        }
    }
    sources.sort();
    Ok(sources)
}

/// Tests for a target, with the specification beside its file.
fn generate(target: &str, options: Options, keep: Keep) -> Result<Session<CTests>, BenchError> {
    generate_with(target, options, keep, COptions::default())
}

fn generate_with(
    target: &str,
    options: Options,
    keep: Keep,
    choices: COptions,
) -> Result<Session<CTests>, BenchError> {
    let request = Request {
        options,
        keep,
        ..Request::new([target])
    };
    let frontend = CTests::open(target, choices, Arc::new(QuietHost::default()))?;
    let mut session = Session::new(frontend, request)?;
    while session.advance(&mut |_| ())? {}
    Ok(session)
}

fn measure(name: &str, path: &Path, time: Duration) -> Result<Row, BenchError> {
    let start = Instant::now();
    let bounds = Bounds {
        time: Some(time),
        ..Bounds::default()
    };
    let options = Options {
        bounds,
        ..Options::default()
    };
    let file = path.display().to_string();
    let session = generate(&file, options.clone(), Keep::Coverage)?;
    let mut row = Row {
        name: name.to_owned(),
        functions: 0,
        branches: 0,
        covered: 0,
        infeasible: 0,
        tests: 0,
        findings: 0,
        divergences: 0,
        total: Duration::ZERO,
    };
    for suite in session.suites() {
        let own =
            (suite.report.branches.iter()).filter(|branch| branch.edge.function == suite.function);
        row.functions += 1;
        row.branches += own.clone().count();
        row.covered += suite.counted().0.covered;
        let open: Vec<usize> = (own.clone().enumerate())
            .filter(|(_, branch)| depends_on_allocation(&branch.status))
            .map(|(index, _)| index)
            .collect();
        if !open.is_empty() {
            let target = format!("{file}#{}", suite.subject.name());
            let (covered, infeasible) = with_failures(&target, &options, &open)?;
            row.covered += covered;
            row.infeasible += infeasible;
        }
        row.infeasible += own
            .filter(|branch| matches!(branch.status, Status::Infeasible(_)))
            .count();
        row.tests += suite.tests.len();
        row.findings += suite.tests.iter().filter(|kept| kept.is_finding()).count();
        row.divergences += suite.report.statistics.divergences;
    }
    row.total = start.elapsed();
    Ok(row)
}

/// Whether nothing is known about a branch because allocation never fails.
fn depends_on_allocation(status: &Status) -> bool {
    matches!(
        status,
        Status::Open(Limit::Environment(Environment::Allocation))
            | Status::Unreached {
                limit: Limit::Environment(Environment::Allocation),
                ..
            }
    )
}

/// How many of these branches of a function are covered, and how many proved infeasible, where an
/// allocation may fail.
fn with_failures(
    target: &str,
    options: &Options,
    open: &[usize],
) -> Result<(usize, usize), BenchError> {
    let choices = COptions {
        malloc_fails: true,
        ..COptions::default()
    };
    let session = generate_with(target, options.clone(), Keep::Coverage, choices)?;
    let (mut covered, mut infeasible) = (0, 0);
    for suite in session.suites() {
        let own =
            (suite.report.branches.iter()).filter(|branch| branch.edge.function == suite.function);
        for (_, branch) in own.enumerate().filter(|(index, _)| open.contains(index)) {
            covered += usize::from(matches!(branch.status, Status::Covered { .. }));
            infeasible += usize::from(matches!(branch.status, Status::Infeasible(_)));
        }
    }
    Ok((covered, infeasible))
}

fn print(rows: &[Row], out: &mut dyn Write) -> Result<(), BenchError> {
    let mut table = Table::new(&[
        "subject",
        "functions",
        "branches",
        "covered",
        "infeasible",
        "tests",
        "findings",
        "s",
    ]);
    let cells = |row: &Row| {
        let numbers = [
            row.functions,
            row.branches,
            row.covered,
            row.infeasible,
            row.tests,
            row.findings,
        ];
        let mut cells = vec![row.name.clone()];
        cells.extend(numbers.map(|number| number.to_string()));
        cells.push(seconds(row.total.as_secs_f64()));
        cells
    };
    for row in rows {
        table.row(cells(row));
    }
    let number = |of: fn(&Row) -> usize| rows.iter().map(of).sum::<usize>();
    table.row(cells(&Row {
        name: "all".to_owned(),
        functions: number(|row| row.functions),
        branches: number(|row| row.branches),
        covered: number(|row| row.covered),
        infeasible: number(|row| row.infeasible),
        tests: number(|row| row.tests),
        findings: number(|row| row.findings),
        divergences: 0,
        total: rows.iter().map(|row| row.total).sum(),
    }));
    Ok(table.print(out)?)
}

/// How the solver is asked, by name.
type Asking = (&'static str, fn() -> Layers);

/// The layers before the backend, in words.
const LAYERS: [Asking; 2] = [
    ("cheap layers, then the backend", Layers::default),
    ("backend alone", || Layers::NONE),
];

/// A search gets twice as many paths until it is large enough.
const PATHS: [u64; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];

/// Plants a bug into the fix-up of the red-black tree, and looks for two tests that fail.
fn two_failing_tests(folder: &Path, out: &mut dyn Write) -> Result<(), BenchError> {
    let work = Temporary::named(&std::env::temp_dir(), "bench-c");
    let target = planted::fix_up(folder, work.path())?;
    let mut table = Table::new(&[
        "bug in the fix-up of a red-black tree",
        "failing tests",
        "s",
    ]);
    for (name, layers) in LAYERS {
        let mut found = (0, Duration::ZERO);
        for paths in PATHS {
            let start = Instant::now();
            let bounds = Bounds {
                objects: Bound::fixed(6),
                paths,
                ..Bounds::default()
            };
            let options = Options {
                bounds,
                layers: layers(),
                ..Options::default()
            };
            let session = generate(&target, options, Keep::All)?;
            let failing =
                |suite: &Suite| suite.tests.iter().filter(|kept| kept.is_finding()).count();
            found = (session.suites().map(failing).sum(), start.elapsed());
            if found.0 >= 2 {
                break;
            }
        }
        let time = seconds(found.1.as_secs_f64());
        table.row(vec![name.to_owned(), found.0.to_string(), time]);
    }
    for (name, time) in [("paper, by hand", "16"), ("paper, by axioms", "28")] {
        table.row(vec![name.to_owned(), "2".to_owned(), time.to_owned()]);
    }
    Ok(table.print(out)?)
}

/// The longest list that inputs have which were found in a time.
fn longest_lists(folder: &Path, time: Duration, out: &mut dyn Write) -> Result<(), BenchError> {
    let target = format!("{}#insert", folder.join("singly_list.c").display());
    let title = format!("longest list in {} s", time.as_secs());
    let mut table = Table::new(&[title.as_str(), "nodes", "inputs"]);
    for (name, layers) in LAYERS {
        let endless = u32::MAX / 2;
        let bounds = Bounds {
            depth: endless,
            loops: Bound::fixed(endless),
            objects: Bound::fixed(endless),
            paths: u64::MAX,
            solver_calls: u64::MAX,
            time: Some(time),
            ..Bounds::default()
        };
        let options = Options {
            bounds,
            layers: layers(),
            strategy: StrategyKind::DepthFirst,
            stop_when_covered: false,
            ..Options::default()
        };
        let session = generate(&target, options, Keep::Coverage)?;
        let tests = || session.suites().flat_map(|suite| &suite.report.tests);
        let longest = tests().map(|test| test.input.heap.cells.len()).max();
        table.row(vec![
            name.to_owned(),
            longest.unwrap_or(0).to_string(),
            tests().count().to_string(),
        ]);
    }
    Ok(table.print(out)?)
}
