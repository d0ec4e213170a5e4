//! Base pairs: what a predicate instance says about the references among its arguments.
//!
//! After Brotherston, Fuhs, Navarro Pérez and Gorogiannis, "A decision procedure for
//! satisfiability in separation logic with inductive predicates" (2014): a formula is
//! satisfiable iff each of its instances can be replaced by one of its predicate's base pairs
//! so that all constraints together are consistent.

use super::bits::Bits;
use super::constraints::{Conflict, Constraints, NIL, Node};

/// Which reference parameters are allocated, and which are equal or different.
///
/// Parameters are counted from 1; 0 is null. `class[i]` is the smallest parameter (or null)
/// equal to parameter `i`. Disequalities that allocation implies are left out, so equal pairs
/// have equal representations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BasePair {
    class: Box<[Node]>,
    allocated: Box<[Node]>,
    different: Box<[(Node, Node)]>,
}

impl BasePair {
    /// What `constraints` say about nodes 1 to `params`: the projection of a solved rule.
    pub fn project<const W: usize>(constraints: &Constraints<W>, params: usize) -> BasePair {
        // The representative of a class is its smallest node and parameters come first, so
        // every class with a parameter is represented by a parameter.
        let class = |node| constraints.class(node);
        let params = params as Node;
        BasePair {
            class: (0..=params).map(class).collect(),
            allocated: (1..=params)
                .filter(|&node| class(node) == node && constraints.is_allocated(node))
                .collect(),
            different: (constraints.explicit_disequalities())
                .filter(|&(_, b)| b <= params)
                .collect(),
        }
    }

    /// Adds what the pair says, with its parameters standing for `args`.
    pub fn apply<const W: usize>(
        &self,
        args: &[Node],
        constraints: &mut Constraints<W>,
    ) -> Result<(), Conflict> {
        let arg = |param: Node| match param {
            NIL => NIL,
            param => args[usize::from(param) - 1],
        };
        for (param, &class) in (0..).zip(&*self.class) {
            if class != param {
                constraints.equate(arg(param), arg(class))?;
            }
        }
        for &param in &*self.allocated {
            constraints.allocate(arg(param))?;
        }
        for &(a, b) in &*self.different {
            constraints.separate(arg(a), arg(b))?;
        }
        Ok(())
    }

    /// The smallest parameter (or null) equal to parameter `param`.
    pub fn class(&self, param: Node) -> Node {
        self.class[usize::from(param)]
    }

    /// Whether parameter `param` (counted from 1) is null.
    pub fn is_nil(&self, param: Node) -> bool {
        self.class(param) == NIL
    }

    /// Whether parameter `param` (counted from 1) is allocated.
    pub fn is_allocated(&self, param: Node) -> bool {
        self.allocated.contains(&self.class(param))
    }

    /// Whether parameter `param` (counted from 1) is known not to be null.
    pub fn is_not_nil(&self, param: Node) -> bool {
        self.is_allocated(param) || self.different.contains(&(NIL, self.class(param)))
    }

    /// Parameters that are null and those that are not, as sets of positions from 0.
    pub fn nullness<const W: usize>(&self) -> (Bits<W>, Bits<W>) {
        let (mut nil, mut not_nil) = (Bits::EMPTY, Bits::EMPTY);
        for position in 0..self.class.len() - 1 {
            let param = position as Node + 1;
            if self.is_nil(param) {
                nil.insert(position);
            } else if self.is_not_nil(param) {
                not_nil.insert(position);
            }
        }
        (nil, not_nil)
    }

    /// Whether every context that is consistent with `other` is consistent with `self`:
    /// `self` says nothing that `other` does not say.
    pub fn is_weaker_than(&self, other: &BasePair) -> bool {
        let differ = |a: Node, b: Node| {
            let (a, b) = (other.class(a), other.class(b));
            let (in_a, in_b) = (other.allocated.contains(&a), other.allocated.contains(&b));
            other.different.contains(&(a.min(b), a.max(b)))
                || (a != b && ((in_a && (in_b || b == NIL)) || (in_b && a == NIL)))
        };
        let same_cell = |a: Node, b: Node| other.class(a) == other.class(b);
        (0..).zip(&*self.class).all(|(param, &class)| same_cell(param, class))
            && self.allocated.iter().all(|&param| other.is_allocated(param))
            // Separate cells of ours must not be one cell of theirs.
            && (self.allocated.iter().enumerate())
                .all(|(i, &a)| self.allocated[..i].iter().all(|&b| !same_cell(a, b)))
            && self.different.iter().all(|&(a, b)| differ(a, b))
    }

    /// Number of reference parameters.
    pub fn arity(&self) -> usize {
        self.class.len() - 1
    }

    /// Allocated representatives.
    pub fn allocated(&self) -> &[Node] {
        &self.allocated
    }

    /// Explicit disequalities between representatives.
    pub fn different(&self) -> &[(Node, Node)] {
        &self.different
    }
}
