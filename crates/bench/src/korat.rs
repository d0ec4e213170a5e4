//! `bench korat`: enumeration of the library's trees beside the figures of Korat.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

use heapwright_solver::{Config, Solver};
use serde_json::{Value as Json, json};

use super::published::{self, KoratRow};
use super::table::{Table, ratio, seconds};
use crate::error::{BenchError, BenchStatus};
use crate::files::library_questions;

/// Enumerate trees of the published sizes and compare the counts and times with Korat's
///
/// Korat's times are as its authors published them, measured on another machine. Ours cover
/// everything from reading the specification to the last structure; `build` also writes every
/// structure down as a heap of objects with concrete values, as Korat does.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Our figures beside one published row.
struct Run {
    row: KoratRow,
    found: u64,
    count_seconds: f64,
    build_seconds: f64,
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    let mut runs = Vec::new();
    for row in published::korat() {
        let Some(target) = target(row.structure) else {
            return Err(BenchError::missing("the library", row.structure));
        };
        let (found, count_seconds) = measure(target, row.size, false)?;
        let (_, build_seconds) = measure(target, row.size, true)?;
        runs.push(Run {
            row,
            found,
            count_seconds,
            build_seconds,
        });
    }
    if arguments.json {
        let runs: Vec<Json> = runs.iter().map(to_json).collect();
        writeln!(out, "{:#}", json!({ "benchmark": "korat", "runs": runs }))?;
    } else {
        print(&runs, out)?;
    }
    let agrees = |run: &Run| run.found == run.row.found as u64;
    Ok(if runs.iter().all(agrees) {
        BenchStatus::Decided
    } else {
        BenchStatus::Refuted
    })
}

/// The predicate of the library that describes Korat's structure.
fn target(structure: &str) -> Option<&'static str> {
    match structure {
        "RedBlackTree" => Some("red_black_tree#red_black"),
        "SearchTree" => Some("search_tree#search_tree"),
        "BinaryTree" => Some("binary_tree#binary_tree"),
        _ => None,
    }
}

/// How many structures there are, and in how many seconds they were found.
fn measure(target: &str, size: usize, build: bool) -> Result<(u64, f64), BenchError> {
    let start = Instant::now();
    let (mut input, question) = library_questions(target)?;
    let mut solver = Solver::new(&mut input.terms, &input.definitions, Config::default());
    let size = size as u32;
    let mut models = 0;
    for heap in &question.formula.disjuncts {
        let found = solver.enumerate(&mut input.terms, heap, size..=size, &mut |found| {
            if build {
                std::hint::black_box(found.heap());
            }
            ControlFlow::Continue(())
        });
        match found {
            Ok(found) => models += found.models,
            Err(reason) => {
                let target = target.to_owned();
                return Err(BenchError::Enumeration { target, reason });
            }
        }
    }
    Ok((models, start.elapsed().as_secs_f64()))
}

fn print(runs: &[Run], out: &mut dyn Write) -> Result<(), BenchError> {
    let header = [
        "structure",
        "size",
        "Korat found",
        "we found",
        "Korat s",
        "count s",
        "faster",
        "build s",
        "faster",
    ];
    let mut table = Table::new(&header);
    for run in runs {
        table.row(vec![
            run.row.structure.to_owned(),
            run.row.size.to_string(),
            run.row.found.to_string(),
            run.found.to_string(),
            seconds(run.row.seconds),
            seconds(run.count_seconds),
            ratio(run.row.seconds, run.count_seconds),
            seconds(run.build_seconds),
            ratio(run.row.seconds, run.build_seconds),
        ]);
    }
    table.print(out)?;
    Ok(())
}

fn to_json(run: &Run) -> Json {
    json!({
        "structure": run.row.structure,
        "size": run.row.size,
        "published": { "found": run.row.found, "seconds": run.row.seconds },
        "found": run.found,
        "count": { "seconds": run.count_seconds, "ratio": run.row.seconds / run.count_seconds },
        "build": { "seconds": run.build_seconds, "ratio": run.row.seconds / run.build_seconds },
    })
}
