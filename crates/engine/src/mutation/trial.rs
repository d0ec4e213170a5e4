//! Runs of changed programs, beside those of the program as it is.

use std::collections::BTreeSet;

use heapwright_ir::machine::{Budgets, ProgramPoint};
use heapwright_ir::{FunctionId, Program};
use heapwright_logic::Deadline;
use rustc_hash::FxHashSet;

use super::apply::apply;
use super::mutant::Mutant;
use super::observation::{Ending, Observed, Seen, differences, differs, observe};
use crate::check::replay::Conditions;
use crate::check::steadiness::ENVIRONMENTS;
use crate::input::Input;
use crate::subject::Subject;

/// A changed program that takes so many times the steps of the original, and these, is taken to hang.
const MORE_STEPS: u64 = 8;
const STEPS: u64 = 2_000;

/// What a run costs besides its steps: setting the memory up, and comparing.
const RUN: u64 = 150;
/// The same for each object of the input.
const OBJECT: u64 = 10;

/// The run of an input in the program as it is, and what a test of it asserts.
pub(super) struct Expected {
    seen: Seen,
    /// What differs from run to run, so that no test asserts it.
    vague: BTreeSet<Observed>,
}

impl Expected {
    /// Whether a test of it can fail for a reason: it returns or throws.
    pub(super) fn is_asserted(&self) -> bool {
        matches!(self.seen.ending, Ending::Returned | Ending::Threw(_))
    }

    /// Where the run has been.
    pub(super) fn has_been_at(&self, point: ProgramPoint) -> bool {
        self.seen.points.contains(&point)
    }

    /// The functions of the run.
    pub(super) fn functions(&self) -> FxHashSet<FunctionId> {
        self.seen
            .points
            .iter()
            .map(|point| point.function)
            .collect()
    }
}

/// Executes mutants, and counts the work.
pub(super) struct Trials<'s> {
    subject: &'s Subject,
    program: Program,
    budgets: Budgets,
    deadline: Deadline,
    /// The work that was done.
    pub(super) work: u64,
}

impl<'s> Trials<'s> {
    pub(super) fn new(subject: &'s Subject, budgets: Budgets, deadline: Deadline) -> Trials<'s> {
        Trials {
            subject,
            program: Program::clone(&subject.program),
            budgets,
            deadline,
            work: 0,
        }
    }

    /// Whether somebody wants an end.
    pub(super) fn is_over(&self) -> bool {
        self.deadline.is_over()
    }

    /// Runs an input in the program as it is. `None` if it cannot be run, or goes another way in
    /// another environment.
    pub(super) fn expect(&mut self, input: &Input) -> Option<Expected> {
        let mut seen = self.run(input, self.budgets, &Conditions::default(), true)?;
        seen.points
            .retain(|point| self.subject.is_under_test(point.function));
        let mut vague = BTreeSet::new();
        if seen.may_vary {
            let platforms = [1, -1].map(|off_by| Conditions {
                off_by,
                ..Conditions::default()
            });
            let environments = ENVIRONMENTS.map(|seed| Conditions {
                seed: Some(seed),
                ..Conditions::default()
            });
            for conditions in platforms.into_iter().chain(environments) {
                let other = self.run(input, self.budgets, &conditions, false)?;
                vague.extend(differences(self.subject, input, &seen, &other)?);
            }
        }
        Some(Expected { seen, vague })
    }

    /// Which of some mutants a test notices. Those that its run does not come by it does not.
    pub(super) fn killed(
        &mut self,
        input: &Input,
        expected: &Expected,
        mutants: &[(usize, Mutant)],
    ) -> Vec<usize> {
        let mut killed = Vec::new();
        if !expected.is_asserted() {
            return killed;
        }
        let budgets = Budgets {
            steps: (expected.seen.steps)
                .saturating_mul(MORE_STEPS)
                .saturating_add(STEPS),
            ..self.budgets
        };
        for (number, mutant) in mutants {
            if !expected.has_been_at(mutant.point) || self.is_over() {
                continue;
            }
            let index = mutant.point.function.index();
            let Some(function) = self.program.functions.get(index) else {
                continue;
            };
            let Some(mut changed) = apply(function, mutant) else {
                continue;
            };
            let Some(place) = self.program.functions.get_mut(index) else {
                continue;
            };
            std::mem::swap(place, &mut changed);
            let found = self.run(input, budgets, &Conditions::default(), false);
            if let Some(place) = self.program.functions.get_mut(index) {
                *place = changed;
            }
            // What cannot be run any more, nobody knows anything about.
            let Some(found) = found.filter(|found| found.ending != Ending::Excluded) else {
                continue;
            };
            if differs(self.subject, input, &expected.seen, &found, &expected.vague) {
                killed.push(*number);
            }
        }
        killed
    }

    fn run(
        &mut self,
        input: &Input,
        budgets: Budgets,
        conditions: &Conditions,
        remembers: bool,
    ) -> Option<Seen> {
        let conditions = Conditions {
            deadline: self.deadline.clone(),
            ..conditions.clone()
        };
        let program = &self.program;
        let seen = observe(
            self.subject,
            program,
            input,
            budgets,
            &conditions,
            remembers,
        );
        let seen = seen.ok();
        let steps = seen.as_ref().map_or(0, |seen| seen.steps);
        self.work += RUN + OBJECT * input.heap.cells.len() as u64 + steps;
        seen
    }
}
