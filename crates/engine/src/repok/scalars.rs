//! The numbers of structures: their terms, and whether conditions on them can hold.
//!
//! All partial structures of a search share one store of terms. The number in a field of the n-th
//! object has the same name in all of them, so the store does not grow with the search.

use heapwright_logic::{Sort, Term, TermId, Terms, Value, VarId};
use heapwright_solver::arith::{Arithmetic, Assignment, Outcome, chain, satisfies};
use rustc_hash::FxHashMap;

use crate::questions::arithmetic;

/// The terms of a search and the way to the solver.
pub struct Scalars {
    /// The store of all terms.
    pub terms: Terms,
    solver: Box<dyn Arithmetic>,
    /// Names by object, position and sort; the arguments count as the object before the first.
    names: FxHashMap<(u32, u32, Sort), VarId>,
    /// Questions put to the solver.
    pub calls: u64,
    /// Questions that it did not decide.
    pub unknown: u64,
}

/// Whether conditions can hold.
pub enum Feasible {
    /// They do for these numbers.
    With(Assignment),
    /// They never do.
    Never,
    /// Nobody knows.
    Perhaps,
}

impl Scalars {
    /// No names so far.
    pub fn new(terms: Terms) -> Scalars {
        Scalars {
            terms,
            solver: chain(&arithmetic(None)),
            names: FxHashMap::default(),
            calls: 0,
            unknown: 0,
        }
    }

    /// The number at a position of an object.
    pub fn name(&mut self, object: u32, position: u32, sort: Sort) -> VarId {
        let terms = &mut self.terms;
        *(self.names.entry((object, position, sort)))
            .or_insert_with(|| terms.declare(format!("number{object}_{position}"), sort))
    }

    /// The truth value of a condition for given numbers; those that are missing are zero.
    pub fn holds(&self, model: &Assignment, condition: TermId) -> Option<bool> {
        satisfies(&self.terms, model, &[condition])
    }

    /// Whether a condition is a comparison of integers, or a truth value by itself: of two such
    /// conditions, those on truth values have nothing to do with the others.
    pub fn is_comparison(&self, condition: TermId) -> bool {
        let atom = match self.terms.get(condition) {
            Term::Not(inner) => *inner,
            _ => condition,
        };
        matches!(
            self.terms.get(atom),
            Term::Var(_) | Term::AtMostZero(_) | Term::IsZero(_)
        )
    }

    /// Whether conditions can hold together.
    pub fn check(&mut self, conditions: &[TermId]) -> Feasible {
        self.calls += 1;
        match self.solver.check(&mut self.terms, conditions) {
            Outcome::Sat(model) => Feasible::With(model),
            Outcome::Unsat(_) => Feasible::Never,
            Outcome::Unknown(_) => {
                self.unknown += 1;
                Feasible::Perhaps
            }
        }
    }

    /// A number of a model.
    pub fn value(&self, model: &Assignment, name: VarId) -> Value {
        let known = model.get(&name).copied();
        known.unwrap_or_else(|| Value::default_of(self.terms.variable(name).sort))
    }
}
