//! Satisfiability of conjunctions of pure terms that mention no references.
//!
//! Every layer, from the cheapest to the SMT backend, has the same small interface
//! ([`Arithmetic`]) and wraps the next one.

use heapwright_logic::{TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

/// Values of variables. A variable that is missing may take its sort's default value.
pub type Assignment = FxHashMap<VarId, Value>;

/// The answer of a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Satisfiable, with values for (at least) the variables that matter.
    Sat(Assignment),
    /// Unsatisfiable already because of these conjuncts.
    Unsat(Vec<TermId>),
    /// Not decided, and why.
    Unknown(String),
}

/// One layer.
pub trait Arithmetic {
    /// Decides the conjunction of `conjuncts` under the ranges of their variables' sorts.
    ///
    /// Questions that share a prefix are cheap when asked one after the other.
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> Outcome;
}
