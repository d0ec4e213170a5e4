//! Iterative deepening: depth first down to a bound, which grows when nothing is left above it.
//!
//! The tree is kept, so nothing is explored twice. The search gets deep where depth first would,
//! but an endless loop cannot keep it from the rest of the tree.

use super::breadth_first::BreadthFirst;
use super::depth_first::DepthFirst;
use super::{Candidate, Strategy};
use crate::analysis::coverage::Coverage;

/// By how much the bound grows, and where it begins.
const STEP: u32 = 8;

/// Deepest first down to a bound that grows.
#[derive(Clone, Debug)]
pub struct IterativeDeepening {
    step: u32,
    bound: u32,
    admitted: DepthFirst,
    deeper: BreadthFirst,
}

impl IterativeDeepening {
    /// With a bound that begins with a step and grows by it; at least 1.
    pub fn with_step(step: u32) -> Self {
        let step = step.max(1);
        IterativeDeepening {
            step,
            bound: step,
            admitted: DepthFirst::default(),
            deeper: BreadthFirst::default(),
        }
    }

    /// Raises the bound until it admits the shallowest node that waits, if any.
    fn deepen(&mut self, coverage: &Coverage) {
        while let Some(candidate) = self.deeper.next(coverage) {
            if candidate.depth > self.bound {
                if !self.admitted.is_empty() {
                    self.deeper.add(candidate);
                    return;
                }
                let missing = (candidate.depth - self.bound).div_ceil(self.step);
                let growth = missing.saturating_mul(self.step);
                self.bound = self.bound.saturating_add(growth);
            }
            self.admitted.add(candidate);
        }
    }
}

impl Default for IterativeDeepening {
    fn default() -> Self {
        IterativeDeepening::with_step(STEP)
    }
}

impl Strategy for IterativeDeepening {
    fn add(&mut self, candidate: Candidate) {
        if candidate.depth <= self.bound {
            self.admitted.add(candidate);
        } else {
            self.deeper.add(candidate);
        }
    }

    fn next(&mut self, coverage: &Coverage) -> Option<Candidate> {
        if self.admitted.is_empty() {
            self.deepen(coverage);
        }
        self.admitted.next(coverage)
    }

    fn len(&self) -> usize {
        self.admitted.len() + self.deeper.len()
    }

    fn remaining(&self) -> Box<dyn Iterator<Item = &Candidate> + '_> {
        Box::new(self.admitted.remaining().chain(self.deeper.remaining()))
    }
}
