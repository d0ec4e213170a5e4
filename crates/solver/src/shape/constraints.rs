//! Conjunctions of equalities, disequalities and allocation facts over references.

use super::bits::Bits;

/// A reference inside one rule or formula; number 0 is null.
pub type Node = u16;

/// The node that stands for null.
pub const NIL: Node = 0;

/// A satisfiable conjunction over nodes, kept closed under its consequences.
///
/// Invariants: `class[n]` is the smallest node equal to `n`; `different` and `allocated` speak
/// of such representatives only; `different` is symmetric. That two allocated nodes differ
/// from each other and from null is implied and not stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Constraints<const W: usize> {
    class: Vec<Node>,
    different: Vec<Bits<W>>,
    allocated: Bits<W>,
}

/// A constraint that contradicts the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict;

impl<const W: usize> Constraints<W> {
    /// Nothing known about `nodes` nodes, null included.
    ///
    /// Precondition: `nodes` is at most the capacity of the bit sets.
    pub fn new(nodes: usize) -> Self {
        debug_assert!(nodes <= Bits::<W>::CAPACITY);
        Constraints {
            class: (0..nodes as Node).collect(),
            different: vec![Bits::EMPTY; nodes],
            allocated: Bits::EMPTY,
        }
    }

    /// Forgets everything, about `nodes` nodes from now on.
    pub fn clear(&mut self, nodes: usize) {
        debug_assert!(nodes <= Bits::<W>::CAPACITY);
        self.class.clear();
        self.class.extend(0..nodes as Node);
        self.different.clear();
        self.different.resize(nodes, Bits::EMPTY);
        self.allocated = Bits::EMPTY;
    }

    /// Becomes a copy of `other`, reusing memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.class.clone_from(&other.class);
        self.different.clone_from(&other.different);
        self.allocated = other.allocated;
    }

    /// The smallest node equal to `node`.
    pub fn class(&self, node: Node) -> Node {
        self.class[usize::from(node)]
    }

    /// Whether the node is known to be allocated.
    pub fn is_allocated(&self, node: Node) -> bool {
        self.allocated.contains(usize::from(self.class(node)))
    }

    /// Whether the node is known to be null.
    pub fn is_nil(&self, node: Node) -> bool {
        self.class(node) == NIL
    }

    /// Whether two nodes are known to be different.
    pub fn are_different(&self, a: Node, b: Node) -> bool {
        let (a, b) = (self.class(a), self.class(b));
        if a == b {
            return false;
        }
        let (in_a, in_b) = (self.is_allocated(a), self.is_allocated(b));
        self.different[usize::from(a)].contains(usize::from(b))
            || (in_a && (in_b || b == NIL))
            || (in_b && a == NIL)
    }

    /// Adds `a = b`.
    pub fn equate(&mut self, a: Node, b: Node) -> Result<(), Conflict> {
        let (a, b) = (self.class(a), self.class(b));
        if a == b {
            return Ok(());
        }
        if self.are_different(a, b) {
            return Err(Conflict);
        }
        let (kept, gone) = (a.min(b), a.max(b));
        for class in &mut self.class {
            if *class == gone {
                *class = kept;
            }
        }
        let (kept, gone) = (usize::from(kept), usize::from(gone));
        let inherited = std::mem::replace(&mut self.different[gone], Bits::EMPTY);
        for other in inherited.iter() {
            self.different[other].remove(gone);
            self.different[other].insert(kept);
        }
        self.different[kept].union_with(&inherited);
        if self.allocated.contains(gone) {
            self.allocated.remove(gone);
            self.allocated.insert(kept);
        }
        Ok(())
    }

    /// Adds `a != b`.
    pub fn separate(&mut self, a: Node, b: Node) -> Result<(), Conflict> {
        let (a, b) = (usize::from(self.class(a)), usize::from(self.class(b)));
        if a == b {
            return Err(Conflict);
        }
        self.different[a].insert(b);
        self.different[b].insert(a);
        Ok(())
    }

    /// Adds one more separate cell at `node`.
    pub fn allocate(&mut self, node: Node) -> Result<(), Conflict> {
        let class = self.class(node);
        if class == NIL || self.is_allocated(class) {
            return Err(Conflict);
        }
        self.allocated.insert(usize::from(class));
        Ok(())
    }

    /// Disequalities between representatives that do not follow from allocation, each once.
    pub fn explicit_disequalities(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        let implied = |a: usize, b: usize| {
            let in_a = a == 0 || self.allocated.contains(a);
            in_a && self.allocated.contains(b)
        };
        (self.different.iter().enumerate()).flat_map(move |(a, others)| {
            (others.iter())
                .filter(move |&b| a < b && !implied(a, b))
                .map(move |b| (a as Node, b as Node))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separated_cells_are_different_and_not_null() {
        let mut shape = Constraints::<1>::new(4);
        shape.allocate(1).unwrap();
        shape.allocate(2).unwrap();
        assert!(shape.are_different(1, 2) && shape.are_different(1, NIL));
        assert_eq!(shape.equate(1, 2), Err(Conflict));
        assert_eq!(shape.equate(NIL, 2), Err(Conflict));
        shape.equate(2, 3).unwrap();
        assert_eq!(shape.allocate(3), Err(Conflict));
    }

    #[test]
    fn disequalities_follow_their_classes() {
        let mut shape = Constraints::<1>::new(5);
        shape.separate(3, 4).unwrap();
        shape.equate(2, 4).unwrap();
        shape.equate(1, 3).unwrap();
        assert_eq!(shape.equate(1, 2), Err(Conflict));
        assert_eq!(shape.explicit_disequalities().collect::<Vec<_>>(), [(1, 2)]);
    }
}
