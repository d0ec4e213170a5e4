//! Breadth first: the shallowest node, in the order in which they were found.

use super::queue::Queue;
use super::{Candidate, NodeId, Strategy};
use crate::analysis::coverage::Coverage;

/// Shallowest first.
#[derive(Clone, Debug, Default)]
pub struct BreadthFirst {
    queue: Queue<(u32, NodeId)>,
}

impl Strategy for BreadthFirst {
    fn add(&mut self, candidate: Candidate) {
        self.queue
            .push((candidate.depth, candidate.node), candidate);
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
