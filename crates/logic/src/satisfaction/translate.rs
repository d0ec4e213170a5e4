//! From terms to constraints over unknowns.
//!
//! Conditionals become alternatives, so that `h = max(l, r) + 1` is a choice between two linear
//! equations. What is not linear stays a closed term that is evaluated once its variables are
//! known.

use std::rc::Rc;

use crate::eval::{EvalError, Evaluator};
use crate::sort::Sort;
use crate::term::{IntOp, Term, TermId, Terms};

use super::constraint::{Closure, Constraint, Environment, Relation, Slot};
use super::linear::{Sum, Unknown};
use super::values::encode;

/// Deeper terms are kept closed instead of being translated.
const MAX_DEPTH: usize = 64;
/// More cases than these are kept closed too.
const MAX_CASES: usize = 64;

/// A sum and the condition under which a term is that sum.
type Case = (Constraint, Sum);

/// Translates terms in one environment.
pub(super) struct Translator<'a, K> {
    pub terms: &'a Terms,
    pub environment: &'a Rc<Environment>,
    /// The values of unknowns as far as they are known.
    pub known: K,
}

impl<K: Fn(Unknown) -> Option<i128>> Translator<'_, K> {
    /// The constraint that a boolean term is true.
    ///
    /// A number that leaves 128 bits yields a closed term, which fails (and says so) when it is
    /// evaluated.
    pub fn condition(&self, term: TermId) -> Constraint {
        self.truth(term, true, 0)
    }

    /// The constraint that `unknown` is the value of a term.
    pub fn definition(&self, unknown: Unknown, term: TermId) -> Constraint {
        let defines = || Constraint::Defines {
            unknown,
            term: self.closure(term),
        };
        if self.terms.sort(term) == Sort::Bool {
            let is = |value| {
                let sum = Sum::unknown(unknown).add_scaled(&Sum::constant(value), -1);
                sum.map(|sum| Constraint::compare(Relation::Zero, sum))
            };
            return match (is(1), is(0)) {
                (Some(one), Some(zero)) => Constraint::any(vec![
                    Constraint::all(vec![one, self.truth(term, true, 0)]),
                    Constraint::all(vec![zero, self.truth(term, false, 0)]),
                ]),
                _ => defines(),
            };
        }
        let cases = self.cases(term, 0).and_then(|cases| {
            self.compare_cases(cases, |sum| {
                let difference = Sum::unknown(unknown).add_scaled(&sum, -1)?;
                Some(Constraint::compare(Relation::Zero, difference))
            })
        });
        cases.unwrap_or_else(defines)
    }

    fn closure(&self, term: TermId) -> Closure {
        Closure {
            term,
            environment: Rc::clone(self.environment),
        }
    }

    fn compare_cases(
        &self,
        cases: Vec<Case>,
        compare: impl Fn(Sum) -> Option<Constraint>,
    ) -> Option<Constraint> {
        let alternatives: Option<Vec<_>> = (cases.into_iter())
            .map(|(guard, sum)| Some(Constraint::all(vec![guard, compare(sum)?])))
            .collect();
        Some(Constraint::any(alternatives?))
    }

    fn truth(&self, term: TermId, expected: bool, depth: usize) -> Constraint {
        (self.try_truth(term, expected, depth)).unwrap_or_else(|| Constraint::Opaque {
            term: self.closure(term),
            expected,
        })
    }

    fn try_truth(&self, term: TermId, expected: bool, depth: usize) -> Option<Constraint> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.terms.get(term) {
            Term::Bool(value) if *value == expected => Some(Constraint::TRUE),
            Term::Bool(_) => Some(Constraint::FALSE),
            Term::Var(_) => {
                let wanted = Sum::constant(i128::from(expected));
                let cases = self.cases(term, depth)?;
                self.compare_cases(cases, |sum| {
                    let difference = sum.add_scaled(&wanted, -1)?;
                    Some(Constraint::compare(Relation::Zero, difference))
                })
            }
            Term::AtMostZero(linear) => {
                let cases = self.linear_cases(linear, depth)?;
                self.compare_cases(cases, |sum| {
                    let sum = match expected {
                        true => sum,
                        false => Sum::constant(1).add_scaled(&sum, -1)?,
                    };
                    Some(Constraint::compare(Relation::AtMostZero, sum))
                })
            }
            Term::IsZero(linear) => {
                let cases = self.linear_cases(linear, depth)?;
                self.compare_cases(cases, |sum| Some(Constraint::compare(equal(expected), sum)))
            }
            Term::Eq(a, b) if self.terms.sort(*a) == Sort::Bool => {
                let both = |value| {
                    Constraint::all(vec![
                        self.truth(*a, value, depth + 1),
                        self.truth(*b, value == expected, depth + 1),
                    ])
                };
                Some(Constraint::any(vec![both(true), both(false)]))
            }
            Term::Eq(a, b) => {
                let (left, right) = (self.cases(*a, depth + 1)?, self.cases(*b, depth + 1)?);
                let mut pairs = Vec::with_capacity(left.len() * right.len());
                for (guard, sum) in &left {
                    for (other_guard, other) in &right {
                        let guard = Constraint::all(vec![guard.clone(), other_guard.clone()]);
                        pairs.push((guard, sum.add_scaled(other, -1)?));
                    }
                }
                self.compare_cases(pairs, |sum| Some(Constraint::compare(equal(expected), sum)))
            }
            Term::Not(inner) => Some(self.truth(*inner, !expected, depth + 1)),
            Term::And(list) | Term::Or(list) => {
                let parts = (list.iter())
                    .map(|&part| self.truth(part, expected, depth + 1))
                    .collect();
                let conjunction = matches!(self.terms.get(term), Term::And(_));
                Some(match conjunction == expected {
                    true => Constraint::all(parts),
                    false => Constraint::any(parts),
                })
            }
            _ => None,
        }
    }

    /// The encoded value of a term as guarded sums, or nothing where it is not linear.
    fn cases(&self, term: TermId, depth: usize) -> Option<Vec<Case>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let plain = |sum| Some(vec![(Constraint::TRUE, sum)]);
        match self.terms.get(term) {
            Term::Var(variable) => match self.environment.get(*variable)? {
                Slot::Known(code) => plain(Sum::constant(code)),
                Slot::Unknown(unknown) => match (self.known)(unknown) {
                    Some(code) => plain(Sum::constant(code)),
                    None => plain(Sum::unknown(unknown)),
                },
            },
            Term::Null => plain(Sum::constant(0)),
            Term::Single(bits) => plain(Sum::constant(i128::from(*bits))),
            Term::Double(bits) => plain(Sum::constant(i128::from(*bits))),
            Term::Linear(linear) => self.linear_cases(linear, depth + 1),
            Term::Ite(condition, then, otherwise) => {
                let mut cases = Vec::new();
                for (branch, value) in [(*then, true), (*otherwise, false)] {
                    let guard = self.truth(*condition, value, depth + 1);
                    for (inner, sum) in self.cases(branch, depth + 1)? {
                        cases.push((Constraint::all(vec![guard.clone(), inner]), sum));
                    }
                }
                (cases.len() <= MAX_CASES).then_some(cases)
            }
            Term::Int(IntOp::Mul, a, b) => {
                let (left, right) = (self.value(*a), self.value(*b));
                let (factor, other) = match (left, right) {
                    (Some(factor), _) => (factor, *b),
                    (_, Some(factor)) => (factor, *a),
                    _ => return None,
                };
                let cases = self.cases(other, depth + 1)?;
                (cases.into_iter())
                    .map(|(guard, sum)| Some((guard, Sum::default().add_scaled(&sum, factor)?)))
                    .collect()
            }
            _ => plain(Sum::constant(self.value(term)?)),
        }
    }

    fn linear_cases(&self, linear: &crate::term::Linear, depth: usize) -> Option<Vec<Case>> {
        let mut sums = vec![(Constraint::TRUE, Sum::constant(linear.constant))];
        for &(summand, coefficient) in &linear.summands {
            let cases = self.cases(summand, depth + 1)?;
            if sums.len() * cases.len() > MAX_CASES {
                return None;
            }
            let mut next = Vec::with_capacity(sums.len() * cases.len());
            for (guard, sum) in &sums {
                for (other_guard, other) in &cases {
                    let guard = Constraint::all(vec![guard.clone(), other_guard.clone()]);
                    next.push((guard, sum.add_scaled(other, coefficient)?));
                }
            }
            sums = next;
        }
        Some(sums)
    }

    /// The encoded value of a term whose variables are all known.
    fn value(&self, term: TermId) -> Option<i128> {
        let value = self.evaluate(&mut Evaluator::default(), term);
        value.ok().map(encode)
    }

    /// Evaluates a term as far as its variables are known.
    pub fn evaluate(
        &self,
        evaluator: &mut Evaluator,
        term: TermId,
    ) -> Result<crate::heap::Value, EvalError> {
        evaluator.evaluate(self.terms, term, |variable| {
            (self.environment).value(self.terms, variable, &self.known)
        })
    }
}

fn equal(expected: bool) -> Relation {
    if expected {
        Relation::Zero
    } else {
        Relation::NotZero
    }
}
