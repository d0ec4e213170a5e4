//! What the benchmark prints.

use std::io::Write;

use heapwright_engine::{Mode, Status};
use serde_json::{Value as Json, json};

use super::measure::{Known, Row};
use crate::error::BenchError;
use crate::published::{PaperRow, csf, jsf};
use crate::table::{Table, ratio, seconds};
use heapwright_explain::{source, words};
use heapwright_testgen::vocabulary::mode_name;

/// The published row of a subject, and the tool that it is of.
fn published(row: &Row) -> (&'static str, Option<PaperRow>) {
    let (tool, rows) = match row.mode {
        Mode::Symbolic | Mode::Lazy { .. } => ("JSF", jsf()),
        _ => ("CSF", csf()),
    };
    let program = row.subject.program;
    (
        tool,
        rows.into_iter().find(|known| known.program == program),
    )
}

fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => "100".to_owned(),
        _ => format!("{:.0}", 100.0 * part as f64 / whole as f64),
    }
}

/// Prints a table for each mode.
pub fn tables(rows: &[Row], verbose: bool, out: &mut dyn Write) -> Result<(), BenchError> {
    if verbose {
        for row in rows {
            print_methods(row, out)?;
        }
    }
    for mode in [Mode::Concolic, Mode::Symbolic] {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.mode == mode).collect();
        if !rows.is_empty() {
            print_table(mode, &rows, out)?;
        }
    }
    Ok(())
}

