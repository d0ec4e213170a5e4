//! Conjunctions of equalities, disequalities and allocation facts over references.

use super::bits::Bits;

/// A reference inside one rule or formula; number 0 is null.
pub type Node = u16;

/// The node that stands for null.
pub const NIL: Node = 0;

/// A satisfiable conjunction over nodes, kept closed under its consequences.
///
/// Which nodes are null and which are not is by far the commonest kind of fact, and is kept in
/// sets of its own, so that it can be added for many nodes at once.
///
/// Invariants: for a node that is not known to be null, `class[n]` is the smallest node equal
/// to it. `not_nil`, `allocated` and `different` speak of such representatives only;
/// `different` is symmetric. A `plain` node is alone in its class, not null, and in no entry of
/// `different`. That two allocated nodes differ from each other and from null is implied and
/// not stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Constraints<const W: usize> {
    class: Vec<Node>,
    nil: Bits<W>,
    not_nil: Bits<W>,
    plain: Bits<W>,
    allocated: Bits<W>,
    different: Vec<Bits<W>>,
    /// Whether nothing has been entered into `class` and `different` yet, so that they need not
    /// be copied.
    pristine: bool,
}

/// A constraint that contradicts the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict;

impl<const W: usize> Constraints<W> {
    /// Nothing known about `nodes` nodes, null included.
    ///
    /// Precondition: `nodes` is at most the capacity of the bit sets.
    pub fn new(nodes: usize) -> Self {
        let mut constraints = Constraints::default();
        constraints.clear(nodes);
        constraints
    }

    /// Forgets everything, about `nodes` nodes from now on.
    pub fn clear(&mut self, nodes: usize) {
        debug_assert!(nodes <= Bits::<W>::CAPACITY);
        if !self.pristine || self.class.len() != nodes {
            self.class.clear();
            self.class.extend(0..nodes as Node);
            self.different.clear();
            self.different.resize(nodes, Bits::EMPTY);
            self.pristine = true;
        }
        self.allocated = Bits::EMPTY;
        self.not_nil = Bits::EMPTY;
        self.nil = Bits::EMPTY;
        self.nil.insert(usize::from(NIL));
        self.plain = Bits::below(nodes);
        self.plain.remove(usize::from(NIL));
    }

    /// Becomes a copy of `other`, reusing memory.
    pub fn copy_from(&mut self, other: &Self) {
        if !(self.pristine && other.pristine && self.class.len() == other.class.len()) {
            self.class.clone_from(&other.class);
            self.different.clone_from(&other.different);
            self.pristine = other.pristine;
        }
        self.nil = other.nil;
        self.not_nil = other.not_nil;
        self.plain = other.plain;
        self.allocated = other.allocated;
    }

    /// The smallest node equal to `node`.
    pub fn class(&self, node: Node) -> Node {
        if self.is_nil(node) {
            NIL
        } else {
            self.class[usize::from(node)]
        }
    }

    /// Whether the node is known to be allocated.
    pub fn is_allocated(&self, node: Node) -> bool {
        self.allocated.contains(usize::from(self.class(node)))
    }

    /// Whether the node is known to be null.
    pub fn is_nil(&self, node: Node) -> bool {
        self.nil.contains(usize::from(node))
    }

    /// Whether the node is known not to be null.
    pub fn is_not_nil(&self, node: Node) -> bool {
        let class = usize::from(self.class(node));
        self.not_nil.contains(class) || self.allocated.contains(class)
    }

