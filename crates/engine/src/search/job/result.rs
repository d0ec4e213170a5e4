//! What a job found, and how much work it was.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use heapwright_ir::machine::Missing;
use heapwright_logic::ClassId;

use super::Context;
use crate::input::Input;
use crate::path::decision::Decision;
use crate::path::symbolic::{Fork, Miss};
use crate::report::{Limit, Run};

/// What a job found.
#[derive(Debug, Default)]
pub struct JobResult {
    /// The decisions of the path.
    pub decisions: Vec<Decision>,
    /// Alternatives to explore.
    pub forks: Vec<Fork>,
    /// Branches that the path nearly took.
    pub misses: Vec<Miss>,
    /// Inputs of the path, each with its run; more than one only if that was asked for.
    pub tests: Vec<(Input, Run)>,
    /// Whether no input takes the prefix.
    pub infeasible: bool,
    /// What leaves a part of the tree below the prefix unexplored, with the number of objects
    /// that every input there has at least.
    pub open: Vec<(Limit, u32)>,
    /// The bound that ended the run before the end of its path, with the number of objects that
    /// every input behind it has at least.
    pub short: Option<(Limit, u32)>,
    /// Classes whose objects were taken to be of no subclass that is not known.
    pub extended_by_none: BTreeSet<ClassId>,
    /// Classes of references that only some of the objects were tried for that they could lead to.
    pub tried_in_part: BTreeSet<ClassId>,
    /// What a run called and is not there.
    pub unknown: Option<Missing>,
    /// How much work it was.
    pub effort: JobStatistics,
}

impl JobResult {
    /// A run called something that is not there: its path ends here if nobody can supply it.
    pub(super) fn missing(&mut self, context: &Context, missing: Missing, objects: u32) {
        if context.missing.contains(&missing) {
            self.open.push((Limit::Unsupported, objects));
        } else {
            self.unknown = Some(missing);
        }
    }

    /// Takes out the bound that keeps everything out that is below the prefix, if one does.
    pub fn take_kept_out(&mut self) -> Option<(Limit, u32)> {
        let is_alone = self.tests.is_empty() && self.decisions.is_empty() && !self.infeasible;
        let kept_out =
            |&&(limit, _): &&(Limit, u32)| matches!(limit, Limit::Objects | Limit::Solver);
        match (is_alone, &self.open[..]) {
            (true, [only]) => {
                let found = Some(only).filter(kept_out).copied();
                if found.is_some() {
                    self.open.clear();
                }
                found
            }
            _ => None,
        }
    }

    /// The job itself failed: nothing is known about what lies below the prefix.
    pub fn panicked() -> JobResult {
        let mut result = JobResult::default();
        result.effort.panics = 1;
        result.open.push((Limit::Panic, 0));
        result
    }

    /// A run left its path: nothing is known about what lies below the prefix.
    pub(super) fn diverged(&mut self) {
        self.effort.divergences += 1;
        self.open.push((Limit::Divergence, 0));
    }
}

/// How much work a job was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobStatistics {
    /// Alternatives that turned out to be infeasible on the way.
    pub infeasible: u64,
    /// Questions that the solver did not decide.
    pub unknown: u64,
    /// The work of its questions, as the solver counts it.
    pub work: u64,
    /// Bounds that kept alternatives out.
    pub cut: BTreeMap<Limit, u64>,
    /// Runs that left their path.
    pub divergences: u64,
    /// Whether the job failed: a bug of the engine.
    pub panics: u64,
    /// Inputs that violate the precondition.
    pub invalid: u64,
    /// Inputs that the predicate of the class accepts, as they were or completed in another way.
    pub accepted: u64,
    /// Inputs that it rejects, however they are completed, and why it rejects the first.
    pub rejected: u64,
    pub rejection: Option<String>,
    /// Inputs of which the oracle cannot say whether the precondition holds.
    pub undecided: u64,
    /// Questions to the solver.
    pub calls: u64,
    /// Questions answered by a known model.
    pub hits: u64,
    /// Time spent in solving.
    pub solving: Duration,
    /// Time spent in all.
    pub total: Duration,
}
