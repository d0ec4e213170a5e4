//! An exact decision procedure for differences of integers.
//!
//! Most path conditions of programs on linked data only compare keys, sizes and bounds with
//! each other: conjunctions (and a few disjunctions) of `x - y <= c`, with machine ranges.
//! These are decided here, in microseconds, with small models and with cores.
//!
//! Conjuncts outside the fragment are left out at first. What remains unsatisfiable without
//! them is unsatisfiable; and a solution of the rest may satisfy them by luck. Otherwise the
//! next layer is asked.

mod graph;
mod literal;
mod search;

use heapwright_logic::{TermId, Terms};

use super::evaluate::satisfies;
use super::statistics::Statistics;
use super::{ArithAnswer, Arithmetic, Assignment};
use graph::Why;
use literal::in_fragment;
use search::{Failure, Search};

/// Decides difference constraints before asking the next layer.
pub struct Differences<A> {
    inner: A,
    splits: u32,
    statistics: Statistics,
}

impl<A: Arithmetic> Differences<A> {
    /// Around another layer, with at most `splits` case splits per question.
    pub fn new(inner: A, splits: u32) -> Self {
        Differences {
            inner,
            splits,
            statistics: Statistics::default(),
        }
    }
}

impl<A: Arithmetic> Arithmetic for Differences<A> {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        if let Some(outcome) = decide(terms, conjuncts, self.splits) {
            self.statistics.differences += 1;
            return outcome;
        }
        self.inner.check(terms, conjuncts)
    }

    fn suggest(&mut self, values: &Assignment) {
        self.inner.suggest(values);
    }

    fn add_statistics(&self, total: &mut Statistics) {
        total.add(&self.statistics);
        self.inner.add_statistics(total);
    }
}

/// Decides a conjunction, or nothing where that takes more than differences or splits.
fn decide(terms: &Terms, conjuncts: &[TermId], splits: u32) -> Option<ArithAnswer> {
    let mut search = Search::new(terms, splits);
    let mut outside = Vec::new();
    for (position, &conjunct) in conjuncts.iter().enumerate() {
        if !in_fragment(terms, conjunct) {
            outside.push(conjunct);
        } else if let Err(conflict) = search.assume(conjunct, position as u32) {
            return Some(core(&conflict, conjuncts));
        }
    }
    match search.solve() {
        Ok(()) => {
            let assignment = search.assignment();
            let lucky = outside.is_empty() || satisfies(terms, &assignment, &outside) == Some(true);
            lucky.then_some(ArithAnswer::Sat(assignment))
        }
        Err(Failure::Conflict(conflict)) => Some(core(&conflict, conjuncts)),
        Err(Failure::Limit) => None,
    }
}

fn core(conflict: &[Why], conjuncts: &[TermId]) -> ArithAnswer {
    let mut positions: Vec<_> = (conflict.iter())
        .filter_map(|why| match why {
            Why::Conjunct(position) => Some(*position as usize),
            Why::Range | Why::Split(_) => None,
        })
        .collect();
    positions.sort_unstable();
    positions.dedup();
    ArithAnswer::Unsat(positions.into_iter().map(|at| conjuncts[at]).collect())
}
