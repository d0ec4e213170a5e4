//! Whether a run that used up its steps would have ended with more of them.

use heapwright_ir::Position;
use heapwright_ir::machine::concrete::Concrete;
use heapwright_ir::machine::{Budgets, Machine, MachineError, Watched};
use heapwright_logic::Deadline;

use crate::check::replay::import;
use crate::input::Input;
use crate::subject::Subject;

/// So many times the usual budget is tried.
const MORE: u32 = 20;

/// Steps that are tried at most, and at least.
const STEPS: std::ops::RangeInclusive<u64> = 100_000..=5_000_000;

/// What is known about the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Termination {
    /// It ends, if it may take more steps.
    Ends,
    /// It comes back to a state in which it has been, so it never ends.
    Never {
        /// The first line of what it repeats.
        position: Position,
    },
    /// It did not end, and whether it ever does is not known.
    Unknown {
        /// The steps that it was given.
        steps: u64,
        /// The first line of what it did last.
        position: Position,
    },
}

/// Runs an input again with a larger budget, and looks for a state that repeats. The clock runs
/// meanwhile, so a program that waits comes to an end. Past the deadline nothing is known.
pub fn termination(
    subject: &Subject,
    input: &Input,
    budgets: Budgets,
    deadline: Deadline,
) -> Result<Termination, MachineError> {
    let steps = budgets.steps.saturating_mul(MORE.into());
    let budgets = Budgets {
        steps: steps.clamp(*STEPS.start(), *STEPS.end()),
        objects: budgets.objects.saturating_mul(MORE),
        ..budgets
    };
    let mut domain = Concrete::new(&subject.program).varied(1);
    let arguments = import(subject, &mut domain, input)?;
    let mut machine = Machine::new(&subject.program, domain, budgets).until(deadline);
    Ok(match machine.watch(subject.function, arguments)? {
        Watched::Ended(_) => Termination::Ends,
        Watched::Repeats { position } => Termination::Never { position },
        Watched::OutOfBudget { steps, position } => Termination::Unknown { steps, position },
    })
}
