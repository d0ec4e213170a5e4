//! Whether any input takes a prefix: the path condition is collected by a run, and solved.

use std::collections::VecDeque;
use std::time::Duration;

use heapwright_ir::machine::{MachineError, Missing};
use heapwright_solver::Answer;

use super::execution::run_prefix;
use super::{Context, JobStatistics};
use crate::input::Input;
use crate::input::completion::{Incomplete, complete};
use crate::path::decision::{About, Decision};
use crate::path::questions::{Price, Worker};
use crate::path::symbolic::{PathStop, Symbolic};
use crate::report::Limit;

/// What a run is counted as among the work of questions.
const RUN: u64 = 25;

/// An input that takes all decisions of a prefix, as small as possible.
///
/// A prefix that ends with the unfolding of an instance for the sake of a reference says more
/// than the initial heap: the reference lies inside. What that can mean is tried, smallest
/// first, while the work of its runs and questions is that of one.
pub(super) fn solve(
    context: &Context,
    worker: &Worker,
    prefix: &[Decision],
    near: Near,
    effort: &mut JobStatistics,
) -> Solved {
    let mut pending = VecDeque::from([prefix.to_vec()]);
    let mut open: Option<(Limit, u32)> = None;
    let begin = worker.work();
    let mut runs = 0;
    while let Some(prefix) = pending.pop_front() {
        if worker.work() - begin + RUN * runs > near.price.work() {
            effort.unknown += 1;
            return Solved::Open(Limit::Solver, open.map_or(0, |(_, objects)| objects));
        }
        runs += 1;
        let (domain, stop) = match run_prefix(context, worker, &prefix, None, near) {
            Ok(found) => found,
            Err(PathStop::Infeasible) => continue,
            Err(PathStop::NoInput) => {
                open = open.or(Some((Limit::Unsupported, 0)));
                continue;
            }
            Err(PathStop::Machine(MachineError::Missing(missing))) => {
                return Solved::Missing(missing);
            }
            Err(PathStop::Machine(MachineError::Interrupted)) => {
                return Solved::Open(context.ending(), 0);
            }
            Err(_) => return Solved::Diverged,
        };
        let within = domain.objects() <= context.extent.objects;
        match domain.pending.clone() {
            None => match question(context, domain, effort) {
                Solved::Infeasible => {}
                Solved::Open(limit, objects) => open = open.or(Some((limit, objects))),
                decided => return decided,
            },
            Some((site, choices)) if within && stop == Some(PathStop::Paused) => {
                pending.extend(choices.into_iter().map(|choice| {
                    let decision = Decision {
                        site: Some(site),
                        choice,
                        forced: false,
                        edge: None,
                        block: None,
                        fault: false,
                        about: About::default(),
                        predicate: None,
                    };
                    [&prefix[..], &[decision]].concat()
                }));
            }
            Some(_) => open = open.or(Some((Limit::Objects, domain.objects()))),
        }
    }
    open.map_or(Solved::Infeasible, |(limit, objects)| {
        Solved::Open(limit, objects)
    })
}

/// An input for the path of a run that took other decisions than its own input.
///
/// The run knows all about it, and its last model is an input of nearly all of the path. Where a
/// reference lies inside of an instance, the path has to be looked at again.
pub(super) fn settled(
    context: &Context,
    worker: &Worker,
    mut domain: Symbolic,
    decisions: &[Decision],
    effort: &mut JobStatistics,
) -> Solved {
    if domain.pending.is_some() {
        return solve(context, worker, decisions, Near::default(), effort);
    }
    domain.questions.time = Duration::ZERO;
    question(context, domain, effort)
}

/// Asks for a model of what a run knows.
fn question(context: &Context, mut domain: Symbolic, effort: &mut JobStatistics) -> Solved {
    let subject = &context.subject;
    let objects = domain.objects();
    let formula = domain.initial.formula();
    domain.suggest();
    let answer = (domain.questions).check(&mut domain.terms, formula);
    effort.calls += 1;
    effort.solving += domain.questions.time;
    match answer {
        Answer::Unsat => Solved::Infeasible,
        // Nobody gave the solver the time that it is meant to have.
        Answer::Unknown(_) if context.is_late() => Solved::Open(context.ending(), 0),
        Answer::Unknown(_) => {
            effort.unknown += 1;
            Solved::Open(Limit::Solver, objects)
        }
        Answer::Sat(model) => match complete(subject, &domain.terms, &domain.initial, &model) {
            Ok(input) => Solved::Input(Box::new(input)),
            Err(Incomplete::NoClass) => Solved::Open(Limit::Classes, objects),
            Err(Incomplete::Misfit) => Solved::Diverged,
        },
    }
}

/// Where a model is looked for first, and how much work that may be.
#[derive(Clone, Copy)]
pub(super) struct Near<'i> {
    /// An input that takes all decisions but the last.
    pub(super) neighbour: Option<&'i Input>,
    /// How much work the question may be.
    pub(super) price: Price,
}

impl Default for Near<'_> {
    fn default() -> Self {
        Near {
            neighbour: None,
            price: Price::Full,
        }
    }
}

/// What became of a path condition.
pub(super) enum Solved {
    /// No input satisfies it.
    Infeasible,
    /// This keeps us from knowing; inputs would have at least so many objects.
    Open(Limit, u32),
    /// The prefix is not one of the program: a bug.
    Diverged,
    /// A run called this, which is not there.
    Missing(Missing),
    /// This input does.
    Input(Box<Input>),
}
