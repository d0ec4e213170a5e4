//! Conditions on truth values alone: colours, flags, and sums of what depends on them.
//!
//! There are few truth values in a structure, so a search that looks at each condition as soon as
//! it is decided answers faster than any solver could be asked.

use std::cell::Cell;

use heapwright_logic::{Term, TermId, Terms, VarId};
use heapwright_solver::arith::Interval;

/// How many truth values are tried; more are left to the solver.
const MOST: usize = 40;

/// How often a truth value is set before the solver is asked.
const TRIES: u32 = 20_000;

/// How deeply terms are looked into.
const DEPTH: u32 = 100;

/// How many subterms are looked at, one after the other.
const SUBTERMS: u32 = 2_000;

/// Some truth values, by variable.
#[derive(Clone, Debug, Default)]
pub struct Truths {
    known: Vec<(VarId, bool)>,
}

impl FromIterator<(VarId, bool)> for Truths {
    fn from_iter<I: IntoIterator<Item = (VarId, bool)>>(known: I) -> Self {
        Truths {
            known: known.into_iter().collect(),
        }
    }
}

impl Truths {
    fn get(&self, name: VarId) -> Option<bool> {
        let mut known = self.known.iter();
        known
            .find(|(other, _)| *other == name)
            .map(|(_, value)| *value)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, bool)> + '_ {
        self.known.iter().copied()
    }

    /// The truth value of a condition, if these decide it.
    pub fn decide(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        Evaluation::new(self, terms).truth(condition, DEPTH)
    }

    /// The numbers that a term can be.
    pub fn bounds(&self, terms: &Terms, term: TermId) -> Interval {
        Evaluation::new(self, terms).interval(term, DEPTH)
    }
}

/// Looking at a term, as deeply and as long as is worth it.
struct Evaluation<'t> {
    truths: &'t Truths,
    terms: &'t Terms,
    /// How many subterms may still be looked at: shared ones are looked at again and again.
    left: Cell<u32>,
}

impl<'t> Evaluation<'t> {
    fn new(truths: &'t Truths, terms: &'t Terms) -> Evaluation<'t> {
        let left = Cell::new(SUBTERMS);
        Evaluation {
            truths,
            terms,
            left,
        }
    }

    /// The depth that is left below a term, unless it is not worth it.
    fn below(&self, depth: u32) -> Option<u32> {
        self.left.set(self.left.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    fn truth(&self, condition: TermId, depth: u32) -> Option<bool> {
        let depth = self.below(depth)?;
        let truth = |condition: TermId| self.truth(condition, depth);
        match self.terms.get(condition) {
            Term::Bool(value) => Some(*value),
            Term::Var(name) => self.truths.get(*name),
            Term::Not(inner) => truth(*inner).map(|value| !value),
            Term::And(list) => all(list.iter().map(|&part| truth(part))),
            Term::Or(list) => {
                let negated = list.iter().map(|&part| truth(part).map(|value| !value));
                all(negated).map(|value| !value)
            }
            Term::Ite(condition, then, otherwise) => match truth(*condition) {
                Some(true) => truth(*then),
                Some(false) => truth(*otherwise),
                None => {
                    let then = truth(*then)?;
                    (truth(*otherwise)? == then).then_some(then)
                }
            },
            Term::Eq(a, b) => Some(truth(*a)? == truth(*b)?),
            Term::AtMostZero(sum) => {
                let sum = Interval::of_linear(sum, |term| self.interval(term, depth));
                match (sum.high <= 0, sum.low > 0) {
                    (true, _) => Some(true),
                    (_, true) => Some(false),
                    _ => None,
                }
            }
            Term::IsZero(sum) => {
                let sum = Interval::of_linear(sum, |term| self.interval(term, depth));
                match (sum.singleton(), sum.contains(0)) {
                    (Some(number), _) => Some(number == 0),
                    (None, false) => Some(false),
                    (None, true) => None,
                }
            }
            _ => None,
        }
    }

    fn interval(&self, term: TermId, depth: u32) -> Interval {
        let Some(depth) = self.below(depth) else {
            return Interval::of_sort(self.terms.sort(term));
        };
        let interval = |term: TermId| self.interval(term, depth);
        match self.terms.get(term) {
            Term::Linear(sum) => Interval::of_linear(sum, interval),
            Term::Wrap(ty, inner) => interval(*inner).wrap(*ty),
            Term::Int(op, a, b) => Interval::apply(*op, interval(*a), interval(*b)),
            Term::Ite(condition, then, otherwise) => match self.truth(*condition, depth) {
                Some(true) => interval(*then),
                Some(false) => interval(*otherwise),
                None => interval(*then).hull(interval(*otherwise)),
            },
            _ => Interval::of_sort(self.terms.sort(term)),
        }
    }
}

/// Whether all parts hold, as far as they are known.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut is_known = true;
    for part in parts {
        match part {
            Some(true) => {}
            Some(false) => return Some(false),
            None => is_known = false,
        }
    }
    is_known.then_some(true)
}

