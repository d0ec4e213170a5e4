//! Type inference by unification.
//!
//! The notation writes no types except in `data` declarations, and often has none of those.
//! Every name, parameter and undeclared field gets a type variable. What is known of one is
//! the set of kinds that it may still be (`x=1` leaves a boolean or a number) and, for
//! references, the class. How wide an integer is takes no part in this: a bound and the
//! field that it bounds are compared although one is mathematical and the other has 32 bits.

use heapwright_logic::{ClassId, Definitions, FloatType, Sort};

/// A type that is being inferred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TypeVar(u32);

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub const BOOL: Kinds = Kinds(1);
    pub const INT: Kinds = Kinds(2);
    pub const SINGLE: Kinds = Kinds(4);
    pub const DOUBLE: Kinds = Kinds(8);
    pub const REF: Kinds = Kinds(16);
    pub const FLOAT: Kinds = Kinds(4 | 8);
    pub const NUMBER: Kinds = Kinds(2 | 4 | 8);
    /// What the literals 0 and 1 may be.
    pub const BIT: Kinds = Kinds(1 | 2 | 4 | 8);
    pub const ANY: Kinds = Kinds(31);

    pub fn of(sort: Sort) -> Kinds {
        match sort {
            Sort::Bool => Kinds::BOOL,
            Sort::Int | Sort::Machine(_) => Kinds::INT,
            Sort::Float(FloatType::Single) => Kinds::SINGLE,
            Sort::Float(FloatType::Double) => Kinds::DOUBLE,
            Sort::Ref(_) => Kinds::REF,
        }
    }

    fn contains(self, other: Kinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// What the kinds are, for messages.
    pub fn describe(self) -> &'static str {
        match self {
            Kinds::BOOL => "a boolean",
            Kinds::REF => "a reference",
            Kinds::INT => "an integer",
            Kinds::BIT => "a boolean or a number",
            _ if Kinds::FLOAT.contains(self) => "a floating-point number",
            _ if Kinds::NUMBER.contains(self) => "a number",
            _ => "a value",
        }
    }
}

/// Two uses that no type satisfies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conflict {
    pub left: Kinds,
    pub right: Kinds,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClassBound {
    Unknown,
    One(ClassId),
    /// Unrelated classes: a reference to anything.
    Mixed,
}

/// All type variables, in a union-find forest.
#[derive(Clone, Default, Debug)]
pub(super) struct Types {
    parents: Vec<u32>,
    kinds: Vec<Kinds>,
    classes: Vec<ClassBound>,
}

impl Types {
    pub fn fresh(&mut self, kinds: Kinds) -> TypeVar {
        let id = self.parents.len() as u32;
        self.parents.push(id);
        self.kinds.push(kinds);
        self.classes.push(ClassBound::Unknown);
        TypeVar(id)
    }

    /// The representative, with the path to it halved.
    fn root(&mut self, ty: TypeVar) -> usize {
        let mut at = ty.0 as usize;
        while self.parents[at] as usize != at {
            let grandparent = self.parents[self.parents[at] as usize];
            self.parents[at] = grandparent;
            at = grandparent as usize;
        }
        at
    }

    /// Makes two types one.
    pub fn unify(
        &mut self,
        a: TypeVar,
        b: TypeVar,
        definitions: &Definitions,
    ) -> Result<(), Conflict> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        let (kinds, class) = (self.kinds[b], self.classes[b]);
        self.narrow(a, kinds)?;
        self.merge_class(a, class, definitions);
        self.parents[b] = a as u32;
        Ok(())
    }

    /// Restricts a type to some kinds.
    pub fn restrict(&mut self, ty: TypeVar, kinds: Kinds) -> Result<(), Conflict> {
        let root = self.root(ty);
        self.narrow(root, kinds)
    }

    /// Restricts a type to a sort.
    pub fn restrict_to_sort(
        &mut self,
        ty: TypeVar,
        sort: Sort,
        definitions: &Definitions,
    ) -> Result<(), Conflict> {
        self.restrict(ty, Kinds::of(sort))?;
        if let Sort::Ref(class) = sort
            && class != ClassId::ANY
        {
            let root = self.root(ty);
            self.merge_class(root, ClassBound::One(class), definitions);
        }
        Ok(())
    }

    /// The sort that a type turned out to be. Without evidence it is an integer.
    pub fn sort(&mut self, ty: TypeVar) -> Sort {
        let root = self.root(ty);
        let kinds = self.kinds[root];
        if kinds.contains(Kinds::INT) {
            Sort::Int
        } else if kinds.contains(Kinds::DOUBLE) {
            Sort::Float(FloatType::Double)
        } else if kinds.contains(Kinds::SINGLE) {
            Sort::Float(FloatType::Single)
        } else if kinds.contains(Kinds::BOOL) {
            Sort::Bool
        } else {
            Sort::Ref(match self.classes[root] {
                ClassBound::One(class) => class,
                ClassBound::Unknown | ClassBound::Mixed => ClassId::ANY,
            })
        }
    }

    fn narrow(&mut self, root: usize, kinds: Kinds) -> Result<(), Conflict> {
        let common = Kinds(self.kinds[root].0 & kinds.0);
        if common.0 == 0 {
            return Err(Conflict {
                left: self.kinds[root],
                right: kinds,
            });
        }
        self.kinds[root] = common;
        Ok(())
    }

    /// Of two related classes the more general one is kept.
    fn merge_class(&mut self, root: usize, class: ClassBound, definitions: &Definitions) {
        use ClassBound::{Mixed, One, Unknown};
        self.classes[root] = match (self.classes[root], class) {
            (Unknown, class) | (class, Unknown) => class,
            (One(a), One(b)) if definitions.is_subclass(a, b) => One(b),
            (One(a), One(b)) if definitions.is_subclass(b, a) => One(a),
            _ => Mixed,
        };
    }
}
