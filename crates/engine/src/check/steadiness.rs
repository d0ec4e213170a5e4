//! Whether a run is the same in every environment.
//!
//! A test runs elsewhere and at another time than the search that found it. So an input whose run
//! asks about the environment is run again in others; if it ends otherwise or takes other branches
//! of the code under test, it is no test of the branches that it took.

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::machine::{Budgets, Edge, MachineError, Missing};

use crate::check::replay::{Conditions, replay_under};
use crate::input::Input;
use crate::report::{Outcome, Run};
use crate::subject::Subject;

/// The seeds of the other environments.
pub const ENVIRONMENTS: [u64; 3] = [1, 2, 3];

/// What is known about a run in other environments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Steadiness {
    /// It is the same, as far as was tried.
    Steady,
    /// It depends on a part of the environment.
    DependsOn(Environment),
    /// It calls something that is not there, unlike in the usual one.
    Missing(Missing),
}

/// Compares the run of an input with runs in other environments.
pub fn steadiness(
    subject: &Subject,
    input: &Input,
    run: &Run,
    budgets: Budgets,
    conditions: Conditions,
) -> Steadiness {
    compare(subject, run, conditions, |conditions| {
        replay_under(subject, input, budgets, conditions)
    })
}

/// The same for a run that is repeated in another way.
pub fn compare(
    subject: &Subject,
    run: &Run,
    conditions: Conditions,
    mut again: impl FnMut(Conditions) -> Result<Run, MachineError>,
) -> Steadiness {
    let varying = run.asked.iter().filter(|part| !part.is_usual_in_tests());
    let varying: Vec<Environment> = varying.copied().collect();
    let Some(&first) = varying.first() else {
        return Steadiness::Steady;
    };
    let mut varies = |only: Option<Environment>| {
        for seed in ENVIRONMENTS {
            let varied = Conditions {
                seed: Some(seed),
                only,
                ..conditions.clone()
            };
            match again(varied) {
                Ok(other) if takes_same_path(subject, run, &other) => {}
                Err(MachineError::Missing(missing)) => return Some(Some(missing)),
                Ok(_) | Err(_) => return Some(None),
            }
        }
        None
    };
    match varies(None) {
        None => Steadiness::Steady,
        Some(Some(missing)) => Steadiness::Missing(missing),
        Some(None) => {
            let decisive = varying
                .into_iter()
                .find(|&part| varies(Some(part)).is_some());
            Steadiness::DependsOn(decisive.unwrap_or(first))
        }
    }
}

/// Whether two runs end in the same way and take the same branches of the code under test. Of runs
/// that a budget ended it counts that the same budget did: where they were then is chance, and the
/// order of their branches is not kept.
pub fn takes_same_path(subject: &Subject, one: &Run, other: &Run) -> bool {
    let tested = |edge: &&Edge| subject.is_under_test(edge.function);
    match (&one.outcome, &other.outcome) {
        (
            Outcome::OutOfBudget { budget, .. },
            Outcome::OutOfBudget {
                budget: elsewhere, ..
            },
        ) => budget == elsewhere,
        (outcome, elsewhere) => {
            outcome == elsewhere
                && (one.trail.iter().filter(tested)).eq(other.trail.iter().filter(tested))
        }
    }
}
