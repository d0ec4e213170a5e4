//! Runs with symbols: along a prefix, or to the end of the program.

use heapwright_ir::machine::{Machine, MachineError};
use heapwright_logic::VarId;

use super::Context;
use super::solve::Near;
use crate::input::Input;
use crate::path::assignment::Assignment;
use crate::path::decision::Decision;
use crate::path::questions::Worker;
use crate::path::symbolic::{Guide, PathStop, Symbolic};
use crate::path::symbolic_value::SymbolicValue;
use crate::report::Outcome;
use crate::subject::Subject;

/// Runs as far as a prefix leads, with an input that takes it or without.
pub fn pause<'s>(
    context: &'s Context,
    worker: &Worker,
    prefix: &[Decision],
    input: Option<&Input>,
) -> Result<Symbolic<'s>, PathStop> {
    run_prefix(context, worker, prefix, input, Near::default()).map(|(domain, _)| domain)
}

/// The same, with what ended the run, unless the program did.
pub(super) fn run_prefix<'s>(
    context: &'s Context,
    worker: &Worker,
    prefix: &[Decision],
    input: Option<&Input>,
    Near { neighbour, price }: Near,
) -> Result<(Symbolic<'s>, Option<PathStop>), PathStop> {
    let mut domain = Symbolic::new(
        &context.start(),
        Guide::Pause,
        prefix.to_vec(),
        worker.questions(price),
    );
    if let Some(input) = input {
        let assignment = assignment_of(context, &domain, input).ok_or(PathStop::Diverged)?;
        domain = domain.accompanied_by(assignment);
    }
    if let Some(neighbour) = neighbour.and_then(|input| assignment_of(context, &domain, input)) {
        domain = domain.near(neighbour);
    }
    let (domain, ended) = execute(context, domain);
    let stop = match ended {
        Ok(_) => None,
        Err(PathStop::Machine(MachineError::Missing(missing)))
            if !context.missing.contains(&missing) =>
        {
            return Err(MachineError::Missing(missing).into());
        }
        Err(stop @ PathStop::Machine(MachineError::Interrupted)) => return Err(stop),
        Err(stop @ (PathStop::Paused | PathStop::Cut(_) | PathStop::Machine(_))) => Some(stop),
        Err(stop) => return Err(stop),
    };
    match domain.decisions.len() == prefix.len() {
        true => Ok((domain, stop)),
        false => Err(PathStop::Diverged),
    }
}

/// An input, for being put beside a run; nothing if it does not fit.
pub(super) fn assignment_of(
    context: &Context,
    domain: &Symbolic,
    input: &Input,
) -> Option<Assignment> {
    let subject = &context.subject;
    let variables: Vec<VarId> = subject.inputs.iter().map(|input| input.variable).collect();
    let precondition = match context.is_lazy() {
        true => None,
        false => subject.precondition.as_ref(),
    };
    let definitions = &subject.definitions;
    Assignment::of_input(&domain.terms, definitions, precondition, &variables, input)
}

pub(super) fn execute<'s>(
    context: &'s Context,
    domain: Symbolic<'s>,
) -> (Symbolic<'s>, Result<Outcome, PathStop>) {
    let subject: &'s Subject = &context.subject;
    let mut machine = Machine::new(&subject.program, domain, context.options.budgets)
        .until(context.deadline.clone());
    let ended = match machine.domain.begin() {
        Err(stop) => Err(stop),
        Ok(arguments) => machine.run(subject.function, arguments),
    };
    let ended = ended.map(|outcome| Outcome::of(&outcome));
    let ended = ended.and_then(|outcome| validate(subject, &mut machine, outcome));
    (machine.into_domain(), ended)
}

/// Lets the objects of the input prove that they can be made. That comes last, because only then
/// it is known which objects there are; the edges on the way are none of the path.
fn validate(
    subject: &Subject,
    machine: &mut Machine<'_, Symbolic<'_>>,
    outcome: Outcome,
) -> Result<Outcome, PathStop> {
    let ended = matches!(
        outcome,
        Outcome::AssumptionFailed { .. } | Outcome::OutOfBudget { .. }
    );
    if ended || subject.rules.validators.is_empty() {
        return Ok(outcome);
    }
    let length = machine.domain.trail.len();
    let mut next = 0;
    // Looking at one object may bring up others.
    while let Some(known) = machine.domain.initial.cells.get(next) {
        next += 1;
        let Some(&validator) = subject.rules.validators.get(&known.cell.class) else {
            continue;
        };
        let contents = known.contents().to_vec();
        let terms = &machine.domain.terms;
        let contents = contents
            .into_iter()
            .map(|term| SymbolicValue::of(terms, term));
        let contents = contents.collect();
        let position = match machine.run(validator, contents)? {
            heapwright_ir::machine::MachineOutcome::Returned(_) => continue,
            other => other.point().map(|point| point.position(&subject.program)),
        };
        machine.domain.trail.truncate(length);
        let position = position.unwrap_or_default();
        return Ok(Outcome::AssumptionFailed { position });
    }
    machine.domain.trail.truncate(length);
    Ok(outcome)
}
