//! `bench slcomp`: instances of the separation-logic competition, by division, beside the solvers
//! of 2018.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heapwright_spec::smtlib::Status;
use serde_json::{Value as Json, json};

use super::published::{self, CompetitionRow};
use super::table::{Table, ratio, seconds};
use crate::error::{BenchError, BenchStatus};
use heapwright_solver::asking::{Asker, Reply, Want};
use heapwright_testgen::vocabulary::seconds as seconds_of;

/// Solve every .smt2 file under a folder and compare with its :status
///
/// A division is a folder; the figures of 2018 are shown for divisions of that name. Those
/// solvers had the whole division, which can be more than is given here: the ratio compares the
/// time per instance. Their times come from the competition's machines.
#[derive(clap::Args)]
pub struct Arguments {
    /// Where the instances are
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Print JSON, one object with every instance
    #[arg(long)]
    json: bool,
    /// Seconds for each question; past them the answer is `unknown`
    #[arg(long, value_name = "SECONDS", value_parser = seconds_of)]
    time: Option<Duration>,
}

/// One file, answered.
struct Run {
    path: PathBuf,
    expected: Option<Status>,
    answer: Reply,
    seconds: f64,
}

impl Run {
    fn is_wrong(&self) -> bool {
        matches!(
            (&self.answer, self.expected),
            (Reply::Sat(_), Some(Status::Unsat)) | (Reply::Unsat, Some(Status::Sat))
        )
    }

    fn is_unknown(&self) -> bool {
        matches!(self.answer, Reply::Unknown(_))
    }

    fn is_solved(&self) -> bool {
        !self.is_unknown() && !self.is_wrong()
    }
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    let mut divisions: BTreeMap<String, Vec<Run>> = BTreeMap::new();
    for path in files_under(&arguments.folder)? {
        let division = path.parent().and_then(Path::file_name);
        let division = division.map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let run = run_file(path, arguments.time)?;
        divisions.entry(division).or_default().push(run);
    }
    if divisions.is_empty() {
        return Err(BenchError::NoFiles {
            folder: arguments.folder.clone(),
            kind: ".smt2 files",
        });
    }
    if arguments.json {
        let report = to_json(&divisions);
        writeln!(out, "{report:#}")?;
    } else {
        print(&divisions, out)?;
    }
    let runs = || divisions.values().flatten();
    Ok(if runs().any(Run::is_wrong) {
        BenchStatus::Refuted
    } else if runs().any(Run::is_unknown) {
        BenchStatus::Unknown
    } else {
        BenchStatus::Decided
    })
}

/// Reads and solves one file; the time includes both. The status of a competition file is about
/// its last question.
fn run_file(path: PathBuf, limit: Option<Duration>) -> Result<Run, BenchError> {
    let start = Instant::now();
    let input = crate::files::questions(&path)?;
    let mut asker = Asker::new(&input.terms, &input.definitions, limit);
    let mut last = None;
    for question in &input.questions {
        let answer = asker.ask(&question.formula, Want::Verdict);
        last = Some((answer, question.expected));
    }
    let seconds = start.elapsed().as_secs_f64();
    let Some((answer, expected)) = last else {
        return Err(BenchError::NoQuestion(path));
    };
    Ok(Run {
        path,
        expected,
        answer,
        seconds,
    })
}

