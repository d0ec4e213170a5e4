//! Satisfiability of conjunctions of pure terms that mention no references.
//!
//! Every layer, from the cheapest to the SMT backend, has the same small interface
//! ([`Arithmetic`]) and wraps the next one; [`chain`] puts them together.

mod backend;
mod branch_distance;
mod chain;
mod cores;
mod differences;
mod evaluate;
mod fold;
mod independence;
mod interval;
mod intervals;
mod order;
mod ranges;
mod reasons;
mod reuse;
mod shrink;
mod simplify;
mod statistics;
mod validate;

use heapwright_logic::{TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

pub use chain::{ArithConfig, Layers, chain};
pub use evaluate::satisfies;
pub use interval::Interval;
pub use intervals::rewritten;
pub use statistics::Statistics;

/// Values of variables. A variable that is missing may take its sort's default value.
pub type Assignment = FxHashMap<VarId, Value>;

/// The answer of a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArithAnswer {
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
    ///
    /// Layers remember terms by id: all questions to one chain must come from one store.
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer;

    /// Values that satisfy much of the questions to come, such as those of a run whose last
    /// decision is to be taken differently. Searches begin there; no answer depends on it
    /// otherwise. They hold until others are suggested.
    fn suggest(&mut self, values: &Assignment) {
        let _ = values;
    }

    /// Adds the counters of this layer and the ones below to `total`.
    fn add_statistics(&self, total: &mut Statistics) {
        let _ = total;
    }

    /// The counters of this layer and the ones below.
    fn statistics(&self) -> Statistics {
        let mut total = Statistics::default();
        self.add_statistics(&mut total);
        total
    }
}

impl Arithmetic for Box<dyn Arithmetic> {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        (**self).check(terms, conjuncts)
    }

    fn suggest(&mut self, values: &Assignment) {
        (**self).suggest(values);
    }

    fn add_statistics(&self, total: &mut Statistics) {
        (**self).add_statistics(total);
    }
}
