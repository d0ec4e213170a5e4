//! The last few satisfying assignments are tried again before anything else.
//!
//! Questions of an exploration share long prefixes, so the answer to one is often an answer to
//! the next.

use std::collections::VecDeque;

use heapwright_logic::{TermId, Terms};

use super::evaluate::satisfies;
use super::statistics::Statistics;
use super::{ArithAnswer, Arithmetic, Assignment};

/// Remembers satisfying assignments.
pub struct Reuse<A> {
    inner: A,
    capacity: usize,
    /// Most recent first.
    models: VecDeque<Assignment>,
    statistics: Statistics,
}

impl<A: Arithmetic> Reuse<A> {
    /// Around another layer, remembering up to `capacity` assignments.
    pub fn new(inner: A, capacity: usize) -> Self {
        Reuse {
            inner,
            capacity,
            models: VecDeque::new(),
            statistics: Statistics::default(),
        }
    }
}

impl<A: Arithmetic> Arithmetic for Reuse<A> {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        let fits = |model: &Assignment| satisfies(terms, model, conjuncts) == Some(true);
        if let Some(index) = self.models.iter().position(fits) {
            self.statistics.reused_models += 1;
            let model = self.models.remove(index).unwrap_or_default();
            self.models.push_front(model.clone());
            return ArithAnswer::Sat(model);
        }
        let outcome = self.inner.check(terms, conjuncts);
        if let ArithAnswer::Sat(assignment) = &outcome
            && self.capacity > 0
        {
            self.models.truncate(self.capacity - 1);
            self.models.push_front(assignment.clone());
        }
        outcome
    }

    fn suggest(&mut self, values: &Assignment) {
        self.inner.suggest(values);
    }

    fn add_statistics(&self, total: &mut Statistics) {
        total.add(&self.statistics);
        self.inner.add_statistics(total);
    }
}
