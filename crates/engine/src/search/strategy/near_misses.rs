//! Candidates by how near their paths came to uncovered branches that nothing can ask for
//! directly (fitness guidance: Xie, Tillmann, de Halleux and Schulte 2009).
//!
//! Which decision of a path has to change nobody knows beforehand, but it shows: where an
//! alternative at a place of the program led from one path to a nearer one, it gained something,
//! and is likely to gain on other paths as well. So candidates are compared by how far their paths
//! were from the branch, less the average gain of their places; every candidate that a place hands
//! out makes the place a little less attractive, so that each gets its turn. In a place, the
//! alternative that keeps most of its path comes first.
//!
//! A counter that has to reach five often has to be brought from two to three by several
//! decisions, none of which gains anything alone. Therefore paths that come more often by a place
//! where something was gained are better than others, and what is behind the last such place is
//! left for the end.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_ir::machine::Edge;
use heapwright_ir::{BlockId, FunctionId};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::coverage_guided::Location;
use super::queue::Queue;
use super::{Candidate, NodeId, Path};
use crate::analysis::coverage::Coverage;
use crate::path::symbolic::Miss;

/// What one unit of distance is worth, in candidates that were tried in vain.
const UNIT: i64 = 8;
/// What one more visit to a place where something was gained is worth, and how many count.
const VISIT: i64 = 6;
const VISITS: i64 = 8;
/// What an alternative is expected to gain that was never tried.
const CREDIT: i64 = UNIT / 2;
/// What a path has lost that does not come to the branch at all.
const LOST: i64 = 2 * UNIT;

/// The candidates for each branch that was missed.
#[derive(Clone, Debug, Default)]
pub struct NearMisses {
    edges: IndexMap<Edge, Near, FxBuildHasher>,
}

/// The candidates for one branch.
#[derive(Clone, Debug, Default)]
struct Near {
    /// By the costs of their paths, and by place.
    waiting: BTreeMap<i64, IndexMap<SizedLocation, Queue<Rank>, FxBuildHasher>>,
    /// The best path that left a candidate or came by.
    origins: FxHashMap<NodeId, Origin>,
    gains: IndexMap<Location, Gain, FxBuildHasher>,
    /// Candidates of a place that were tried in vain, since a path came nearer.
    in_vain: FxHashMap<SizedLocation, i64>,
    /// The least cost of a path.
    best: Option<i64>,
    handed_out: u32,
}

/// A path that missed the branch.
#[derive(Clone, Debug)]
struct Origin {
    /// Its cost when it was found.
    cost: i64,
    distance: u64,
    /// The blocks of its decisions before the branch.
    blocks: Arc<[(FunctionId, BlockId)]>,
}

/// Where a candidate is decided, and how many objects its inputs have at least: in larger heaps
/// the same alternative may well do what it does not do in smaller ones.
type SizedLocation = (Location, u32);

/// What the alternatives of a place brought, in all.
#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    sum: i64,
    count: i64,
    /// Whether one of them led to a smaller distance.
    useful: bool,
}

impl Gain {
    /// The average; what was never tried has some credit.
    fn average(self) -> i64 {
        self.sum.checked_div(self.count).unwrap_or(CREDIT)
    }
}

/// Decisions of the path that are given up, objects, depth, node.
type Rank = (u32, u32, u32, NodeId);

impl NearMisses {
    /// A path left candidates, or came by. Returns those that no path as near came by before.
    pub fn passed(&mut self, path: &Path, candidates: &[Candidate]) -> Vec<NodeId> {
        let mut nearer = Vec::new();
        for miss in path.misses {
            let near = self.edges.entry(miss.edge).or_default();
            let origin = near.origin(miss, path);
            let cost = origin.cost;
            if near.best.is_none_or(|best| cost < best) {
                near.best = Some(cost);
                near.in_vain.clear();
            }
            for candidate in candidates {
                // What is decided behind a branch has no influence on it.
                let Some(lost) = miss.decisions.checked_sub(candidate.depth) else {
                    continue;
                };
                let known = near.origins.get(&candidate.node);
                if known.is_some_and(|known| known.cost <= cost) {
                    continue;
                }
                nearer.push(candidate.node);
                near.origins.insert(candidate.node, origin.clone());
                let rank = (lost, candidate.objects, candidate.depth, candidate.node);
                let places = near.waiting.entry(cost).or_default();
                let place = (Location::of(candidate), candidate.objects);
                places.entry(place).or_default().push(rank, *candidate);
            }
        }
        nearer
    }

