//! The smallest heap first: what is left behind is what only larger inputs reach.

use super::queue::Queue;
use super::{Candidate, NodeId, Strategy};
use crate::analysis::coverage::Coverage;

/// Fewest objects first, then the fewest decisions.
#[derive(Clone, Debug, Default)]
pub struct SmallestHeap {
    queue: Queue<(u32, u32, NodeId)>,
}

impl Strategy for SmallestHeap {
    fn add(&mut self, candidate: Candidate) {
        let key = (candidate.objects, candidate.depth, candidate.node);
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
