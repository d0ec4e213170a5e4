//! Hash-consed terms.
//!
//! Equal terms have equal ids, so comparing and caching are cheap. The constructors keep a
//! normal form:
//!
//! - a sum is a [`Linear`] combination with sorted, non-zero coefficients;
//! - a comparison of integers is `linear <= 0` or `linear = 0`, its coefficients divided by
//!   their greatest common divisor; `<` over integers becomes `<=`;
//! - conjunctions and disjunctions are flat, sorted, without duplicates or complements;
//! - negation is pushed into comparisons and through `and` and `or`.
//!
//! Every constructor is total: where a coefficient would not fit into 128 bits the term is
//! kept as an opaque operation instead.

mod build;
mod substitute;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::math::MathFunction;
use crate::sort::{ClassId, FloatType, IntType, Sort};

/// A term in its [`Terms`] store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(u32);

impl TermId {
    /// Position in the store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable in its [`Terms`] store.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct VarId(pub u32);

impl VarId {
    /// Position in the store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known about a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Name for people; not necessarily unique.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
}

/// Integer operations beyond linear arithmetic, all total and all exact.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntOp {
    /// Addition whose normal form would overflow.
    Add,
    /// Multiplication.
    Mul,
    /// Division truncating towards zero; division by zero gives 0.
    Div,
    /// Remainder with the sign of the dividend; remainder by zero gives the dividend.
    Rem,
    /// Bitwise and of the infinite two's complement representations.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// `a * 2^(b mod 64)`.
    Shl,
    /// `floor(a / 2^(b mod 64))`.
    Shr,
}

/// Floating-point operations, rounding to nearest even.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FpOp {
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
    /// Division.
    Div,
    /// Remainder as in C's `fmod` and Java's `%`.
    Rem,
    /// Negation.
    Neg,
    /// Absolute value.
    Abs,
    /// Square root.
    Sqrt,
    /// IEEE `<`: false if either side is NaN. A boolean.
    Lt,
    /// IEEE `<=`. A boolean.
    Le,
    /// IEEE `==`: zeros are equal, NaN is not. A boolean.
    Eq,
    /// Whether the argument is NaN. A boolean.
    IsNan,
    /// From an integer.
    FromInt,
    /// To an integer type, truncating, saturating, NaN to 0 (as in Java and Rust).
    ToInt(IntType),
    /// From the other format.
    Convert,
    /// From raw bits: a 32- or 64-bit integer of either signedness.
    FromBits,
    /// To raw bits, as a signed integer of the same width, NaN in canonical form.
    ToBits,
}

/// `constant + Σ coefficient * term`, the terms sorted and distinct, no coefficient zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Linear {
    /// The constant summand.
    pub constant: i128,
    /// The other summands.
    pub summands: Vec<(TermId, i128)>,
}

/// The node of a term. Use the constructors of [`Terms`] to build one in normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// A truth value.
    Bool(bool),
    /// A variable of any sort.
    Var(VarId),
    /// The null reference.
    Null,
    /// A sum; also integer constants. Never a single summand with coefficient 1.
    Linear(Linear),
    /// A binary32 constant, as bits.
    Single(u32),
    /// A binary64 constant, as bits.
    Double(u64),
    /// `linear <= 0`.
    AtMostZero(Linear),
    /// `linear = 0`.
    IsZero(Linear),
    /// Equality of booleans, references or floats (for floats: the same value, NaN being
    /// equal to itself and the zeros different).
    Eq(TermId, TermId),
    /// Negation of a term that has no smaller negation.
    Not(TermId),
    /// Conjunction of two or more.
    And(Vec<TermId>),
    /// Disjunction of two or more.
    Or(Vec<TermId>),
    /// If-then-else of any sort.
    Ite(TermId, TermId, TermId),
    /// An integer operation that is not linear.
    Int(IntOp, TermId, TermId),
    /// The value of a machine type that is congruent to the argument.
    Wrap(IntType, TermId),
    /// A floating-point operation; the type is that of the operands, for `FromInt`,
    /// `Convert` and `FromBits` that of the result.
    Fp(FpOp, FloatType, Vec<TermId>),
    /// A function of numbers that is no operation of any theory.
    Apply(MathFunction, Vec<TermId>),
}

/// The store that owns all terms and variables.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: IndexSet<Term, FxBuildHasher>,
    sorts: Vec<Sort>,
    variables: Vec<Variable>,
    /// Negations of conjunctions and disjunctions, so that shared ones are negated once.
    negations: FxHashMap<TermId, TermId>,
}