fn print_table(mode: Mode, rows: &[&Row], out: &mut dyn Write) -> Result<(), BenchError> {
    let tool = rows.first().map_or("", |row| published(row).0);
    let verified = rows.iter().any(|row| row.measured.is_some());
    let mut header = vec![
        "subject", "methods", "tests", "inputs", "valid %", "branches", "cov %", "calls", "s",
    ];
    if verified {
        header.extend(["passed", "JaCoCo %", "repOK %"]);
    }
    let theirs: Vec<String> = ["tests", "cov %", "calls", "s"]
        .iter()
        .map(|name| format!("{tool} {name}"))
        .collect();
    header.extend(theirs.iter().map(String::as_str));
    header.push("faster");
    let mut table = Table::new(&header);
    let (mut ours, mut total) = (0.0, 0.0);
    for row in rows {
        let time = row.total.as_secs_f64();
        let (covered, all) = (row.count(Known::Covered), row.branches().len());
        let found = row.found();
        let valid = found - (row.sum(|known| known.invalid + known.undecided) as usize).min(found);
        let mut cells = vec![
            row.subject.program.to_owned(),
            row.methods.len().to_string(),
            row.kept().to_string(),
            found.to_string(),
            percent(valid, found),
            format!("{covered}/{all}"),
            percent(covered, all),
            row.sum(|known| known.solver_calls).to_string(),
            seconds(time),
        ];
        if let Some(measured) = &row.measured {
            cells.push(format!("{}/{}", measured.passed, measured.tests));
            cells.push(percent(measured.covered, measured.branches));
            cells.push(percent(measured.valid, measured.inputs));
        }
        ours += time;
        if let (_, Some(known)) = published(row) {
            total += known.seconds;
            cells.extend([
                known.tests.to_string(),
                known.coverage.to_string(),
                known.calls.to_string(),
                seconds(known.seconds),
                ratio(known.seconds, time),
            ]);
        }
        table.row(cells);
    }
    writeln!(out, "{} mode, beside {tool}:", mode_name(mode))?;
    table.print(out)?;
    writeln!(
        out,
        "total: {} s, {tool} {} s ({})",
        seconds(ours),
        seconds(total),
        ratio(total, ours)
    )?;
    let slowest = rows.iter().map(|row| row.slowest()).max();
    let slowest = slowest.unwrap_or_default().as_secs_f64();
    writeln!(out, "slowest method: {} s", seconds(slowest))?;
    let wrong = rows.iter().filter(|row| !row.is_sound());
    for row in wrong {
        let program = row.subject.program;
        let divergences = row.sum(|known| known.divergences);
        writeln!(out, "{program}: {divergences} runs left their paths")?;
        for problem in row.measured.iter().flat_map(|measured| &measured.problems) {
            writeln!(out, "{program}: {problem}")?;
        }
    }
    let explained = rows
        .iter()
        .filter_map(|row| Some((row, row.measured.as_ref()?)));
    for (row, measured) in explained {
        for remark in &measured.remarks {
            writeln!(out, "{}: {remark}", row.subject.program)?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// Every method, and every branch that is not covered.
fn print_methods(row: &Row, out: &mut dyn Write) -> Result<(), BenchError> {
    for (method, time) in row.methods.iter().zip(&row.times) {
        let suite = &method.suite;
        let statistics = &suite.report.statistics;
        writeln!(
            out,
            "{} {} {}{}: {} of {} branches, {} tests of {}, {} calls, {} unknown, {} s (solver {} s), \
             {}",
            row.subject.program,
            mode_name(row.mode),
            method.target.declared.method.name,
            method.target.declared.method.descriptor,
            suite.covered(),
            suite.report.branches.len(),
            suite.tests.len(),
            suite.report.tests.len(),
            statistics.solver_calls,
            statistics.unknown,
            seconds(time.as_secs_f64()),
            seconds(statistics.solving.as_secs_f64()),
            words::stop_name(suite.report.stop),
        )?;
        for name in &suite.report.missing {
            writeln!(out, "    not known: {name}")?;
        }
        let program = &suite.subject.program;
        for branch in &suite.report.branches {
            let verdict = match branch.status {
                Status::Covered { .. } => continue,
                Status::Infeasible(proof) => format!("infeasible ({})", words::proof_name(proof)),
                Status::Unreached { objects, limit } => {
                    format!(
                        "unreached with {objects} objects ({})",
                        words::limit_name(limit)
                    )
                }
                Status::Open(limit) => format!("open ({})", words::limit_name(limit)),
            };
            let place = source::place(program, branch.position).unwrap_or_default();
            let edge = words::edge(program, branch.edge, branch.position);
            writeln!(out, "    {place}: {edge}: {verdict}")?;
        }
    }
    Ok(())
}

/// Prints everything as JSON.
pub fn json(rows: &[Row], out: &mut dyn Write) -> Result<(), BenchError> {
    let rows: Vec<Json> = rows.iter().map(row_json).collect();
    let document = json!({ "benchmark": "papers", "rows": rows });
    writeln!(out, "{document:#}")?;
    Ok(())
}

fn row_json(row: &Row) -> Json {
    let methods = row.methods.iter().zip(&row.times).map(|(method, time)| {
        let suite = &method.suite;
        json!({
            "method": method.target.declared.method.name.to_string(),
            "descriptor": method.target.declared.method.descriptor.descriptor(),
            "tests": suite.tests.len(),
            "inputs": suite.report.tests.len(),
            "covered": suite.covered(),
            "branches": suite.report.branches.len(),
            "solver_calls": suite.report.statistics.solver_calls,
            "unknown": suite.report.statistics.unknown,
            "divergences": suite.report.statistics.divergences,
            "stop": words::stop_name(suite.report.stop),
            "seconds": time.as_secs_f64(),
        })
    });
    let (tool, known) = published(row);
    let mut json = json!({
        "subject": row.subject.program,
        "mode": mode_name(row.mode),
        "tests": row.kept(),
        "inputs": row.found(),
        "invalid": row.sum(|known| known.invalid),
        "divergences": row.sum(|known| known.divergences),
        "covered": row.count(Known::Covered),
        "infeasible": row.count(Known::Infeasible),
        "branches": row.branches().len(),
        "solver_calls": row.sum(|known| known.solver_calls),
        "seconds": row.total.as_secs_f64(),
        "methods": methods.collect::<Vec<_>>(),
    });
    if let Some(known) = known {
        json["published"] = json!({
            "tool": tool,
            "tests": known.tests,
            "coverage": known.coverage,
            "solver_calls": known.calls,
            "seconds": known.seconds,
        });
    }
    if let Some(measured) = &row.measured {
        json["virtual_machine"] = json!({
            "version": measured.version,
            "tests": measured.tests,
            "passed": measured.passed,
            "covered": measured.covered,
            "branches": measured.branches,
            "inputs": measured.inputs,
            "valid": measured.valid,
            "problems": measured.problems,
            "remarks": measured.remarks,
        });
    }
    json
}
