//! Strategies: which unexplored alternative of the constraint tree comes next.
//!
//! A strategy sees candidates, not paths; it may be given them in any number and is asked for
//! one at a time. All strategies are deterministic: the same calls give the same answers.

mod breadth_first;
mod coverage_guided;
mod depth_bounded;
mod depth_first;
mod iterative_deepening;
mod near_misses;
mod queue;
mod random;
mod smallest_heap;

use heapwright_ir::machine::Edge;

use crate::analysis::coverage::Coverage;
use crate::options::StrategyKind;
use crate::path::decision::Decision;
use crate::path::symbolic::Miss;

pub use breadth_first::BreadthFirst;
pub use coverage_guided::CoverageGuided;
pub use depth_bounded::DepthBounded;
pub use depth_first::DepthFirst;
pub use iterative_deepening::IterativeDeepening;
pub use random::{Generator, Random};
pub use smallest_heap::SmallestHeap;

/// Identifies a node of the constraint tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// An unexplored node, as strategies see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The node. Later nodes have larger ids.
    pub node: NodeId,
    /// Decisions above it.
    pub depth: u32,
    /// Objects of the input that its path has materialised, this decision included.
    pub objects: u32,
    /// The edge that the alternative takes, if it decides one.
    pub edge: Option<Edge>,
    /// Where the decision was taken: function and block.
    pub block: Option<(heapwright_ir::FunctionId, heapwright_ir::BlockId)>,
}

/// A path that was explored, as strategies see it.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    /// Its decisions.
    pub decisions: &'a [Decision],
    /// Branches that it nearly took.
    pub misses: &'a [Miss],
}

/// An order of exploration.
pub trait Strategy {
    /// A node has become available.
    fn add(&mut self, candidate: Candidate);

    /// A path left nodes, or came by. Returns those that no path came by before that was as near
    /// to branches that are looked for.
    fn passed(&mut self, path: &Path, candidates: &[Candidate]) -> Vec<NodeId> {
        let _ = (path, candidates);
        Vec::new()
    }

    /// A node was explored, and this is its path.
    fn explored(&mut self, candidate: Candidate, path: &Path) {
        let _ = (candidate, path);
    }

    /// Takes the next node out, perhaps not for the first time; none if nothing is left that the strategy would explore.
    fn next(&mut self, coverage: &Coverage) -> Option<Candidate>;

    /// The nodes that are left.
    fn len(&self) -> usize;

    /// Whether nothing is left.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nodes that are left, in any order: those that a strategy would never explore too.
    fn remaining(&self) -> Box<dyn Iterator<Item = &Candidate> + '_>;
}

/// The strategy of a kind. The seed decides what the random one does.
pub fn strategy(kind: StrategyKind, seed: u64) -> Box<dyn Strategy + Send> {
    match kind {
        StrategyKind::DepthFirst => Box::new(DepthFirst::default()),
        StrategyKind::BreadthFirst => Box::new(BreadthFirst::default()),
        StrategyKind::IterativeDeepening => Box::new(IterativeDeepening::default()),
        StrategyKind::DepthBounded(bound) => Box::new(DepthBounded::new(bound)),
        StrategyKind::Coverage => Box::new(CoverageGuided::default()),
        StrategyKind::Random => Box::new(Random::new(seed)),
    }
}
