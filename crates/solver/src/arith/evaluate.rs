//! Whether an assignment satisfies a question.
//!
//! The values of terms come from `logic`; here missing variables have the default value of
//! their sort, as [`Assignment`] promises, and comparisons of variables, which most conjuncts
//! are, take a short cut.

use heapwright_logic::{Evaluator, Linear, Term, TermId, Terms, Value, VarId};

use super::Assignment;

/// Whether an assignment gives every variable a value of its sort and makes all formulas true;
/// nothing where a formula cannot be evaluated.
pub fn satisfies(terms: &Terms, assignment: &Assignment, formulas: &[TermId]) -> Option<bool> {
    let mut evaluator = Evaluator::default();
    let mut undecided = false;
    for &formula in formulas {
        let holds = match compare(terms, assignment, formula) {
            Some(holds) => Some(holds),
            None => (evaluator.holds(terms, formula, |variable| {
                value_of(terms, assignment, variable)
            }))
            .ok(),
        };
        match holds {
            Some(true) => {}
            Some(false) => return Some(false),
            None => undecided = true,
        }
    }
    if undecided {
        return None;
    }
    // Values of variables that no formula mentions are looked at too: they are handed on.
    let well_sorted = (assignment.iter()).all(|(&variable, value)| {
        variable.index() < terms.variable_count() && value.has_sort(terms.variable(variable).sort)
    });
    Some(well_sorted)
}

/// The value of a term under an assignment, if it has one.
pub fn value(terms: &Terms, assignment: &Assignment, term: TermId) -> Option<Value> {
    heapwright_logic::evaluate(terms, term, |variable| {
        value_of(terms, assignment, variable)
    })
    .ok()
}

fn value_of(terms: &Terms, assignment: &Assignment, variable: VarId) -> Option<Value> {
    let value = assignment.get(&variable).copied();
    Some(value.unwrap_or_else(|| Value::default_of(terms.variable(variable).sort)))
}

/// The truth of a comparison between variables, without any table of values.
fn compare(terms: &Terms, assignment: &Assignment, formula: TermId) -> Option<bool> {
    match terms.get(formula) {
        Term::AtMostZero(linear) => sum(terms, assignment, linear).map(|sum| sum <= 0),
        Term::IsZero(linear) => sum(terms, assignment, linear).map(|sum| sum == 0),
        Term::Not(inner) => match terms.get(*inner) {
            Term::IsZero(linear) => sum(terms, assignment, linear).map(|sum| sum != 0),
            _ => None,
        },
        _ => None,
    }
}

fn sum(terms: &Terms, assignment: &Assignment, linear: &Linear) -> Option<i128> {
    let mut sum = linear.constant;
    for &(term, coefficient) in &linear.summands {
        let value = match assignment.get(&terms.as_var(term)?) {
            Some(Value::Int(value)) => *value,
            Some(_) => return None,
            None => 0,
        };
        sum = sum.checked_add(value.checked_mul(coefficient)?)?;
    }
    Some(sum)
}
