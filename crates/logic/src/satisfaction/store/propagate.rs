//! What constraints imply: values, bounds and contradictions.

use crate::eval::EvalError;
use crate::heap::Value;

use super::super::constraint::{Closure, Constraint, Relation};
use super::super::linear::Sum;
use super::super::values::encode;
use super::Store;

/// Whether a constraint holds, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    Holds,
    Fails,
    Open,
}

/// A contradiction, with the constraint behind the bound that was hit, if it was one.
pub(super) struct Contradicted {
    pub bound: Option<u32>,
}

impl Contradicted {
    pub const ALONE: Contradicted = Contradicted { bound: None };
}

impl Store<'_> {
    pub(super) fn enforce(&mut self, constraint: &Constraint) -> Result<(), Contradicted> {
        match constraint {
            Constraint::Compare(relation, sum) => self.enforce_compare(*relation, sum),
            Constraint::All(list) => list.iter().try_for_each(|part| self.enforce(part)),
            Constraint::Any(list) => {
                let mut last_open = None;
                for part in list {
                    match self.status(part) {
                        Status::Holds => return Ok(()),
                        Status::Fails => {}
                        // Two alternatives are left: nothing follows yet.
                        Status::Open if last_open.is_some() => return Ok(()),
                        Status::Open => last_open = Some(part),
                    }
                }
                last_open.map_or(Err(Contradicted::ALONE), |part| self.enforce(part))
            }
            Constraint::Opaque { .. } => match self.status(constraint) {
                Status::Fails => Err(Contradicted::ALONE),
                _ => Ok(()),
            },
            Constraint::Defines { unknown, term } => match self.evaluate(term) {
                Some(Ok(value)) => self.set(*unknown, encode(value)),
                Some(Err(contradicted)) => Err(contradicted),
                None => Ok(()),
            },
        }
    }

    pub(super) fn enforce_compare(
        &mut self,
        relation: Relation,
        sum: &Sum,
    ) -> Result<(), Contradicted> {
        let Some(rest) = sum.evaluate_known(|unknown| self.value(unknown)) else {
            self.overflowed = true;
            return Err(Contradicted::ALONE);
        };
        let [(unknown, factor)] = rest.summands[..] else {
            return match self.compare_status(relation, &rest) {
                Status::Fails => Err(Contradicted::ALONE),
                _ => Ok(()),
            };
        };
        // factor * unknown + constant  relation  0
        let Some(target) = rest.constant.checked_neg() else {
            return Ok(());
        };
        let exact = (target.checked_rem(factor) == Some(0)).then(|| target / factor);
        match relation {
            Relation::Zero => match exact {
                Some(value) => self.set(unknown, value),
                None => Err(Contradicted::ALONE),
            },
            Relation::NotZero => {
                let Some(value) = exact else { return Ok(()) };
                let (low, high) = self.bounds(unknown);
                let low = (low == Some(value)).then(|| value.saturating_add(1));
                let high = (high == Some(value)).then(|| value.saturating_sub(1));
                self.narrow(unknown, low, high)
            }
            Relation::AtMostZero if factor > 0 => {
                self.narrow(unknown, None, Some(target.div_euclid(factor)))
            }
            Relation::AtMostZero => {
                // factor < 0: the unknown is at least target / factor, rounded up; Euclidean
                // division by a negative number rounds exactly so.
                self.narrow(unknown, Some(target.div_euclid(factor)), None)
            }
        }
    }

    pub(super) fn status(&mut self, constraint: &Constraint) -> Status {
        match constraint {
            Constraint::Compare(relation, sum) => {
                match sum.evaluate_known(|unknown| self.value(unknown)) {
                    Some(rest) => self.compare_status(*relation, &rest),
                    None => {
                        self.overflowed = true;
                        Status::Fails
                    }
                }
            }
            Constraint::All(list) => {
                let mut status = Status::Holds;
                for part in list {
                    match self.status(part) {
                        Status::Fails => return Status::Fails,
                        Status::Open => status = Status::Open,
                        Status::Holds => {}
                    }
                }
                status
            }
            Constraint::Any(list) => {
                let mut status = Status::Fails;
                for part in list {
                    match self.status(part) {
                        Status::Holds => return Status::Holds,
                        Status::Open => status = Status::Open,
                        Status::Fails => {}
                    }
                }
                status
            }
            Constraint::Opaque { term, expected } => match self.evaluate(term) {
                Some(Ok(value)) if value == Value::Bool(*expected) => Status::Holds,
                Some(_) => Status::Fails,
                None => Status::Open,
            },
            Constraint::Defines { unknown, term } => {
                match (self.evaluate(term), self.value(*unknown)) {
                    (Some(Ok(value)), Some(code)) if encode(value) == code => Status::Holds,
                    (None, _) | (Some(Ok(_)), None) => Status::Open,
                    _ => Status::Fails,
                }
            }
        }
    }

    /// The value of a closed term; nothing while it has unknowns that matter.
    pub(super) fn evaluate(&mut self, closure: &Closure) -> Option<Result<Value, Contradicted>> {
        let (terms, unknowns) = (self.terms, &self.unknowns);
        let value = self.evaluator.evaluate(terms, closure.term, |variable| {
            (closure.environment).value(terms, variable, |u| unknowns[u.index()].value)
        });
        match value {
            Ok(value) => Some(Ok(value)),
            Err(EvalError::Unassigned(_)) => None,
            Err(EvalError::Overflow(_)) => {
                self.overflowed = true;
                Some(Err(Contradicted::ALONE))
            }
            Err(EvalError::IllSorted(_)) => Some(Err(Contradicted::ALONE)),
        }
    }

    /// Status of a sum of unknowns without value, going by their bounds.
    pub(super) fn compare_status(&self, relation: Relation, rest: &Sum) -> Status {
        let (mut least, mut greatest) = (Some(rest.constant), Some(rest.constant));
        for &(unknown, factor) in &rest.summands {
            let knowledge = &self.unknowns[unknown.index()];
            let (at_least, at_most) = match factor > 0 {
                true => (knowledge.low, knowledge.high),
                false => (knowledge.high, knowledge.low),
            };
            least = add_product(least, factor, at_least);
            greatest = add_product(greatest, factor, at_most);
        }
        let (positive, negative) = (
            least.is_some_and(|least| least > 0),
            greatest.is_some_and(|greatest| greatest < 0),
        );
        let at_most_zero = greatest.is_some_and(|greatest| greatest <= 0);
        let is_zero = least == Some(0) && greatest == Some(0);
        match relation {
            Relation::AtMostZero if at_most_zero => Status::Holds,
            Relation::AtMostZero if positive => Status::Fails,
            Relation::Zero if is_zero => Status::Holds,
            Relation::Zero if positive || negative => Status::Fails,
            Relation::NotZero if positive || negative => Status::Holds,
            Relation::NotZero if is_zero => Status::Fails,
            _ => Status::Open,
        }
    }
}

fn add_product(sum: Option<i128>, factor: i128, value: Option<i128>) -> Option<i128> {
    sum?.checked_add(factor.checked_mul(value?)?)
}
