//! Whether a changed input becomes a test.

use heapwright_ir::machine::Budgets;
use heapwright_logic::Deadline;

use crate::check::oracle;
use crate::check::replay::{Conditions, replay_under};
use crate::check::steadiness::{Steadiness, steadiness};
use crate::input::Input;
use crate::report::{Outcome, Run, Verification};
use crate::subject::Subject;

/// Whether the predicate of the program holds for an input, if there is one.
pub(super) fn is_valid(subject: &Subject, input: &Input, budgets: Budgets) -> bool {
    let verdict = oracle::invariant(subject, input, budgets);
    matches!(verdict, Ok(None | Some(Verification::Holds)))
}

/// The run of an input, with all that a test tells about it. `None` if it is none of interest: the
/// predicate of the program rejects the input though it should hold, an assumption fails, or what
/// happens is not the same everywhere.
pub(super) fn run(
    subject: &Subject,
    input: &Input,
    should_be_valid: bool,
    budgets: Budgets,
    deadline: &Deadline,
) -> Option<Run> {
    if should_be_valid && !is_valid(subject, input, budgets) {
        return None;
    }
    let conditions = Conditions {
        deadline: deadline.clone(),
        ..Conditions::default()
    };
    let run = replay_under(subject, input, budgets, conditions.clone()).ok()?;
    let is_test = matches!(run.outcome, Outcome::Returned | Outcome::Threw { .. });
    if !is_test || run.inexact {
        return None;
    }
    let steady = steadiness(subject, input, &run, budgets, conditions);
    (steady == Steadiness::Steady).then_some(run)
}
