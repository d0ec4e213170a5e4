//! Base pairs: what a predicate instance says about the references among its arguments.
//!
//! After Brotherston, Fuhs, Navarro Pérez and Gorogiannis, "A decision procedure for
//! satisfiability in separation logic with inductive predicates" (2014): a formula is
//! satisfiable iff each of its instances can be replaced by one of its predicate's base pairs
//! so that all constraints together are consistent.

use super::arguments::{Arguments, ParamSet};
use super::bits::Bits;
use super::constraints::{Conflict, Constraints, NIL, Node};

/// Which reference parameters are allocated, and which are equal or different.
///
/// Parameters are counted from 1; 0 is null. Classes are represented by their smallest
/// parameter. Disequalities that allocation implies are left out, so equal pairs have equal
/// representations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BasePair {
    /// Parameters that are null.
    nil: ParamSet,
    /// Representatives that are not null, though nothing is allocated there.
    not_nil: ParamSet,
    /// Representatives that are allocated.
    allocated: ParamSet,
    /// The representative of every parameter, null first; empty if parameters that are not null
    /// are all alone in their classes.
    class: Box<[Node]>,
    /// Different representatives other than null, the smaller one in the upper half.
    different: Box<[u32]>,
}

impl BasePair {
    /// What `constraints` say about nodes 1 to `params`: the projection of a solved rule.
    pub fn project<const W: usize>(constraints: &Constraints<W>, params: usize) -> BasePair {
        // The representative of a class is its smallest node and parameters come first, so
        // every class with a parameter is represented by a parameter.
        let own = |nodes: &Bits<W>| {
            let mut set = ParamSet::EMPTY;
            set.insert_range(1, nodes.range(1, params), params);
            set
        };
        let last = params as Node;
        let mut everything = ParamSet::below(params + 1);
        everything.remove(usize::from(NIL));
        let alone = everything.is_subset(&own(&constraints.plain_or_nil()))
            || (1..=last).all(|node| [NIL, node].contains(&constraints.class(node)));
        BasePair {
            nil: own(constraints.nil()),
            not_nil: own(&constraints.not_nil()),
            allocated: own(constraints.allocated()),
            class: if alone {
                Box::default()
            } else {
                (0..=last).map(|node| constraints.class(node)).collect()
            },
            different: (constraints.explicit_disequalities())
                .filter(|&(_, b)| b <= last)
                .map(|(a, b)| pack(a, b))
                .collect(),
        }
    }

    /// Adds what the pair says, with its parameters standing for `args`.
    pub fn apply<const W: usize>(
        &self,
        args: &Arguments,
        constraints: &mut Constraints<W>,
    ) -> Result<(), Conflict> {
        for (param, &class) in (0..).zip(&*self.class) {
            if class != param && class != NIL {
                constraints.equate(args.node(param), args.node(class))?;
            }
        }
        constraints.add_nullness(&args.nodes_of(&self.nil), &args.nodes_of(&self.not_nil))?;
        for param in self.allocated.iter() {
            constraints.allocate(args.node(param as Node))?;
        }
        for (a, b) in self.different() {
            constraints.separate(args.node(a), args.node(b))?;
        }
        Ok(())
    }

    /// The smallest parameter (or null) equal to parameter `param`.
    pub fn class(&self, param: Node) -> Node {
        if self.is_nil(param) {
            return NIL;
        }
        self.class.get(usize::from(param)).copied().unwrap_or(param)
    }

    /// Whether parameter `param` (counted from 1) is null.
    pub fn is_nil(&self, param: Node) -> bool {
        param == NIL || self.nil.contains(usize::from(param))
    }

    /// Whether parameter `param` (counted from 1) is allocated.
    pub fn is_allocated(&self, param: Node) -> bool {
        self.allocated.contains(usize::from(self.class(param)))
    }

    /// Whether parameter `param` (counted from 1) is known not to be null.
    pub fn is_not_nil(&self, param: Node) -> bool {
        let class = usize::from(self.class(param));
        self.allocated.contains(class) || self.not_nil.contains(class)
    }

    /// Parameters that are null and those that are not.
    pub fn nullness(&self) -> (ParamSet, ParamSet) {
        let mut not_nil = self.allocated;
        not_nil.union_with(&self.not_nil);
        for param in 1..self.class.len() as Node {
            if self.is_not_nil(param) {
                not_nil.insert(usize::from(param));
            }
        }
        (self.nil, not_nil)
    }

    /// Whether every context that is consistent with `other` is consistent with `self`:
    /// `self` says nothing that `other` does not say.
    pub fn is_weaker_than(&self, other: &BasePair) -> bool {
        let same = |a: Node, b: Node| other.class(a) == other.class(b);
        let differ = |a: Node, b: Node| {
            let (a, b) = (other.class(a), other.class(b));
            other.different.contains(&pack(a.min(b), a.max(b)))
                || (a == NIL && other.is_not_nil(b))
                || (b == NIL && other.is_not_nil(a))
                || (a != b && other.is_allocated(a) && other.is_allocated(b))
        };
        let params = |set: &ParamSet| set.iter().map(|param| param as Node);
        self.nil.is_subset(&other.nil)
            && params(&self.not_nil).all(|param| other.is_not_nil(param))
            && params(&self.allocated).all(|param| other.is_allocated(param))
            // Separate cells of ours must not be one cell of theirs.
            && params(&self.allocated)
                .all(|a| params(&self.allocated).all(|b| a == b || !same(a, b)))
            && (0..).zip(&*self.class).all(|(param, &class)| same(param, class))
            && self.different().all(|(a, b)| differ(a, b))
    }

    /// Explicit disequalities between representatives other than null.
    pub fn different(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        (self.different.iter()).map(|&pair| ((pair >> 16) as Node, pair as Node))
    }
}

fn pack(a: Node, b: Node) -> u32 {
    u32::from(a) << 16 | u32::from(b)
}
