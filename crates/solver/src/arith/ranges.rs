//! Bound propagation: which values each integer term can take if all conjuncts hold.
//!
//! Bounds flow from subterms to terms (by [`interval_of`]) and from comparisons, sums and
//! wraps back to their operands, until nothing changes or a fixed number of rounds is over.
//! Each bound carries the conjuncts it was derived from.

use heapwright_logic::{Linear, Sort, Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::interval::{Interval, interval_of};
use super::order::subterms_first;
use super::reasons::Reasons;

/// Rounds of propagation. Chains of inequalities need few; loops such as `x < y < x` over wide
/// ranges would need as many as the range has members.
const MAX_ROUNDS: usize = 12;
/// How deep formulas are looked into.
const MAX_DEPTH: u32 = 32;

#[derive(Clone, Copy)]
struct Bound {
    interval: Interval,
    low_why: Reasons,
    high_why: Reasons,
}

impl Bound {
    fn why(self) -> Reasons {
        self.low_why.and(self.high_why)
    }
}

/// What is known about the integer terms of a question.
pub struct Ranges {
    bounds: FxHashMap<TermId, Bound>,
    variables: FxHashMap<VarId, TermId>,
    /// Why the conjuncts cannot all hold, if that was found out.
    pub conflict: Option<Reasons>,
    changed: bool,
}

impl Ranges {
    /// Propagates the bounds of a question.
    pub fn of(terms: &Terms, conjuncts: &[TermId]) -> Ranges {
        let mut order = subterms_first(terms, conjuncts.iter().copied(), |_| false);
        order.retain(|&term| terms.sort(term).is_integer());
        let mut ranges = Ranges {
            bounds: FxHashMap::default(),
            variables: FxHashMap::default(),
            conflict: None,
            changed: false,
        };
        for &term in &order {
            let interval = interval_of(terms, term, |child| ranges.interval(child));
            let bound = Bound {
                interval,
                low_why: Reasons::NONE,
                high_why: Reasons::NONE,
            };
            ranges.bounds.insert(term, bound);
            if let Term::Var(variable) = terms.get(term) {
                ranges.variables.insert(*variable, term);
            }
        }
        for _ in 0..MAX_ROUNDS {
            ranges.changed = false;
            for (position, &conjunct) in conjuncts.iter().enumerate() {
                ranges.assume(terms, conjunct, Reasons::of(position), 0);
            }
            for &term in &order {
                ranges.upwards(terms, term);
            }
            for &term in order.iter().rev() {
                ranges.downwards(terms, term);
            }
            if !ranges.changed || ranges.conflict.is_some() {
                break;
            }
        }
        ranges
    }

    /// The values that a term of the question can take.
    pub fn interval(&self, term: TermId) -> Interval {
        (self.bounds.get(&term)).map_or(Interval::ALL, |bound| bound.interval)
    }

    /// The values that a variable can take.
    pub fn variable(&self, terms: &Terms, variable: VarId) -> Interval {
        match self.variables.get(&variable) {
            Some(&term) => self.interval(term),
            None => Interval::of_sort(terms.variable(variable).sort),
        }
    }

    /// The conjuncts from which the lower and the upper bound of a variable follow.
    pub fn why(&self, variable: VarId) -> (Reasons, Reasons) {
        let bound = (self.variables.get(&variable)).and_then(|term| self.bounds.get(term));
        bound.map_or((Reasons::NONE, Reasons::NONE), |bound| {
            (bound.low_why, bound.high_why)
        })
    }

    fn bound(&self, term: TermId) -> Bound {
        (self.bounds.get(&term)).copied().unwrap_or(Bound {
            interval: Interval::ALL,
            low_why: Reasons::NONE,
            high_why: Reasons::NONE,
        })
    }

    fn fail(&mut self, why: Reasons) {
        if self.conflict.is_none() {
            self.conflict = Some(why);
        }
    }

    fn tighten(&mut self, term: TermId, interval: Interval, why: Reasons) {
        let Some(bound) = self.bounds.get_mut(&term) else {
            return;
        };
        if interval.low > bound.interval.low {
            bound.interval.low = interval.low;
            bound.low_why = why;
            self.changed = true;
        }
        if interval.high < bound.interval.high {
            bound.interval.high = interval.high;
            bound.high_why = why;
            self.changed = true;
        }
        if bound.interval.is_empty() {
            let why = bound.why();
            self.fail(why);
        }
    }

    /// Uses a formula that is known to hold.
    fn assume(&mut self, terms: &Terms, formula: TermId, why: Reasons, depth: u32) {
        if self.conflict.is_some() || depth > MAX_DEPTH {
            return;
        }
        match terms.get(formula) {
            Term::Bool(false) => self.fail(why),
            Term::AtMostZero(linear) => self.at_most(linear, 0, why),
            Term::IsZero(linear) => {
                self.at_most(linear, 0, why);
                self.at_least(linear, 0, why);
            }
            Term::Not(inner) => match terms.get(*inner) {
                Term::IsZero(linear) => self.is_not_zero(linear, why),
                Term::AtMostZero(linear) => self.at_least(linear, 1, why),
                _ => {}
            },
            Term::And(list) => {
                for &conjunct in list {
                    self.assume(terms, conjunct, why, depth + 1);
                }
            }
            Term::Or(list) => {
                let mut possible = None;
                let mut why = why;
                for &disjunct in list {
                    match self.truth(terms, disjunct, depth + 1) {
                        (Some(false), because) => why = why.and(because),
                        _ if possible.is_some() => return,
                        _ => possible = Some(disjunct),
                    }
                }
                match possible {
                    None => self.fail(why),
                    Some(disjunct) => self.assume(terms, disjunct, why, depth + 1),
                }
            }
            _ => {}
        }
    }

    /// `linear <= limit`
    fn at_most(&mut self, linear: &Linear, limit: i128, why: Reasons) {
        self.sum_at_most(linear, 1, limit, why);
    }

    /// `linear >= limit`
    fn at_least(&mut self, linear: &Linear, limit: i128, why: Reasons) {
        if let Some(limit) = limit.checked_neg() {
            self.sum_at_most(linear, -1, limit, why);
        }
    }

    /// `sign * linear <= limit`: each summand is at most what the others leave at least.
    fn sum_at_most(&mut self, linear: &Linear, sign: i128, limit: i128, why: Reasons) {
        let smallest = |ranges: &Ranges, term: TermId, coefficient: i128| {
            let bound = ranges.bound(term);
            let interval = bound.interval.scale(coefficient);
            let reason = if coefficient > 0 {
                bound.low_why
            } else {
                bound.high_why
            };
            (interval.low, reason)
        };
        let Some(constant) = linear.constant.checked_mul(sign) else {
            return;
        };
        let coefficient_of = |coefficient: i128| coefficient.checked_mul(sign);
        if linear.summands.is_empty() {
            if constant > limit {
                self.fail(why);
            }
            return;
        }
        for (index, &(term, coefficient)) in linear.summands.iter().enumerate() {
            let Some(coefficient) = coefficient_of(coefficient) else {
                return;
            };
            let mut room = limit.checked_sub(constant);
            let mut because = why;
            for (other, &(summand, factor)) in linear.summands.iter().enumerate() {
                if other != index {
                    let Some(factor) = coefficient_of(factor) else {
                        return;
                    };
                    let (low, reason) = smallest(self, summand, factor);
                    because = because.and(reason);
                    room = match low {
                        i128::MIN => None,
                        low => room.and_then(|room| room.checked_sub(low)),
                    };
                }
            }
            let Some(room) = room else { continue };
            // coefficient * term <= room
            let interval = if coefficient > 0 {
                Interval::new(i128::MIN, room.div_euclid(coefficient))
            } else {
                let quotient = coefficient.checked_neg().map(|by| room.div_euclid(by));
                match quotient.and_then(i128::checked_neg) {
                    Some(low) => Interval::new(low, i128::MAX),
                    None => continue,
                }
            };
            self.tighten(term, interval, because);
            if self.conflict.is_some() {
                return;
            }
        }
    }

    fn is_not_zero(&mut self, linear: &Linear, why: Reasons) {
        // A value at the edge of the range of a lone unknown can be cut off.
        let mut unknown = None;
        let mut rest = Some(linear.constant);
        let mut because = why;
        for &(term, coefficient) in &linear.summands {
            let bound = self.bound(term);
            match bound.interval.singleton() {
                Some(value) => {
                    let product = value.checked_mul(coefficient);
                    rest = rest.and_then(|rest| rest.checked_add(product?));
                    because = because.and(bound.why());
                }
                None if unknown.is_none() => unknown = Some((term, coefficient)),
                None => return,
            }
        }
        let Some(rest) = rest else { return };
        let Some((term, coefficient)) = unknown else {
            if rest == 0 {
                self.fail(because);
            }
            return;
        };
        let (Some(0), Some(excluded)) =
            (rest.checked_rem(coefficient), rest.checked_div(coefficient))
        else {
            return;
        };
        let Some(excluded) = excluded.checked_neg() else {
            return;
        };
        let bound = self.bound(term);
        if bound.interval.low == excluded && excluded != i128::MAX {
            let interval = Interval::new(excluded + 1, i128::MAX);
            self.tighten(term, interval, because.and(bound.low_why));
        } else if bound.interval.high == excluded && excluded != i128::MIN {
            let interval = Interval::new(i128::MIN, excluded - 1);
            self.tighten(term, interval, because.and(bound.high_why));
        }
    }

    /// Whether the ranges decide a formula, and which conjuncts they rest on.
    fn truth(&self, terms: &Terms, formula: TermId, depth: u32) -> (Option<bool>, Reasons) {
        let unknown = (None, Reasons::NONE);
        if depth > MAX_DEPTH {
            return unknown;
        }
        match terms.get(formula) {
            Term::Bool(value) => (Some(*value), Reasons::NONE),
            Term::AtMostZero(linear) | Term::IsZero(linear) => {
                let interval = Interval::of_linear(linear, |term| self.interval(term));
                let why = (linear.summands.iter()).fold(Reasons::NONE, |why, &(term, _)| {
                    why.and(self.bound(term).why())
                });
                match decide(terms, formula, interval) {
                    Some(value) => (Some(value), why),
                    None => unknown,
                }
            }
            Term::Not(inner) => {
                let (value, why) = self.truth(terms, *inner, depth + 1);
                (value.map(|value| !value), why)
            }
            Term::And(list) => self.junction(terms, list, false, depth),
            Term::Or(list) => self.junction(terms, list, true, depth),
            _ => unknown,
        }
    }

    fn junction(
        &self,
        terms: &Terms,
        list: &[TermId],
        deciding: bool,
        depth: u32,
    ) -> (Option<bool>, Reasons) {
        let mut all = Some(!deciding);
        let mut why = Reasons::NONE;
        for &term in list {
            match self.truth(terms, term, depth + 1) {
                (Some(value), because) if value == deciding => return (Some(deciding), because),
                (Some(_), because) => why = why.and(because),
                (None, _) => all = None,
            }
        }
        (all, why)
    }

    /// A term lies where its subterms put it.
    fn upwards(&mut self, terms: &Terms, term: TermId) {
        if terms.as_var(term).is_some() || self.conflict.is_some() {
            return;
        }
        let interval = interval_of(terms, term, |child| self.interval(child));
        let current = self.interval(term);
        if !current.within(interval) {
            let integer_children = terms.children(term);
            let why = (integer_children.iter())
                .filter(|child| terms.sort(**child) != Sort::Bool)
                .fold(Reasons::NONE, |why, child| {
                    why.and(self.bound(*child).why())
                });
            self.tighten(term, interval, why);
        }
    }

    /// Its subterms lie where the term is.
    fn downwards(&mut self, terms: &Terms, term: TermId) {
        if self.conflict.is_some() {
            return;
        }
        let bound = self.bound(term);
        match terms.get(term) {
            Term::Linear(linear) => {
                let interval = bound.interval;
                if interval.high != i128::MAX {
                    self.at_most(linear, interval.high, bound.high_why);
                }
                if interval.low != i128::MIN {
                    self.at_least(linear, interval.low, bound.low_why);
                }
            }
            // A wrap that changes nothing.
            Term::Wrap(ty, a) if self.interval(*a).within(Interval::of_type(*ty)) => {
                let why = bound.why().and(self.bound(*a).why());
                if !self.interval(*a).within(bound.interval) {
                    self.tighten(*a, bound.interval, why);
                }
            }
            _ => {}
        }
    }
}

/// Whether `linear <= 0` or `linear = 0` is decided by the interval of the sum.
pub fn decide(terms: &Terms, comparison: TermId, sum: Interval) -> Option<bool> {
    match terms.get(comparison) {
        Term::AtMostZero(_) if sum.high <= 0 => Some(true),
        Term::AtMostZero(_) if sum.low > 0 => Some(false),
        Term::IsZero(_) if sum == Interval::constant(0) => Some(true),
        Term::IsZero(_) if !sum.contains(0) => Some(false),
        _ => None,
    }
}
