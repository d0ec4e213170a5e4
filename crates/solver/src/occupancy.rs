//! Where the arguments of a predicate instance can be: what symbolic execution needs to know
//! before it unfolds anything.
//!
//! A parent pointer is never allocated inside of its instance, so unfolding for its sake is in
//! vain; the root of a tree is null or allocated, so it cannot be any object that is known
//! already. A tree with a sentinel is empty where its root is the sentinel, and then the root is no
//! other object. All of that is read off the base pairs of the predicate.

use heapwright_logic::{PredId, VarId};

use crate::shape::Node;
use crate::solver::Solver;

/// The places where a reference argument of an instance can be. Over-approximated: numbers are
/// not looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// It can be null.
    pub null: bool,
    /// It can be one of the cells of the instance, and is known to be one.
    pub allocated: bool,
    /// It can be something else: outside of the instance, or by chance one of its cells.
    pub elsewhere: bool,
    /// It can be null whatever the other arguments are.
    pub nil: bool,
    /// Wherever it is neither null nor one of the cells, it is one of the arguments at these
    /// positions: an empty segment ends where it begins, and an empty subtree is the sentinel.
    /// `None` if it can be anything there.
    pub equal: Option<Vec<usize>>,
}

impl Occupancy {
    /// Nothing is known.
    pub const ANYWHERE: Occupancy = Occupancy {
        null: true,
        allocated: true,
        elsewhere: true,
        nil: true,
        equal: None,
    };
}

impl Solver {
    /// For every parameter of a predicate where an argument can be; none for those that are not
    /// references.
    pub fn occupancy(&mut self, predicate: PredId) -> Vec<Option<Occupancy>> {
        let complete = self.derivations.ensure(&self.grammar, predicate);
        let references = self.grammar.reference_params(predicate);
        let relation = &self.derivations.of(predicate).relation;
        let params = &self.definitions.predicate(predicate).params;
        let position = |variable: VarId| params.iter().position(|&param| param == variable);
        (params.iter())
            .map(|param| {
                let index = references.iter().position(|known| known == param)?;
                if !complete {
                    return Some(Occupancy::ANYWHERE);
                }
                let node = index as Node + 1;
                let mut found = Occupancy {
                    null: false,
                    allocated: false,
                    elsewhere: false,
                    nil: false,
                    equal: Some(Vec::new()),
                };
                for &id in relation.active() {
                    let pair = relation.pair(id);
                    let allocated = pair.is_allocated(node);
                    found.allocated |= allocated;
                    found.null |= !allocated && !pair.is_not_nil(node);
                    found.elsewhere |= !allocated && !pair.is_nil(node);
                    found.nil |= pair.is_nil(node);
                    if !allocated && !pair.is_nil(node) {
                        let others = (1..).zip(references);
                        let mut equal = others
                            .filter(|&(other, _)| other != node)
                            .filter(|&(other, _)| pair.class(other) == pair.class(node));
                        let first = equal.find_map(|(_, variable)| position(*variable));
                        found.equal = found.equal.zip(first).map(|(mut equal, first)| {
                            if !equal.contains(&first) {
                                equal.push(first);
                            }
                            equal
                        });
                    }
                }
                Some(found)
            })
            .collect()
    }
}