/// What a search for truth values comes to.
#[derive(Clone, Debug)]
pub enum Found {
    /// These satisfy all conditions.
    Truths(Truths),
    /// None do.
    None,
    /// It was too much.
    Unknown,
}

/// Searches for truth values that satisfy conditions. The variables are given with the conditions
/// that they occur in; what is preferred is tried first.
pub fn find(
    terms: &Terms,
    conditions: &[(TermId, &[VarId])],
    preferred: impl Fn(VarId) -> bool,
) -> Found {
    let mut variables: Vec<(VarId, Vec<TermId>)> = Vec::new();
    for (condition, names) in conditions {
        for name in *names {
            match variables.iter_mut().find(|(known, _)| known == name) {
                Some((_, list)) => list.push(*condition),
                None => variables.push((*name, vec![*condition])),
            }
        }
    }
    if variables.len() > MOST {
        return Found::Unknown;
    }
    let mut truths = Truths::default();
    if (conditions.iter()).any(|(condition, _)| truths.decide(terms, *condition) == Some(false)) {
        return Found::None;
    }
    let mut tries = 0;
    // Whether the second value of each variable was tried.
    let mut second: Vec<bool> = Vec::new();
    loop {
        let position = truths.known.len();
        let Some((name, concerned)) = variables.get(position) else {
            let is_decided = |(condition, _): &(TermId, &[VarId])| {
                truths.decide(terms, *condition) == Some(true)
            };
            return match conditions.iter().all(is_decided) {
                true => Found::Truths(truths),
                false => Found::Unknown,
            };
        };
        let mut value = preferred(*name);
        if second.len() > position {
            value = !value;
            if let Some(second) = second.get_mut(position) {
                *second = true;
            }
        } else {
            second.push(false);
        }
        tries += 1;
        if tries > TRIES {
            return Found::Unknown;
        }
        truths.known.push((*name, value));
        let fails = |condition: &TermId| truths.decide(terms, *condition) == Some(false);
        if !concerned.iter().any(fails) {
            continue;
        }
        // Back to the last variable of which one value is left.
        while second.last() == Some(&true) {
            second.pop();
        }
        if second.is_empty() {
            return Found::None;
        }
        truths.known.truncate(second.len() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_logic::Sort;

    /// All conditions of a small language on four truth values, decided by trying all values.
    #[test]
    fn the_search_agrees_with_trying_everything() {
        let mut terms = Terms::new();
        let names: Vec<VarId> = (0..4)
            .map(|index| terms.declare(format!("t{index}"), Sort::Bool))
            .collect();
        let literals: Vec<TermId> = names.iter().map(|&name| terms.var(name)).collect();
        let (zero, one) = (terms.int(0), terms.int(1));
        let counted: Vec<TermId> = (literals.iter())
            .map(|&literal| terms.ite(literal, one, zero))
            .collect();
        let mut pool = Vec::new();
        for a in 0..4 {
            for b in 0..4 {
                let not = terms.not(literals[b]);
                pool.push(terms.or([literals[a], not]));
                pool.push(terms.and([literals[a], not]));
                let sum = terms.add(counted[a], counted[(b + 1) % 4]);
                pool.push(terms.eq(sum, counted[b]));
                pool.push(terms.lt(counted[a], sum));
                pool.push(terms.not(literals[a]));
            }
        }
        let mut feasible = 0;
        for (first, &a) in pool.iter().enumerate() {
            for (second, &b) in pool.iter().enumerate() {
                let c = pool[(7 * first + 3 * second) % pool.len()];
                let conditions = [(a, &names[..]), (b, &names[..]), (c, &names[..])];
                let expected = (0..16u32).any(|bits| {
                    let values = names.iter().enumerate();
                    let known = values.map(|(index, &name)| (name, bits & (1 << index) != 0));
                    let truths = Truths {
                        known: known.collect(),
                    };
                    let holds = |term| truths.decide(&terms, term) == Some(true);
                    [a, b, c].into_iter().all(holds)
                });
                match find(&terms, &conditions, |_| false) {
                    Found::Truths(truths) => {
                        feasible += 1;
                        assert!(expected);
                        for term in [a, b, c] {
                            assert_eq!(truths.decide(&terms, term), Some(true));
                        }
                    }
                    Found::None => assert!(!expected),
                    Found::Unknown => panic!("four truth values are few"),
                }
            }
        }
        assert!(feasible > 100);
    }
}
