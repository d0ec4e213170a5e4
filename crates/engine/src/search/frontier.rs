//! The frontier of the constraint tree: what waits to be explored, and what comes next.
//!
//! While branches are uncovered, the strategy decides. When all are covered, alternatives that
//! make the program fail are still tried. When the strategy has found nothing new for a long
//! time, the smallest heaps come first, so that the search can at least say up to which size
//! nothing takes a branch.

use crate::analysis::coverage::Coverage;
use crate::options::Options;
use crate::path::decision::Decision;
use crate::search::constraint_tree::ConstraintTree;
use crate::search::fault_goals::FaultGoals;
use crate::search::strategy::{Candidate, NodeId, Path, SmallestHeap, Strategy, strategy};

/// So many paths in a row that cover nothing new are a few.
const STALE: u64 = 20;

/// The unexplored nodes.
pub struct Frontier {
    strategy: Box<dyn Strategy + Send>,
    faults: FaultGoals,
    /// Paths explored since a branch was covered for the first time, or since the smallest heaps
    /// come first.
    fruitless: u64,
    closing: bool,
}

impl Frontier {
    /// Nothing to explore yet.
    pub fn new(options: &Options) -> Frontier {
        Frontier {
            strategy: strategy(options.strategy, options.seed),
            faults: FaultGoals::default(),
            fruitless: 0,
            closing: false,
        }
    }

    /// A node has become available.
    pub fn add(&mut self, candidate: Candidate, decision: Option<&Decision>) {
        self.strategy.add(candidate);
        if let Some(decision) = decision {
            self.faults.add(decision, candidate);
        }
    }

    /// A path left nodes, or came by. Returns those that no path as near came by before.
    pub fn passed(&mut self, path: &Path, candidates: &[Candidate]) -> Vec<NodeId> {
        self.strategy.passed(path, candidates)
    }

    /// A node was explored, and this is its path.
    pub fn learn(&mut self, candidate: Candidate, path: &Path) {
        self.strategy.explored(candidate, path);
    }

    /// A path came nearer to an uncovered branch than any other before.
    pub fn came_nearer(&mut self) {
        self.fruitless = 0;
    }

    /// A path was explored.
    pub fn explored(&mut self, decisions: &[Decision], covered_something: bool) {
        for decision in decisions {
            self.faults.reach(decision);
        }
        match covered_something {
            true => self.fruitless = 0,
            false => self.fruitless += 1,
        }
    }

    /// The nodes of the next batch.
    pub fn pick(
        &mut self,
        size: usize,
        tree: &ConstraintTree,
        coverage: &Coverage,
    ) -> Vec<Candidate> {
        let mut batch = Vec::with_capacity(size);
        while batch.len() < size
            && let Some(candidate) = self.strategy.next(coverage)
        {
            // A test from the specification may have been there in the meantime, and strategies
            // may hand out a node twice.
            let known = batch
                .iter()
                .any(|known: &Candidate| known.node == candidate.node);
            if tree.is_open(candidate.node) && !known {
                batch.push(candidate);
            }
        }
        batch
    }

    /// Alternatives that make the program fail, at places where it has not failed yet.
    pub fn pick_faults(&mut self, size: usize, tree: &ConstraintTree) -> Vec<Candidate> {
        let mut batch = Vec::with_capacity(size);
        while batch.len() < size
            && let Some(candidate) = self.faults.next(|known| tree.is_open(known.node))
        {
            batch.push(candidate);
        }
        batch
    }

    /// Whether so many paths in a row brought nothing new.
    pub fn is_fruitless(&self, patience: u64) -> bool {
        self.fruitless >= patience
    }

    /// Whether the smallest heaps come first, which is the last that is tried.
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// From here on the smallest heaps come first, until that is in vain as well.
    pub fn close(&mut self, tree: &ConstraintTree) {
        self.smallest_first(tree);
        self.closing = true;
        self.fruitless = 0;
    }

    /// More can be explored than before: what was in vain so far no longer counts.
    pub fn widen(&mut self, candidates: Vec<Candidate>, tree: &ConstraintTree) {
        self.fruitless = 0;
        for candidate in candidates {
            self.add(candidate, tree.decision(candidate.node));
        }
    }

    /// From here on the smallest heaps come first.
    pub fn smallest_first(&mut self, tree: &ConstraintTree) {
        let mut smallest = SmallestHeap::default();
        for &candidate in self.remaining(tree) {
            smallest.add(candidate);
        }
        self.strategy = Box::new(smallest);
    }

    /// Whether the last few paths brought nothing new.
    pub fn is_stale(&self) -> bool {
        self.fruitless >= STALE
    }

    /// The number of nodes that wait.
    pub fn len(&self) -> usize {
        self.strategy.len()
    }

    /// The nodes that wait, those that the strategy would never explore included.
    pub fn remaining<'a>(
        &'a self,
        tree: &'a ConstraintTree,
    ) -> impl Iterator<Item = &'a Candidate> {
        (self.strategy.remaining()).filter(|candidate| tree.is_open(candidate.node))
    }
}
