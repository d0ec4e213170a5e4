//! Depth first: the deepest node, siblings in their order.
//!
//! As long as one node at a time is explored this is the order of a stack. With several at a time
//! it still does not depend on which of them comes back first.

use std::cmp::Reverse;

use super::queue::Queue;
use super::{Candidate, NodeId, Strategy};
use crate::analysis::coverage::Coverage;

/// Deepest first.
#[derive(Clone, Debug, Default)]
pub struct DepthFirst {
    queue: Queue<(Reverse<u32>, NodeId)>,
}

impl Strategy for DepthFirst {
    fn add(&mut self, candidate: Candidate) {
        let key = (Reverse(candidate.depth), candidate.node);
        self.queue.push(key, candidate);
    }

    fn next(&mut self, _: &Coverage) -> Option<Candidate> {
        self.queue.pop()
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn remaining(&self) -> Box<dyn Iterator<Item = &Candidate> + '_> {
        Box::new(self.queue.iter())
    }
}
