//! The formulas of a specification with their names resolved, before their sorts are known.
//!
//! Disjunctions are already distributed, quantifiers lifted out. The step from here to the
//! terms of `logic` needs the sorts of all variables, and those depend on the whole
//! specification.

use heapwright_logic::{ClassId, PredId, Sort};
use rustc_hash::FxHashMap;

use super::kind::KindId;
use crate::diagnostic::Span;
use crate::syntax::ast::{Comparison, Float, Name, Operator};

/// Identifies a [`Local`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct LocalId(pub u32);

/// A variable of one body.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub name: String,
    pub kind: KindId,
    /// The sort that it was declared with.
    pub declared: Option<Sort>,
    pub range: Range,
    pub role: Role,
    pub used: bool,
    /// The variable that it is another name for.
    pub alias: Option<LocalId>,
}

/// Which machine types the fields have that hold an integer variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Range {
    /// None: a mathematical integer.
    Unbounded,
    /// This one, or several of which this one is the narrowest.
    Machine(heapwright_logic::IntType),
    /// Several that do not contain each other.
    Mixed,
}

/// What a variable is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Parameter of a predicate.
    PredicateParameter,
    /// Parameter of a method.
    Parameter,
    This,
    Result,
    /// A name of a query that is not quantified.
    Free,
    /// Quantified, or a name of a contract that nothing declares.
    Quantified,
    /// A wildcard, or a field that was left out.
    Wildcard,
    /// The value of a path.
    Path,
    /// The value of a path before the call.
    Old,
    /// The value of a static field.
    Static,
}

/// What a body belongs to.
#[derive(Clone, Debug)]
pub(super) enum Owner {
    Predicate(PredId),
    Contract(ContractHeader),
    Query { name: Option<String>, span: Span },
}

/// A contract without its formula.
#[derive(Clone, Debug)]
pub(super) struct ContractHeader {
    pub kind: crate::syntax::ast::ContractKind,
    pub class: Option<ClassId>,
    pub method: String,
    pub throws: Option<String>,
    pub signature: Option<usize>,
    pub span: Span,
}

/// A definition, contract or query.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub owner: Owner,
    pub params: Vec<LocalId>,
    /// Names that are visible in every disjunct.
    pub names: FxHashMap<String, LocalId>,
    pub this: Option<LocalId>,
    pub result: Option<LocalId>,
    /// Names that a query leaves free.
    pub free: Vec<LocalId>,
    pub old: Vec<OldPath>,
    /// The variables of `old` by base and dotted path.
    pub old_values: FxHashMap<(LocalId, String), LocalId>,
    /// The static fields that are mentioned: their numbers, whether the value is that after the
    /// call, and what stands for it.
    pub statics: Vec<(usize, bool, LocalId)>,
    pub disjuncts: Vec<Disjunct>,
}

/// `old(base.fields)`
#[derive(Clone, Debug)]
pub(super) struct OldPath {
    pub base: LocalId,
    pub fields: Vec<Name>,
    pub value: LocalId,
    /// Filled in when the classes are known.
    pub steps: Vec<(ClassId, usize)>,
}

/// One symbolic heap.
#[derive(Clone, Debug, Default)]
pub(super) struct Disjunct {
    /// Existential variables in order of appearance.
    pub owned: Vec<LocalId>,
    pub cells: Vec<Cell>,
    pub instances: Vec<Instance>,
    pub pure: Vec<Term>,
    pub paths: Vec<PathUse>,
}

/// `source -> class(fields)`
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub source: Term,
    pub class: ClassId,
    pub fields: Vec<Term>,
}

/// `predicate(args)`
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub predicate: PredId,
    pub args: Vec<Term>,
    pub span: Span,
}

/// `base.field`, whose value is another variable.
#[derive(Clone, Debug)]
pub(super) struct PathUse {
    pub base: LocalId,
    pub field: Name,
    pub value: LocalId,
    pub span: Span,
}

/// A term.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub node: Node,
    pub kind: KindId,
    pub span: Span,
}

/// What a term is.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Local(LocalId),
    Null,
    Bool(bool),
    Int(i128),
    Float(Float),
    Not(Box<Term>),
    Negate(Box<Term>),
    Compare(Box<Term>, Vec<(Comparison, Term)>),
    Arithmetic(Box<Term>, Vec<(Operator, Term)>),
    Conditional(Box<Term>, Box<Term>, Box<Term>),
    Implies(Box<Term>, Box<Term>),
    And(Vec<Term>),
    Or(Vec<Term>),
    Function(String, Vec<Term>),
    /// Reported.
    Error,
}

impl Term {
    pub fn as_local(&self) -> Option<LocalId> {
        match self.node {
            Node::Local(local) => Some(local),
            _ => None,
        }
    }
}