/// All .smt2 files under a folder, sorted by name.
fn files_under(folder: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| BenchError::Read { path, source }
    };
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(unreadable(&folder))? {
            let entry = entry.map_err(unreadable(&folder))?;
            let path = entry.path();
            // Links are not followed: a link to a folder above would never end.
            let kind = entry.file_type().map_err(unreadable(&path))?;
            if kind.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "smt2")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn print(divisions: &BTreeMap<String, Vec<Run>>, out: &mut dyn Write) -> Result<(), BenchError> {
    let header = [
        "division, solver",
        "instances",
        "solved",
        "wrong",
        "time s",
        "ms each",
        "speed-up",
    ];
    let mut table = Table::new(&header);
    for (division, runs) in divisions {
        let ours = Summary::of(runs);
        let mut cells = ours.cells(&format!("{division}, heapwright"));
        cells.push("1x".to_owned());
        table.row(cells);
        for row in published_for(division) {
            let theirs = Summary::published(&row);
            let mut cells = theirs.cells(&format!("  {}", row.solver));
            cells.push(ratio(theirs.seconds_each(), ours.seconds_each()));
            table.row(cells);
        }
    }
    table.print(out)?;
    for run in divisions.values().flatten() {
        if run.is_wrong() || run.is_unknown() {
            writeln!(out, "{}: {}", run.path.display(), run.describe())?;
        }
    }
    let all = Summary::of(divisions.values().flatten());
    writeln!(
        out,
        "{} of {} solved, {} wrong, {} s",
        all.solved,
        all.instances,
        all.wrong,
        seconds(all.seconds)
    )?;
    Ok(())
}

impl Run {
    fn describe(&self) -> String {
        let expected =
            word(self.expected).map_or(String::new(), |word| format!(", expected {word}"));
        let reason = self
            .answer
            .reason()
            .map_or(String::new(), |reason| format!(" ({reason})"));
        format!("{}{reason}{expected}", self.answer.word())
    }
}

/// What a file says of itself.
fn word(status: Option<Status>) -> Option<&'static str> {
    match status? {
        Status::Sat => Some("sat"),
        Status::Unsat => Some("unsat"),
        Status::Unknown => None,
    }
}

/// The figures of one solver in one division.
struct Summary {
    instances: usize,
    solved: usize,
    wrong: usize,
    seconds: f64,
}

impl Summary {
    fn of<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Summary {
        let mut summary = Summary {
            instances: 0,
            solved: 0,
            wrong: 0,
            seconds: 0.0,
        };
        for run in runs {
            summary.instances += 1;
            summary.solved += usize::from(run.is_solved());
            summary.wrong += usize::from(run.is_wrong());
            summary.seconds += run.seconds;
        }
        summary
    }

    fn published(row: &CompetitionRow) -> Summary {
        Summary {
            instances: row.instances,
            solved: row.solved,
            wrong: row.wrong,
            seconds: row.seconds,
        }
    }

    /// Mean time; the competition counted the time of the solved instances only.
    fn seconds_each(&self) -> f64 {
        self.seconds / self.solved.max(1) as f64
    }

    fn cells(&self, name: &str) -> Vec<String> {
        vec![
            name.to_owned(),
            self.instances.to_string(),
            self.solved.to_string(),
            self.wrong.to_string(),
            seconds(self.seconds),
            format!("{:.2}", 1000.0 * self.seconds_each()),
        ]
    }
}

fn published_for(division: &str) -> Vec<CompetitionRow> {
    let mut rows = published::competition();
    rows.retain(|row| row.division == division);
    rows
}

fn to_json(divisions: &BTreeMap<String, Vec<Run>>) -> Json {
    let divisions: Vec<Json> = (divisions.iter())
        .map(|(name, runs)| {
            let ours = Summary::of(runs);
            let published: Vec<Json> = (published_for(name).iter())
                .map(|row| {
                    json!({
                        "solver": row.solver,
                        "instances": row.instances,
                        "solved": row.solved,
                        "wrong": row.wrong,
                        "seconds": row.seconds,
                        "ratio": Summary::published(row).seconds_each() / ours.seconds_each(),
                    })
                })
                .collect();
            let instances: Vec<Json> = (runs.iter())
                .map(|run| {
                    json!({
                        "file": run.path.display().to_string(),
                        "expected": word(run.expected),
                        "answer": run.answer.word(),
                        "reason": run.answer.reason(),
                        "seconds": run.seconds,
                    })
                })
                .collect();
            json!({
                "division": name,
                "instances": ours.instances,
                "solved": ours.solved,
                "wrong": ours.wrong,
                "seconds": ours.seconds,
                "published": published,
                "runs": instances,
            })
        })
        .collect();
    json!({ "benchmark": "slcomp", "divisions": divisions })
}