impl Default for Terms {
    fn default() -> Self {
        let mut terms = Terms {
            nodes: IndexSet::default(),
            sorts: Vec::new(),
            variables: Vec::new(),
            negations: FxHashMap::default(),
        };
        // These three have fixed ids, so that `truth` and `null` need no store.
        terms.intern(Term::Bool(false), Sort::Bool);
        terms.intern(Term::Bool(true), Sort::Bool);
        terms.intern(Term::Null, Sort::Ref(ClassId::ANY));
        terms
    }
}

impl Terms {
    /// The term `false`.
    pub const FALSE: TermId = TermId(0);
    /// The term `true`.
    pub const TRUE: TermId = TermId(1);
    /// The term `null`.
    pub const NULL: TermId = TermId(2);

    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// The node of a term.
    pub fn get(&self, term: TermId) -> &Term {
        &self.nodes[term.index()]
    }

    /// The sort of a term. Sums and comparisons of machine integers are of sort `Int` and `Bool`.
    pub fn sort(&self, term: TermId) -> Sort {
        self.sorts[term.index()]
    }

    /// Number of distinct terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: a store always knows the constants.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Declares a variable. Names need not be unique.
    pub fn declare(&mut self, name: impl Into<String>, sort: Sort) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push(Variable {
            name: name.into(),
            sort,
        });
        id
    }

    /// A new variable with the name and sort of another one.
    pub fn fresh_like(&mut self, variable: VarId) -> VarId {
        let Variable { name, sort } = self.variable(variable).clone();
        self.declare(name, sort)
    }

    /// Name and sort of a variable.
    pub fn variable(&self, variable: VarId) -> &Variable {
        &self.variables[variable.index()]
    }

    /// Changes the sort of a variable, for type checkers that infer it after declaring.
    ///
    /// Precondition: no term mentions the variable yet.
    pub fn set_sort(&mut self, variable: VarId, sort: Sort) {
        self.variables[variable.index()].sort = sort;
    }

    /// Number of variables declared so far.
    pub fn variable_count(&self) -> usize {
        self.variables.len()
    }

    /// The variable that a term is, if it is one.
    pub fn as_var(&self, term: TermId) -> Option<VarId> {
        match self.get(term) {
            Term::Var(variable) => Some(*variable),
            _ => None,
        }
    }

    /// The integer that a term is, if it is a constant.
    pub fn as_int(&self, term: TermId) -> Option<i128> {
        match self.get(term) {
            Term::Linear(linear) if linear.summands.is_empty() => Some(linear.constant),
            _ => None,
        }
    }

    /// The direct subterms.
    pub fn children(&self, term: TermId) -> Vec<TermId> {
        match self.get(term) {
            Term::Bool(_) | Term::Var(_) | Term::Null | Term::Single(_) | Term::Double(_) => {
                Vec::new()
            }
            Term::Linear(linear) | Term::AtMostZero(linear) | Term::IsZero(linear) => {
                linear.summands.iter().map(|&(term, _)| term).collect()
            }
            Term::Not(a) | Term::Wrap(_, a) => vec![*a],
            Term::Eq(a, b) | Term::Int(_, a, b) => vec![*a, *b],
            Term::Ite(a, b, c) => vec![*a, *b, *c],
            Term::And(list) | Term::Or(list) | Term::Fp(_, _, list) | Term::Apply(_, list) => {
                list.clone()
            }
        }
    }

    /// The terms given and everything in them, each once, parents before what is first met in
    /// them.
    pub fn subterms(&self, roots: impl IntoIterator<Item = TermId>) -> Subterms<'_> {
        let mut pending: Vec<TermId> = roots.into_iter().collect();
        pending.reverse();
        Subterms {
            terms: self,
            pending,
            seen: FxHashSet::default(),
        }
    }

    /// Adds the variables of a term to `seen`, in order of first occurrence.
    pub fn collect_variables<S: std::hash::BuildHasher>(
        &self,
        term: TermId,
        seen: &mut IndexSet<VarId, S>,
    ) {
        seen.extend(self.subterms([term]).filter_map(|term| self.as_var(term)));
    }

    fn intern(&mut self, node: Term, sort: Sort) -> TermId {
        let (index, new) = self.nodes.insert_full(node);
        if new {
            self.sorts.push(sort);
        }
        TermId(index as u32)
    }
}

/// Iterator of [`Terms::subterms`]. Keeps its own stack, since terms may be deeper than the call
/// stack allows.
pub struct Subterms<'a> {
    terms: &'a Terms,
    pending: Vec<TermId>,
    seen: FxHashSet<TermId>,
}

impl Iterator for Subterms<'_> {
    type Item = TermId;

    fn next(&mut self) -> Option<TermId> {
        loop {
            let term = self.pending.pop()?;
            if self.seen.insert(term) {
                self.pending
                    .extend(self.terms.children(term).into_iter().rev());
                return Some(term);
            }
        }
    }
}

#[cfg(test)]
mod tests;
