//! The outermost layer: every satisfying assignment is checked by evaluation.

use heapwright_logic::{TermId, Terms};

use super::evaluate::satisfies;
use super::statistics::Statistics;
use super::{ArithAnswer, Arithmetic, Assignment};

/// Checks what the layers below answer.
pub struct Validate<A> {
    inner: A,
    statistics: Statistics,
}

impl<A: Arithmetic> Validate<A> {
    /// Around another layer.
    pub fn new(inner: A) -> Self {
        Validate {
            inner,
            statistics: Statistics::default(),
        }
    }
}

impl<A: Arithmetic> Arithmetic for Validate<A> {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        self.statistics.questions += 1;
        self.statistics.conjuncts += conjuncts.len() as u64;
        let outcome = self.inner.check(terms, conjuncts);
        let ArithAnswer::Sat(assignment) = &outcome else {
            return outcome;
        };
        match satisfies(terms, assignment, conjuncts) {
            Some(true) => outcome,
            Some(false) => {
                self.statistics.invalid_models += 1;
                debug_assert!(false, "an assignment that does not satisfy its question");
                ArithAnswer::Unknown(
                    "the assignment found does not satisfy the question".to_owned(),
                )
            }
            None => ArithAnswer::Unknown("the assignment found cannot be evaluated".to_owned()),
        }
    }

    fn suggest(&mut self, values: &Assignment) {
        self.inner.suggest(values);
    }

    fn add_statistics(&self, total: &mut Statistics) {
        total.add(&self.statistics);
        self.inner.add_statistics(total);
    }
}
