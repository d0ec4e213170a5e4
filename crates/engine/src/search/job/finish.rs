//! From the input of a path to a test: the input is checked, completed so that the class's own
//! predicate accepts it, and run.
//!
//! What the path promised and what the concrete run does are compared here; a run that goes another
//! way, or another way in another environment, is no test.

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::machine::{Edge, MachineError};

use super::rounding::away_from_edges;
use super::selection::{shapes, smallest_values};
use super::{Context, JobResult, JobStatistics};
use crate::check::oracle;
use crate::check::replay::{Conditions, replay_under};
use crate::check::steadiness::{Steadiness, steadiness};
use crate::input::Input;
use crate::input::acceptance::{Acceptance, acceptance};
use crate::options::{Mode, ValueChoice};
use crate::path::decision::Decision;
use crate::path::questions::Worker;
use crate::report::{Limit, Verification};

/// The inputs that are taken for a path.
pub(super) fn chosen(
    context: &Context,
    worker: &Worker,
    input: Input,
    decisions: &[Decision],
    effort: &mut JobStatistics,
) -> Vec<Input> {
    match context.options.values {
        ValueChoice::Any | ValueChoice::SmallestHeap => vec![input],
        ValueChoice::SmallestValues => {
            vec![smallest_values(context, worker, decisions, input, effort)]
        }
        ValueChoice::Shapes(count) => shapes(context, worker, decisions, input, count, effort),
    }
}

/// The path that an input was made for.
pub(super) struct Traversed<'p> {
    /// Its edges of branch coverage.
    pub(super) trail: &'p [Edge],
    /// Whether it was followed to its end.
    pub(super) is_complete: bool,
    /// The part of the environment that decides about its branches.
    pub(super) decided_by: Option<Environment>,
}

/// Checks an input, runs it, and compares the run with the path that it was made for.
pub(super) fn finish(
    context: &Context,
    input: Input,
    path: &Traversed<'_>,
    result: &mut JobResult,
) {
    let subject = &context.subject;
    let verdict = oracle::precondition(subject, &input);
    if verdict != Verification::Holds {
        match verdict {
            Verification::Undecided(_) => result.effort.undecided += 1,
            _ => result.effort.invalid += 1,
        }
        match context.options.mode {
            Mode::Lazy { filter: false } => {}
            // Another input of the same path may be valid.
            Mode::Lazy { filter: true } => return result.open.push((Limit::Filter, 0)),
            _ => return result.diverged(),
        }
    }
    let conditions = Conditions {
        deadline: context.deadline.clone(),
        ..Conditions::default()
    };
    let budgets = context.options.budgets;
    let takes_path = |input: &Input| {
        let run = replay_under(subject, input, budgets, conditions.clone());
        run.is_ok_and(|run| follows(&run.trail, path.trail, path.is_complete))
    };
    let input = match acceptance(subject, &input, budgets, takes_path) {
        Ok(Acceptance::NotAsked) => input,
        Ok(Acceptance::Accepted) => {
            result.effort.accepted += 1;
            input
        }
        Ok(Acceptance::Instead(input)) => {
            result.effort.accepted += 1;
            *input
        }
        Ok(Acceptance::Rejected(reason)) => {
            result.effort.rejected += 1;
            result.effort.rejection.get_or_insert(reason);
            input
        }
        Err(MachineError::Missing(missing)) if !context.missing.contains(&missing) => {
            let objects = input.heap.cells.len() as u32;
            return result.missing(context, missing, objects);
        }
        // A predicate that meets what nobody knows says nothing.
        Err(_) => input,
    };
    let run = match replay_under(subject, &input, budgets, conditions.clone()) {
        Ok(run) => run,
        Err(MachineError::Interrupted) => return result.open.push((context.ending(), 0)),
        Err(MachineError::Missing(missing)) => {
            let objects = input.heap.cells.len() as u32;
            return result.missing(context, missing, objects);
        }
        Err(_) => return result.diverged(),
    };
    if !follows(&run.trail, path.trail, path.is_complete) {
        result.diverged();
    }
    let (input, run) = away_from_edges(context, input, run, &conditions);
    let steadiness = match path.decided_by {
        Some(part) => Steadiness::DependsOn(part),
        None => steadiness(subject, &input, &run, budgets, conditions),
    };
    match steadiness {
        Steadiness::Steady => result.tests.push((input, run)),
        Steadiness::DependsOn(part) => {
            let objects = input.heap.cells.len() as u32;
            result.open.push((Limit::Environment(part), objects));
        }
        Steadiness::Missing(missing) if context.missing.contains(&missing) => {
            result
                .open
                .push((Limit::Unsupported, input.heap.cells.len() as u32));
        }
        Steadiness::Missing(missing) => result.unknown = Some(missing),
    }
}

/// Whether a run took a path, or began with it if that is all that is known of the path.
fn follows(taken: &[Edge], path: &[Edge], complete_path: bool) -> bool {
    match complete_path {
        true => taken == path,
        false => taken.starts_with(path),
    }
}
