//! The syntax tree of a `.pred` file.
//!
//! Chains of one operator are flat, so that only parentheses make a tree deep.

use crate::diagnostic::Span;

/// A name and its place.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub text: String,
    pub span: Span,
}

/// All declarations of a file, by kind.
#[derive(Default, Debug)]
pub(super) struct File {
    pub data: Vec<Data>,
    pub predicates: Vec<Predicate>,
    pub preconditions: Vec<Precondition>,
}

/// `data Node { int value; Node next }`
#[derive(Debug)]
pub(super) struct Data {
    pub name: Name,
    /// Type and name of each field.
    pub fields: Vec<(Name, Name)>,
}

/// `pred p(x,y) == disjunct || ... || disjunct`
#[derive(Debug)]
pub(super) struct Predicate {
    pub name: Name,
    pub params: Vec<Name>,
    pub disjuncts: Vec<Disjunct>,
}

/// `pre method == disjunct || ... || disjunct`
#[derive(Debug)]
pub(super) struct Precondition {
    pub method: Name,
    pub disjuncts: Vec<Disjunct>,
}

/// `cell * p(x) & a=b`
#[derive(Default, Debug)]
pub(super) struct Disjunct {
    pub heap: Vec<HeapTerm>,
    pub pure: Vec<PureTerm>,
}

/// One part of the heap.
#[derive(Debug)]
pub(super) enum HeapTerm {
    /// `x::Node<a,b>`
    PointsTo(Term, Name, Vec<Term>),
    /// `p(a,b)`
    Instance(Name, Vec<Term>),
}

/// One conjunct of the pure part.
#[derive(Debug)]
pub(super) enum PureTerm {
    Truth(bool),
    Compare(Comparison, Term, Term),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A term and its place.
#[derive(Debug)]
pub(super) struct Term {
    pub span: Span,
    pub kind: TermKind,
}

#[derive(Debug)]
pub(super) enum TermKind {
    Name(String),
    /// `_`
    Wildcard,
    Null,
    Int(i128),
    Decimal(f64),
    /// Summands, those to be subtracted marked.
    Sum(Vec<(bool, Term)>),
    /// The first factor, then factors and divisors.
    Product(Box<Term>, Vec<(Factor, Term)>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Factor {
    Times,
    Divided,
}
