//! The branches that tests take, as JaCoCo and as the engine count them.

use std::collections::BTreeSet;
use std::fmt::Write;

use heapwright_engine::{Outcome, Status};
use heapwright_ir::machine::Edge;
use heapwright_java::descriptor::MethodDescriptor;

use super::Verifying;
use crate::coverage::MethodCoverage;
use heapwright_explain::words;
use heapwright_testgen::Error;

/// Branches, as the engine counts them.
pub struct Branches {
    /// Those that are counted.
    pub all: BTreeSet<Edge>,
    /// Those of them that a test takes that has to pass.
    pub taken: BTreeSet<Edge>,
    /// Those of these that only tests take that an exception ends.
    pub unseen: BTreeSet<Edge>,
    /// Those that only tests take that show something to be wrong.
    by_findings: usize,
    /// Those that were covered by inputs of which there is no test.
    untested: usize,
}

impl Branches {
    /// Those of all methods.
    pub fn of(session: &Verifying<'_>) -> Branches {
        let (mut edges, mut taken, mut seen) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let (mut covered, mut failing) = (BTreeSet::new(), BTreeSet::new());
        for method in session.methods {
            taken.extend(&method.tests.beside);
            seen.extend(&method.tests.beside);
            for branch in &method.suite.report.branches {
                edges.insert(branch.edge);
                if matches!(branch.status, Status::Covered { .. }) {
                    covered.insert(branch.edge);
                }
            }
            for (index, _) in &method.tests.cases {
                let Some(kept) = method.suite.tests.get(*index) else {
                    continue;
                };
                let run = &method.suite.test(kept).run;
                if !kept.findings.is_empty() {
                    failing.extend(run.edges());
                    continue;
                }
                taken.extend(run.edges());
                if run.outcome == Outcome::Returned {
                    seen.extend(run.edges());
                }
            }
        }
        let unseen = taken.difference(&seen).copied().collect();
        let others: BTreeSet<Edge> = covered.difference(&taken).copied().collect();
        let by_findings = others.intersection(&failing).count();
        Branches {
            all: edges,
            taken,
            unseen,
            by_findings,
            untested: others.len() - by_findings,
        }
    }
}

/// The branches of each method as JaCoCo and as the engine count them, all of them together, and
/// why there may be fewer than the search has covered.
pub fn print_table(
    methods: &[MethodCoverage],
    branches: &Branches,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let mut lines = Vec::new();
    let mut sums = [0; 4];
    for method in methods {
        let Some((theirs, total)) = method.measured else {
            continue;
        };
        let simple = method.class.rsplit('.').next().unwrap_or(&method.class);
        let (covered, all) = (method.taken.len(), method.edges.len());
        let mark = match method.agrees() {
            true if theirs < covered => "   <- JaCoCo misses branches right before an exception",
            true => "",
            false => "   <- they differ",
        };
        let name = format!(
            "{simple}#{}{}",
            method.method,
            parameters(&method.descriptor)
        );
        let figures = [theirs, total, covered, all];
        lines.push(format!("{}{mark}", row(&name, figures)));
        for (sum, figure) in sums.iter_mut().zip(figures) {
            *sum += figure;
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    if lines.len() > 1 {
        lines.push(row("total", sums));
    }
    writeln!(
        out,
        "  {:<44} {:<10} engine",
        "branches that passing tests take", "JaCoCo"
    )?;
    for line in lines {
        writeln!(out, "{}", line.trim_end())?;
    }
    let apart = [
        (branches.by_findings, "tests of findings take"),
        (branches.untested, "inputs take of which there is no test"),
    ];
    for (count, takers) in apart.into_iter().filter(|(count, _)| *count > 0) {
        let count = words::count(count as u64, "branch", "branches");
        writeln!(out, "  not counted here: {count} that only {takers}")?;
    }
    Ok(())
}

/// A line of the table: covered and all branches, for JaCoCo and for the engine.
fn row(name: &str, [theirs, total, covered, all]: [usize; 4]) -> String {
    format!("  {name:<44} {theirs:>3} of {total:<3} {covered:>3} of {all:<3}")
}

/// `(int, Node)`, from a descriptor.
fn parameters(descriptor: &str) -> String {
    let Ok(descriptor) = MethodDescriptor::parse(descriptor) else {
        return String::new();
    };
    let types = descriptor.parameters.iter().map(ToString::to_string);
    let types: Vec<String> = types
        .map(|ty| words::simple_class(&ty).to_owned())
        .collect();
    format!("({})", types.join(", "))
}
