//! A program that grows while it is explored, and what has to be found out about it each time.
//!
//! Runs call what a front end has not translated yet. It is asked for the missing parts, and the
//! same tasks are done again; what was covered stays covered, since ids never change.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_ir::machine::Missing;
use heapwright_ir::{FunctionId, GlobalId, Operand};

use super::{ExploreError, Search};
use crate::analysis::coverage::Coverage;
use crate::analysis::nullness::infeasible_edges;
use crate::options::{Mode, Options};
use crate::report::Limit;
use crate::search::job::{Context, JobResult};
use crate::search::workers::Task;
use crate::subject::Subject;

/// Literals of the code under test that inputs are tried with.
const LITERALS: usize = 256;

impl Search<'_> {
    /// Does tasks, and gives runs what they turn out to need.
    pub(super) fn explore(&mut self, tasks: Vec<Task>) -> Result<Vec<JobResult>, ExploreError> {
        loop {
            let results =
                self.workers
                    .explore(&self.context, tasks.clone(), &self.coverage, &self.deadline);
            let unknown = results.iter().filter_map(|result| result.unknown.clone());
            let unknown: BTreeSet<Missing> = unknown.collect();
            if !unknown.is_empty() && self.context.is_late() {
                self.analyse();
                return Ok(given_up(results, self.context.ending()));
            }
            if !unknown.is_empty() {
                self.grow_further(unknown)?;
                continue;
            }
            // Jobs that choose among branches depend on which of them are known to be infeasible.
            let is_guided = !matches!(
                self.context.options.mode,
                Mode::Concolic | Mode::Specification
            );
            if !(self.analyse() && is_guided) {
                return Ok(results);
            }
        }
    }

    /// Finds out which branches are infeasible, if the program has grown since that was last
    /// known. Whether any are.
    fn analyse(&mut self) -> bool {
        let is_known = std::mem::replace(&mut self.is_analysed, true);
        !is_known && rule_out(&self.context.subject, Arc::make_mut(&mut self.coverage))
    }

    /// Lets the program grow, and knows its branches as well as before.
    pub(super) fn grow(&mut self, unknown: BTreeSet<Missing>) -> Result<(), ExploreError> {
        self.grow_further(unknown)?;
        self.analyse();
        Ok(())
    }

    /// Lets the program grow by what runs have called, or takes down that there is no such thing.
    /// Which of its branches are infeasible is left open: that takes as long as the program is
    /// large, and the next run may call for more.
    fn grow_further(&mut self, unknown: BTreeSet<Missing>) -> Result<(), ExploreError> {
        let functions: BTreeSet<FunctionId> =
            unknown.iter().filter_map(Missing::function).collect();
        // Whatever was asked for once and is still not there will never be.
        let new = functions.iter().any(|&id| self.asked.insert(id));
        let Some(subject) = new.then(|| self.supplier.supply(&functions)).flatten() else {
            Arc::make_mut(&mut self.context).missing.extend(unknown);
            return Ok(());
        };
        let options = &self.context.options;
        let (mut context, worker) = Context::new(subject, options, &self.deadline);
        context.extent = self.context.extent;
        context.missing = self.context.missing.clone();
        context.generation = self.context.generation + 1;
        self.workers.employ(context.generation, worker);
        let mut coverage = branches_of(&context.subject, options)?;
        context.literals = literals_under_test(&context.subject, &coverage);
        self.is_analysed = false;
        for (index, test) in self.report.tests.iter().enumerate() {
            for edge in test.run.edges() {
                coverage.cover(edge, index);
            }
        }
        self.coverage = Arc::new(coverage);
        self.context = Arc::new(context);
        Ok(())
    }
}

/// The branches of a subject, without those that are known to be infeasible.
pub(crate) fn coverage_of(subject: &Subject, options: &Options) -> Result<Coverage, ExploreError> {
    let mut coverage = branches_of(subject, options)?;
    rule_out(subject, &mut coverage);
    Ok(coverage)
}

/// The branches of a subject.
pub(super) fn branches_of(subject: &Subject, options: &Options) -> Result<Coverage, ExploreError> {
    let (program, function) = (&subject.program, subject.function);
    let mut coverage = Coverage::within(program, function, subject.scope.as_deref());
    if let Some(place) = &options.reach {
        coverage.aim(program, place).map_err(ExploreError::NoCode)?;
    }
    Ok(coverage)
}

/// The literals that the code under test uses, in a fixed order.
pub(super) fn literals_under_test(subject: &Subject, coverage: &Coverage) -> Vec<GlobalId> {
    let program = &subject.program;
    let under_test = (coverage.functions().iter()).filter(|&&id| subject.is_under_test(id));
    let functions = under_test.filter_map(|id| program.functions.get(id.index()));
    let blocks = functions.flat_map(|function| &function.blocks);
    let instructions = blocks.flat_map(|block| &block.instructions);
    let mut found = BTreeSet::new();
    for instruction in instructions {
        for operand in instruction.operation.operands() {
            if let Operand::Global(global) = operand
                && subject.literals.contains_key(&global)
            {
                found.insert(global);
            }
        }
    }
    found.into_iter().take(LITERALS).collect()
}

#[cfg(test)]
thread_local! {
    /// How often a program was analysed as a whole.
    pub(super) static ANALYSES: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Leaves out the branches that are known to be infeasible; whether there are any.
pub(super) fn rule_out(subject: &Subject, coverage: &mut Coverage) -> bool {
    #[cfg(test)]
    ANALYSES.set(ANALYSES.get() + 1);
    let scope = subject.scope.as_deref();
    let functions = coverage.functions();
    let edges = infeasible_edges(&subject.program, subject.function, functions, scope);
    let ruled_out = edges.into_iter().filter(|&edge| coverage.rule_out(edge));
    ruled_out.count() > 0
}

/// Where the program should have grown and there is no time for it, nothing was explored.
fn given_up(mut results: Vec<JobResult>, limit: Limit) -> Vec<JobResult> {
    for result in &mut results {
        if result.unknown.take().is_some() {
            result.open.push((limit, 0));
        }
    }
    results
}