    /// A candidate was explored, and has this path.
    pub fn explored(&mut self, candidate: Candidate, path: &Path) {
        for (edge, near) in &mut self.edges {
            let Some(before) = near.origins.remove(&candidate.node) else {
                continue;
            };
            let missed = path.misses.iter().find(|miss| miss.edge == *edge);
            let after = missed.map(|miss| near.origin(miss, path));
            let cost = near.cost(before.distance, &before.blocks);
            let gained = after.as_ref().map_or(-LOST, |after| cost - after.cost);
            let gain = near.gains.entry(Location::of(&candidate)).or_default();
            gain.sum += gained;
            gain.count += 1;
            gain.useful |= after.is_some_and(|after| after.distance < before.distance);
        }
    }

    /// Forgets branches that are covered, and those that no candidate is left for.
    pub fn forget(&mut self, coverage: &Coverage) {
        self.edges.retain(|&edge, near| {
            near.waiting.retain(|_, places| {
                places.retain(|_, queue| queue.len() > 0);
                !places.is_empty()
            });
            !near.waiting.is_empty() && coverage.distance_of_edge(edge) == Some(0)
        });
    }

    /// The branches that were missed.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        self.edges.keys().copied()
    }

    /// The next candidate for an uncovered branch, each branch in its turn.
    pub fn next(&mut self, coverage: &Coverage) -> Option<Candidate> {
        let near = (self.edges.values_mut()).min_by_key(|near| near.handed_out)?;
        near.handed_out = near.handed_out.saturating_add(1);
        near.next(coverage)
    }
}

impl Near {
    /// The edges where something was gained.
    fn useful(&self) -> impl Iterator<Item = Edge> {
        let useful = self.gains.iter().filter(|(_, gain)| gain.useful);
        useful.filter_map(|(&location, _)| match location {
            Location::Edge(edge) => Some(edge),
            Location::Block(..) | Location::Entry => None,
        })
    }

    fn origin(&self, miss: &Miss, path: &Path) -> Origin {
        let decided = path.decisions.iter().take(miss.decisions as usize);
        let edges = decided.filter_map(|decision| decision.edge);
        let blocks: Arc<[_]> = edges.map(|edge| (edge.function, edge.block)).collect();
        Origin {
            cost: self.cost(miss.distance, &blocks),
            distance: miss.distance,
            blocks,
        }
    }

    /// How far a path is from taking the branch, all in all.
    fn cost(&self, distance: u64, blocks: &[(FunctionId, BlockId)]) -> i64 {
        // What is far away is not told apart by units.
        let units = match distance {
            near @ 0..8 => near as i64,
            far => i64::from(far.ilog2()) + 5,
        };
        // A run that comes more often by places where something can be gained has more to gain.
        let visits = self.useful().map(|edge| {
            let here = blocks
                .iter()
                .filter(|block| **block == (edge.function, edge.block));
            here.count() as i64
        });
        units * UNIT - visits.max().unwrap_or(0).min(VISITS) * VISIT
    }

    fn next(&mut self, coverage: &Coverage) -> Option<Candidate> {
        let useful: Vec<Edge> = self.useful().collect();
        let distances = coverage.distances_to(useful.iter().copied());
        // Behind the last place where something can be gained, nothing can.
        let leads_on = |location: Location| match location {
            _ if useful.is_empty() => true,
            Location::Edge(edge) => useful.contains(&edge) || distances.behind(edge).is_some(),
            Location::Block(function, block) => distances.of_block(function, block).is_some(),
            Location::Entry => true,
        };
        let (gains, in_vain) = (&self.gains, &self.in_vain);
        let places = self.waiting.iter_mut().flat_map(|(&cost, places)| {
            let places = places.iter_mut();
            places.map(move |(&place, queue)| (cost, place, queue))
        });
        let (_, place, queue) = places.min_by_key(|(cost, place, queue)| {
            let gain = gains.get(&place.0).copied().unwrap_or_default().average();
            let in_vain = in_vain.get(place).copied().unwrap_or(0);
            let expected = cost - gain + in_vain;
            (!leads_on(place.0), expected, *cost, queue.first().copied())
        })?;
        *self.in_vain.entry(place).or_default() += 1;
        queue.pop()
    }
}
