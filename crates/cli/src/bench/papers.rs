//! `bench papers`: the Java subjects of the papers on CSF and JSF.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use heapwright_engine::{Bounds, Keep, Mode, Options, Status, keep};

use super::table::seconds;
use crate::failure::{Failure, Outcome};
use crate::java::{Choice, JavaProgram, Specifications};
use crate::{limits, words};

/// Generate tests for the Java subjects of the papers
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder with the compiled subjects
    #[arg(long)]
    classes: PathBuf,
    /// The folder with the specifications
    #[arg(long, default_value = "subjects/java/specs")]
    specs: PathBuf,
    /// Only these rows
    #[arg(long)]
    only: Option<String>,
    /// Seconds for each search
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = limits::seconds)]
    time: Duration,
    /// The mode
    #[arg(long)]
    symbolic: bool,
}

const SUBJECTS: [(&str, &str); 12] = [
    ("SLL", "subjects.sll.SinglyLinkedList"),
    ("Stack", "subjects.stack.LinkedStack"),
    ("DLL", "subjects.dll.DoublyLinkedList"),
    ("BST", "subjects.bst.BinarySearchTree"),
    ("AVL", "subjects.avl.AvlTree"),
    ("RBT", "subjects.rbt.RedBlackTree"),
    ("AAT", "subjects.aa.AaTree"),
    ("Tll", "subjects.tll.LinkedLeafTree"),
    ("SUSHI", "subjects.sushi.TwoLists"),
    ("TSAFE", "subjects.tsafe.TrajectorySynthesizer"),
    ("Gantt", "subjects.gantt.GraphTransaction"),
    ("Math", "subjects.math.MathTraversals"),
];

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, Failure> {
    for (row, class) in SUBJECTS {
        if arguments.only.as_ref().is_some_and(|only| {
            !format!("{row} {class}").contains(only.split('#').next().unwrap_or(""))
        }) {
            continue;
        }
        let begin = Instant::now();
        let simple = class.rsplit('.').next().unwrap_or(class);
        let specification = arguments.specs.join(format!("{simple}.sl"));
        let specifications = Specifications::new(Choice::File(specification), None);
        let mut program = JavaProgram::open(None, &[arguments.classes.clone()], specifications)?;
        let mut total = 0;
        for target in program.targets(class)? {
            if !program.is_specified(&target)? {
                continue;
            }
            let name = &target.declared.method.name;
            if let Some(only) = arguments
                .only
                .as_ref()
                .and_then(|only| only.split_once('#'))
            {
                if **name != *only.1 {
                    continue;
                }
            }
            let options = Options {
                mode: if arguments.symbolic {
                    Mode::Symbolic
                } else {
                    Mode::Concolic
                },
                bounds: Bounds {
                    time: Some(arguments.time),
                    ..Bounds::default()
                },
                ..Options::default()
            };
            let start = Instant::now();
            let explored = match program.explore(&target, &options, &mut |_| ())? {
                Ok(explored) => explored,
                Err(error) => {
                    writeln!(out, "{row} {name}: {error}")?;
                    continue;
                }
            };
            let report = &explored.report;
            let count = |wanted: fn(&Status) -> bool| {
                report
                    .branches
                    .iter()
                    .filter(|branch| wanted(&branch.status))
                    .count()
            };
            let covered = count(|status| matches!(status, Status::Covered { .. }));
            let infeasible = count(|status| matches!(status, Status::Infeasible(_)));
            let kept = keep(report, Keep::Coverage).len();
            total += kept;
            writeln!(
                out,
                "{row} {name}{}: {} tests, {kept} kept, {covered}+{infeasible} of {}, stop {:?}, div {}, inv {}, calls {}, unknown {}, solving {}, time {} missing {:?} cut {:?}",
                target.declared.method.descriptor,
                report.tests.len(),
                report.branches.len(),
                report.stop,
                report.statistics.divergences,
                report.statistics.invalid,
                report.statistics.solver_calls,
                report.statistics.unknown,
                seconds(report.statistics.solving.as_secs_f64()),
                seconds(start.elapsed().as_secs_f64()),
                report.missing,
                report.statistics.cut,
            )?;
            for branch in &report.branches {
                if !matches!(branch.status, Status::Covered { .. }) {
                    writeln!(
                        out,
                        "    {}:{} {:?} {:?}",
                        words::edge(&explored.subject.program, branch.edge, branch.position),
                        branch.position.line,
                        branch.edge,
                        branch.status
                    )?;
                }
            }
            out.flush()?;
        }
        writeln!(
            out,
            "{row}: kept {total}, time {}",
            seconds(begin.elapsed().as_secs_f64())
        )?;
        out.flush()?;
    }
    Ok(Outcome::Decided)
}
