//! Candidates by how near their paths came to uncovered branches that nothing can ask for
//! directly (fitness guidance: Xie, Tillmann, de Halleux and Schulte 2009).
//!
//! Those of the paths that came nearest come first. Which of their decisions has to change nobody
//! knows, so the places of the program take turns; in a place, the alternative that keeps most of
//! its path comes first.

use std::collections::BTreeMap;

use heapwright_ir::machine::Edge;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::coverage_guided::Location;
use super::queue::Queue;
use super::{Candidate, NodeId};
use crate::coverage::Coverage;
use crate::symbolic::Miss;

/// The candidates for each branch that was missed.
#[derive(Clone, Debug, Default)]
pub struct NearMisses {
    edges: IndexMap<Edge, Near, FxBuildHasher>,
}

/// The candidates for one branch, by distance and place.
#[derive(Clone, Debug, Default)]
struct Near {
    classes: BTreeMap<u64, IndexMap<Location, Waiting, FxBuildHasher>>,
    handed_out: u32,
}

#[derive(Clone, Debug, Default)]
struct Waiting {
    queue: Queue<Rank>,
    handed_out: u32,
}

/// Decisions of the path that are given up, objects, depth, node.
type Rank = (u32, u32, u32, NodeId);

impl NearMisses {
    /// A path that missed branches leaves a candidate.
    pub fn add(&mut self, candidate: Candidate, misses: &[Miss]) {
        for miss in misses {
            // What is decided behind a branch has no influence on it.
            let Some(lost) = miss.decisions.checked_sub(candidate.depth) else {
                continue;
            };
            let rank = (lost, candidate.objects, candidate.depth, candidate.node);
            let near = self.edges.entry(miss.edge).or_default();
            let class = near.classes.entry(miss.distance).or_default();
            let place = class.entry(Location::of(&candidate)).or_default();
            place.queue.push(rank, candidate);
        }
    }

    /// The next candidate for an uncovered branch, each branch in its turn.
    pub fn next(&mut self, coverage: &Coverage) -> Option<Candidate> {
        self.edges.retain(|&edge, near| {
            near.classes.retain(|_, class| {
                class.retain(|_, waiting| waiting.queue.len() > 0);
                !class.is_empty()
            });
            !near.classes.is_empty() && coverage.distance_of_edge(edge) == Some(0)
        });
        let near = (self.edges.values_mut()).min_by_key(|near| near.handed_out)?;
        near.handed_out = near.handed_out.saturating_add(1);
        let class = near.classes.first_entry()?.into_mut();
        let place = (class.values_mut())
            .min_by_key(|waiting| (waiting.handed_out, waiting.queue.first().copied()))?;
        place.handed_out = place.handed_out.saturating_add(1);
        place.queue.pop()
    }
}
