//! Which tests take a branch, by going through every run once.
//!
//! Runs are long and branches are many, so nobody looks through all runs for each branch.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_engine::{Branch, Run};
use heapwright_ir::machine::Edge;

/// The tests that take each edge, in order.
pub struct Takers(BTreeMap<Edge, Vec<usize>>);

impl Takers {
    /// Of some runs, which are numbered.
    pub fn new<'r>(runs: impl Iterator<Item = &'r Run>) -> Takers {
        let mut takers: BTreeMap<Edge, Vec<usize>> = BTreeMap::new();
        for (index, run) in runs.enumerate() {
            for &edge in &run.trail {
                let known = takers.entry(edge).or_default();
                if known.last() != Some(&index) {
                    known.push(index);
                }
            }
        }
        Takers(takers)
    }

    /// The numbers of the runs that take an edge.
    pub fn of(&self, edge: Edge) -> &[usize] {
        self.0.get(&edge).map_or(&[], Vec::as_slice)
    }
}

/// Branches by their edges.
pub struct Numbers(BTreeMap<Edge, usize>);

impl Numbers {
    /// Of branches, which are numbered.
    pub fn new(branches: &[Branch]) -> Numbers {
        let branches = branches.iter().enumerate();
        Numbers(branches.map(|(index, known)| (known.edge, index)).collect())
    }

    /// The numbers of the branches that a run takes, in order.
    pub fn taken_by(&self, run: &Run) -> BTreeSet<usize> {
        let edges: BTreeSet<&Edge> = run.trail.iter().collect();
        let numbers = edges.into_iter().filter_map(|edge| self.0.get(edge));
        numbers.copied().collect()
    }
}
