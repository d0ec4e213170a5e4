//! Branches that a run only just did not take.
//!
//! A branch whose condition does not depend on the input directly, such as one on a counter, has
//! no alternative that could be asked for: other decisions before it have to change the numbers.
//! How far apart they were tells which paths are near.

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::{Edge, Question, Site, Successor};
use heapwright_ir::{BlockId, FunctionId};
use rustc_hash::FxHashMap;

/// An edge that a run could not take, and how far the numbers that decided were apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Miss {
    /// The edge.
    pub edge: Edge,
    /// The smallest difference of the numbers that were compared.
    pub distance: u64,
    /// The decisions that the run had taken by then: later ones make no difference.
    pub decisions: u32,
}

/// The misses of a run.
#[derive(Clone, Debug, Default)]
pub struct Misses {
    /// The last comparison of known numbers: where it was, and how far they were apart.
    last: Option<(FunctionId, BlockId, u64)>,
    nearest: FxHashMap<Edge, (u64, u32)>,
}

impl Misses {
    /// Two known values are compared in a block.
    pub fn compare(&mut self, function: FunctionId, block: BlockId, a: Concrete, b: Concrete) {
        self.last = match (a, b) {
            (Concrete::Int(a), Concrete::Int(b)) => {
                let apart = u64::try_from(a.abs_diff(b)).unwrap_or(u64::MAX);
                Some((function, block, apart))
            }
            _ => None,
        };
    }

    /// A branch is decided by what is known, after so many decisions.
    pub fn branch(&mut self, site: Site, holds: bool, decisions: u32) {
        let point = site.point;
        if site.question == Question::Branch
            && let Some((function, block, apart)) = self.last.take()
            && (function, block) == (point.function, point.block)
        {
            let missed = Edge {
                function,
                block,
                successor: Successor::Jump(u32::from(holds)),
            };
            let nearest = self.nearest.entry(missed).or_insert((apart, decisions));
            *nearest = (apart, decisions).min(*nearest);
        }
    }

    /// The edges that were missed, in order.
    pub fn list(&self) -> Vec<Miss> {
        let all = self.nearest.iter();
        let mut list: Vec<_> = all
            .map(|(&edge, &(distance, decisions))| Miss {
                edge,
                distance,
                decisions,
            })
            .collect();
        list.sort_unstable_by_key(|miss| miss.edge);
        list
    }
}
