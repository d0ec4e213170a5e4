//! Smaller values for the models of the backend.
//!
//! Z3 gives any values. People read the inputs that come out of them, so each variable is
//! tried with values nearer to zero, by evaluation only. The order of the attempts is fixed,
//! and their number bounded.

use heapwright_logic::{TermId, Terms, Value, VarId};

use super::evaluate::satisfies;
use super::statistics::Statistics;
use super::{ArithAnswer, Arithmetic, Assignment};

/// Makes satisfying assignments smaller.
pub struct Shrink<A> {
    inner: A,
    evaluations: u32,
}

impl<A: Arithmetic> Shrink<A> {
    /// Around another layer, with at most `evaluations` attempts per question.
    pub fn new(inner: A, evaluations: u32) -> Self {
        Shrink { inner, evaluations }
    }
}

impl<A: Arithmetic> Arithmetic for Shrink<A> {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        match self.inner.check(terms, conjuncts) {
            ArithAnswer::Sat(assignment) => {
                ArithAnswer::Sat(shrink(terms, conjuncts, assignment, self.evaluations))
            }
            outcome => outcome,
        }
    }

    fn suggest(&mut self, values: &Assignment) {
        self.inner.suggest(values);
    }

    fn add_statistics(&self, total: &mut Statistics) {
        self.inner.add_statistics(total);
    }
}

fn shrink(
    terms: &Terms,
    conjuncts: &[TermId],
    mut assignment: Assignment,
    mut attempts: u32,
) -> Assignment {
    let mut variables: Vec<VarId> = assignment.keys().copied().collect();
    variables.sort_unstable();
    for variable in variables {
        let original = assignment[&variable];
        let Value::Int(value) = original else {
            continue;
        };
        for candidate in [0, 1, -1, value / 1024, value / 32, value / 2] {
            if candidate.unsigned_abs() >= value.unsigned_abs() {
                continue;
            }
            if attempts == 0 {
                return assignment;
            }
            attempts -= 1;
            assignment.insert(variable, Value::Int(candidate));
            if satisfies(terms, &assignment, conjuncts) == Some(true) {
                break;
            }
            assignment.insert(variable, original);
        }
    }
    assignment
}
