//! Coverage-guided: what is closest to an uncovered branch, then the smallest heap.
//!
//! All candidates of one place of the program (the edge that they take or, where they take none,
//! the block of the decision) are equally far from uncovered branches. So they wait together,
//! ordered by what never changes, and only the places are compared when coverage has changed.
//!
//! The distance alone would be unfair: the head of a loop stays close to the branch behind the
//! loop however often the loop is unrolled. Every candidate that a place hands out therefore puts
//! the place one step further away. There are finitely many places, so each gets its turn after
//! finitely many others; inside a place the smallest heap and then the smallest depth come first,
//! of which there are finitely many as well.

use heapwright_ir::machine::Edge;
use heapwright_ir::{BlockId, FunctionId};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::near_misses::NearMisses;
use super::queue::Queue;
use super::{Candidate, NodeId, Path, Strategy};
use crate::analysis::coverage::Coverage;

/// Every so many candidates, one is chosen by how near its path came to a branch on known
/// numbers.
const NEAR: u32 = 16;
/// Where nothing can ask for any of the branches that are left, every so many are not,
const FAR: u32 = 8;
/// as soon as so many candidates in a row have covered nothing new.
const FRUITLESS: u32 = 24;

/// Closest to an uncovered branch first.
#[derive(Clone, Debug, Default)]
pub struct CoverageGuided {
    places: IndexMap<Location, Waiting, FxBuildHasher>,
    count: usize,
    near: NearMisses,
    /// How many candidates were handed out.
    turn: u32,
    /// The number of branches that were covered when a new one had been covered last, and the
    /// candidates handed out by then.
    covered: (usize, u32),
}

/// What decides how far a candidate is from uncovered branches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Location {
    /// It takes an edge.
    Edge(Edge),
    /// It is decided in a block.
    Block(FunctionId, BlockId),
    /// It is decided before the first block.
    Entry,
}

/// The candidates of a place.
#[derive(Clone, Debug, Default)]
struct Waiting {
    queue: Queue<Size>,
    handed_out: u32,
}

/// The order inside a place: objects, depth, node.
type Size = (u32, u32, NodeId);

impl Location {
    pub(super) fn of(candidate: &Candidate) -> Location {
        match (candidate.edge, candidate.block) {
            (Some(edge), _) => Location::Edge(edge),
            (None, Some((function, block))) => Location::Block(function, block),
            (None, None) => Location::Entry,
        }
    }

    /// How far it is to what is looked for. Being in a block counts as much as an edge that leads
    /// to it, so that the edges that are looked for come before everything else.
    fn distance(self, coverage: &Coverage) -> Option<u32> {
        let distance = match self {
            Location::Edge(edge) => return coverage.distance_of_edge(edge),
            Location::Block(function, block) => coverage.distance(function, block),
            Location::Entry => coverage.distance_of_entry(),
        };
        distance.map(|distance| distance.saturating_add(1))
    }
}

/// Smaller is earlier: places from which nothing new can be reached come last, and neither
/// distance nor fairness matters between them.
fn rank(location: Location, waiting: &Waiting, coverage: &Coverage) -> Option<(bool, u32, Size)> {
    let &size = waiting.queue.first()?;
    Some(match location.distance(coverage) {
        Some(distance) => (false, distance.saturating_add(waiting.handed_out), size),
        None => (true, 0, size),
    })
}

impl Candidate {
    /// How far it is to what is looked for; none if nothing of it can be reached from here.
    pub fn distance(&self, coverage: &Coverage) -> Option<u32> {
        Location::of(self).distance(coverage)
    }
}

impl CoverageGuided {
    /// Whether all branches that are left were missed by known numbers, and never by anything
    /// that could be asked for: how far away they are in the control flow then says little.
    fn is_indirect(&self, coverage: &Coverage) -> bool {
        let indirect = |&edge: &Edge| !self.places.contains_key(&Location::Edge(edge));
        self.near.edges().filter(indirect).count() == coverage.wanted_count()
    }

    /// Takes out the candidate that is closest to an uncovered branch.
    fn closest(&mut self, coverage: &Coverage) -> Option<Candidate> {
        let ranked = self.places.iter_mut().filter_map(|(&location, waiting)| {
            let rank = rank(location, waiting, coverage)?;
            Some((rank, waiting))
        });
        let (_, waiting) = ranked.min_by_key(|&(rank, _)| rank)?;
        waiting.handed_out = waiting.handed_out.saturating_add(1);
        self.count -= 1;
        waiting.queue.pop()
    }
}

impl Strategy for CoverageGuided {
    fn add(&mut self, candidate: Candidate) {
        let size = (candidate.objects, candidate.depth, candidate.node);
        let place = self.places.entry(Location::of(&candidate)).or_default();
        place.queue.push(size, candidate);
        self.count += 1;
    }

    fn passed(&mut self, path: &Path, candidates: &[Candidate]) -> Vec<NodeId> {
        self.near.passed(path, candidates)
    }

    fn explored(&mut self, candidate: Candidate, path: &Path) {
        self.near.explored(candidate, path);
    }

    fn next(&mut self, coverage: &Coverage) -> Option<Candidate> {
        self.turn = self.turn.wrapping_add(1);
        let covered = coverage.covered_count();
        if self.covered.0 != covered {
            self.covered = (covered, self.turn);
        }
        let fruitless = self.turn.wrapping_sub(self.covered.1) > FRUITLESS;
        self.near.forget(coverage);
        let near = match fruitless && self.is_indirect(coverage) {
            true => !self.turn.is_multiple_of(FAR),
            false => self.turn.is_multiple_of(NEAR),
        };
        if near && let Some(candidate) = self.near.next(coverage) {
            // It still waits in its place, and will come again; or it was there before.
            return Some(candidate);
        }
        self.closest(coverage)
    }

    fn len(&self) -> usize {
        self.count
    }

    fn remaining(&self) -> Box<dyn Iterator<Item = &Candidate> + '_> {
        Box::new(
            self.places
                .values()
                .flat_map(|waiting| waiting.queue.iter()),
        )
    }
}
