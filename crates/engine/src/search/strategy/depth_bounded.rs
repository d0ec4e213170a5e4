//! Depth first, but nothing below a depth.

use super::{Candidate, DepthFirst, Strategy};
use crate::analysis::coverage::Coverage;

/// Deepest first among those that are not deeper than the bound. The others stay.
#[derive(Clone, Debug)]
pub struct DepthBounded {
    bound: u32,
    admitted: DepthFirst,
    deeper: Vec<Candidate>,
}

impl DepthBounded {
    /// Nodes with at most this many decisions above them are explored.
    pub fn new(bound: u32) -> Self {
        DepthBounded {
            bound,
            admitted: DepthFirst::default(),
            deeper: Vec::new(),
        }
    }
}

impl Strategy for DepthBounded {
    fn add(&mut self, candidate: Candidate) {
        if candidate.depth <= self.bound {
            self.admitted.add(candidate);
        } else {
            self.deeper.push(candidate);
        }
    }

    fn next(&mut self, coverage: &Coverage) -> Option<Candidate> {
        self.admitted.next(coverage)
    }

    fn len(&self) -> usize {
        self.admitted.len() + self.deeper.len()
    }

    fn remaining(&self) -> Box<dyn Iterator<Item = &Candidate> + '_> {
        Box::new(self.admitted.remaining().chain(&self.deeper))
    }
}