    /// Whether two nodes are known to be different.
    pub fn are_different(&self, a: Node, b: Node) -> bool {
        let (a, b) = (self.class(a), self.class(b));
        match (a, b) {
            _ if a == b => false,
            (NIL, other) | (other, NIL) => self.is_not_nil(other),
            _ => {
                let (a, b) = (usize::from(a), usize::from(b));
                self.different[a].contains(b)
                    || (self.allocated.contains(a) && self.allocated.contains(b))
            }
        }
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
        let inherited = std::mem::take(&mut self.different[usize::from(gone)]);
        if kept == NIL {
            for (node, class) in self.class.iter().enumerate() {
                if *class == gone {
                    self.nil.insert(node);
                    self.plain.remove(node);
                }
            }
            for other in inherited.iter() {
                self.different[other].remove(usize::from(gone));
                self.not_nil.insert(other);
            }
            return Ok(());
        }
        self.pristine = false;
        for class in &mut self.class {
            if *class == gone {
                *class = kept;
            }
        }
        let (kept, gone) = (usize::from(kept), usize::from(gone));
        for other in inherited.iter() {
            self.different[other].remove(gone);
            self.different[other].insert(kept);
        }
        self.different[kept].union_with(&inherited);
        for set in [&mut self.allocated, &mut self.not_nil] {
            if set.contains(gone) {
                set.remove(gone);
                set.insert(kept);
            }
        }
        self.plain.remove(kept);
        self.plain.remove(gone);
        Ok(())
    }

    /// Adds `a != b`.
    pub fn separate(&mut self, a: Node, b: Node) -> Result<(), Conflict> {
        let (a, b) = (self.class(a), self.class(b));
        match (a, b) {
            _ if a == b => return Err(Conflict),
            (NIL, other) | (other, NIL) => self.not_nil.insert(usize::from(other)),
            _ => {
                let (a, b) = (usize::from(a), usize::from(b));
                self.pristine = false;
                self.different[a].insert(b);
                self.different[b].insert(a);
                self.plain.remove(a);
                self.plain.remove(b);
            }
        }
        Ok(())
    }

    /// Adds that all nodes of one set are null and all of another are not.
    pub fn add_nullness(&mut self, nil: &Bits<W>, not_nil: &Bits<W>) -> Result<(), Conflict> {
        let new = nil.difference(&self.nil);
        let simple = new.intersection(&self.plain);
        if simple.intersects(&self.not_nil) || simple.intersects(&self.allocated) {
            return Err(Conflict);
        }
        self.nil.union_with(&simple);
        self.plain = self.plain.difference(&simple);
        for node in new.difference(&simple).iter() {
            self.equate(node as Node, NIL)?;
        }
        if not_nil.intersects(&self.nil) {
            return Err(Conflict);
        }
        let simple = not_nil.intersection(&self.plain);
        self.not_nil.union_with(&simple);
        for node in not_nil.difference(&simple).iter() {
            self.separate(node as Node, NIL)?;
        }
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

    /// All null nodes, null included.
    pub fn nil(&self) -> &Bits<W> {
        &self.nil
    }

    /// Representatives that are different from null although nothing is allocated there.
    pub fn not_nil(&self) -> Bits<W> {
        self.not_nil.difference(&self.allocated)
    }

    /// Allocated representatives.
    pub fn allocated(&self) -> &Bits<W> {
        &self.allocated
    }

    /// Nodes whose nullness can be read off the sets directly: all but those that share their
    /// class with another node.
    pub fn plain_or_nil(&self) -> Bits<W> {
        let mut set = self.plain;
        set.union_with(&self.nil);
        set
    }

    /// Disequalities between representatives other than null that do not follow from
    /// allocation, each once.
    pub fn explicit_disequalities(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        let implied = |a: usize, b: usize| self.allocated.contains(a) && self.allocated.contains(b);
        let rows = if self.pristine {
            &[][..]
        } else {
            &self.different[..]
        };
        (rows.iter().enumerate()).flat_map(move |(a, others)| {
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
    fn what_differs_from_null_is_not_null() {
        let mut shape = Constraints::<1>::new(5);
        shape.separate(1, 2).unwrap();
        shape.equate(1, NIL).unwrap();
        assert!(shape.is_not_nil(2));
        let (mut nil, mut not_nil) = (Bits::EMPTY, Bits::EMPTY);
        nil.insert(3);
        not_nil.insert(4);
        shape.add_nullness(&nil, &not_nil).unwrap();
        assert!(shape.is_nil(3) && shape.are_different(3, 4));
        assert_eq!(shape.equate(3, 4), Err(Conflict));
        assert_eq!(shape.add_nullness(&not_nil, &nil), Err(Conflict));
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
