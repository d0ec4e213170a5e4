//! A closer look where it is said what a call has to leave behind.
//!
//! Coverage asks for branches, and a postcondition that is wrong for two nodes need not have a
//! branch that tells two nodes from one. So the search goes on for a while when it would have
//! ended: on all small valid inputs, then on the alternatives with the smallest heaps. Of these
//! runs only those become tests that fail or do something new.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_ir::machine::MachineError;

use super::{ExploreError, Progress, Search};
use crate::check::replay::{Conditions, replay_under};
use crate::check::steadiness::{Steadiness, steadiness};
use crate::input::Input;
use crate::input::specification::small_inputs;
use crate::options::Mode;
use crate::report::{Limit, Origin, Run, StopReason};
use crate::search::strategy::Candidate;

/// Inputs have up to so many objects more than the smallest valid ones.
const MORE_OBJECTS: u32 = 3;

/// Objects of each class where a predicate of the program says which inputs are valid.
const SCOPE: u32 = 3;

/// Partial structures that are looked at for the sake of valid ones.
const PARTIAL: u64 = 50_000;

/// Alternatives that are explored at once.
const AT_ONCE: usize = 2;

/// Every alternative is a question to the solver, which is worth that many inputs.
const INPUTS_PER_NODE: usize = 4;

impl Search<'_> {
    /// Tries further inputs for the sake of what is checked after calls, if anything is.
    pub(super) fn check_further(
        &mut self,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<(), ExploreError> {
        let options = &self.context.options;
        let most = options.bounds.checks;
        let stop = self.report.stop;
        let goes_on = match stop {
            StopReason::Covered | StopReason::Exhausted => true,
            StopReason::Limit(limit) => limit == Limit::Patience,
            StopReason::Reached | StopReason::Unsatisfiable => false,
        };
        // The other modes say themselves which inputs they look at.
        let by_predicate = matches!(options.mode, Mode::Blackbox | Mode::Whitebox);
        let is_guided = by_predicate || matches!(options.mode, Mode::Concolic | Mode::Symbolic);
        let is_wanted = self.context.subject.has_checks() && options.reach.is_none();
        if most == 0 || !goes_on || !is_guided || !is_wanted || self.limit().is_some() {
            return Ok(());
        }
        let scope = SCOPE.min(options.structures.scope);
        self.only_news = true;
        let subject = Arc::clone(&self.context.subject);
        let mut objects = MORE_OBJECTS + 1;
        let inputs = usize::try_from(most).unwrap_or(usize::MAX);
        if by_predicate || subject.precondition.is_none() {
            // What this leaves out the search has looked at in its own way.
            let open = self.open.clone();
            self.small_structures(scope, (most, PARTIAL), observer)?;
            self.open = open;
        } else {
            let inputs = small_inputs(&subject, MORE_OBJECTS, inputs, &self.deadline);
            let sizes = inputs.iter().map(|input| input.heap.cells.len() as u32);
            objects = sizes.max().unwrap_or(objects);
            for input in inputs {
                if self.is_late() {
                    break;
                }
                self.try_input(input)?;
            }
            observer(&self.progress());
        }
        if stop == StopReason::Covered {
            self.try_alternatives(inputs / INPUTS_PER_NODE, objects, observer)?;
        }
        self.report.checked.cut_short |= self.is_late();
        Ok(())
    }

    /// Goes on if the closer look has brought in code that was not known before.
    pub(super) fn search_again(
        &mut self,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<(), ExploreError> {
        if self.report.stop == StopReason::Covered && !self.coverage.all_covered() {
            self.only_news = false;
            self.report.stop = self.run(observer)?;
        }
        Ok(())
    }

    /// Whether the closer look has to end.
    fn is_late(&self) -> bool {
        self.limit().is_some() || self.deadline.is_over()
    }

    /// Runs a valid input.
    fn try_input(&mut self, input: Input) -> Result<(), ExploreError> {
        let budgets = self.context.options.budgets;
        let conditions = Conditions {
            deadline: self.deadline.clone(),
            ..Conditions::default()
        };
        loop {
            let subject = Arc::clone(&self.context.subject);
            match replay_under(&subject, &input, budgets, conditions.clone()) {
                Ok(run) => match steadiness(&subject, &input, &run, budgets, conditions.clone()) {
                    Steadiness::Steady => self.add_test(input, run, Origin::SmallScope, &[]),
                    Steadiness::Missing(missing) if !self.context.missing.contains(&missing) => {
                        self.grow(BTreeSet::from([missing]))?;
                        continue;
                    }
                    Steadiness::DependsOn(_) | Steadiness::Missing(_) => {}
                },
                Err(MachineError::Missing(missing)) if !self.context.missing.contains(&missing) => {
                    self.grow(BTreeSet::from([missing]))?;
                    continue;
                }
                Err(MachineError::Missing(_) | MachineError::Interrupted) => {}
                Err(_) => self.report.statistics.divergences += 1,
            }
            return Ok(());
        }
    }

    /// Explores up to so many alternatives that no path has taken, smallest heaps first, and none
    /// that needs more than so many objects.
    fn try_alternatives(
        &mut self,
        most: usize,
        objects: u32,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<(), ExploreError> {
        self.frontier.smallest_first(&self.tree);
        let usual = self.context.extent.objects;
        self.bound_objects(objects.min(usual));
        let unknown = self.report.statistics.unknown;
        for _ in 0..most / AT_ONCE {
            // Where the solver does not know one answer, it takes long over the others as well.
            if self.is_late() || self.report.statistics.unknown > unknown {
                break;
            }
            let picked = self.frontier.pick(AT_ONCE, &self.tree, &self.coverage);
            let (batch, large): (Vec<Candidate>, Vec<Candidate>) =
                (picked.into_iter()).partition(|candidate| candidate.objects <= objects);
            // They wait on, as all those behind them do.
            for candidate in large {
                self.frontier.add(candidate, None);
            }
            if batch.is_empty() {
                break;
            }
            self.explore_nodes(&batch, observer)?;
        }
        self.bound_objects(usual);
        Ok(())
    }

    fn bound_objects(&mut self, objects: u32) {
        let context = Arc::make_mut(&mut self.context);
        context.extent.objects = objects;
    }

    /// Whether a run fails, takes a branch that no test takes, or throws what none throws.
    pub(super) fn is_news(&self, run: &Run) -> bool {
        let mut edges = run.edges();
        let covers = |edge| (self.coverage.get(edge)).is_some_and(|known| known.test.is_none());
        run.fails()
            || edges.any(covers)
            || !(self.report.tests.iter()).any(|test| test.run.outcome == run.outcome)
    }
}
