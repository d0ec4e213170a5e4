//! The layer that propagates bounds.
//!
//! It finds contradictions between bounds, and rewrites what the bounds decide: comparisons,
//! wraps that cannot overflow, masks and remainders that change nothing. The bounds that
//! justify the rewriting become conjuncts of their own, so the rewritten question means the
//! same even where it was a conjunct itself that gave the bound.

use heapwright_logic::{IntOp, Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::interval::{Interval, interval_of};
use super::order::subterms_first;
use super::ranges::{Ranges, decide};
use super::reasons::{Derived, Reasons, original_core};
use super::statistics::Statistics;
use super::{ArithAnswer, Arithmetic, Assignment};

/// Propagates bounds before asking the next layer.
pub struct Intervals<A> {
    inner: A,
    statistics: Statistics,
}

impl<A: Arithmetic> Intervals<A> {
    /// Around another layer.
    pub fn new(inner: A) -> Self {
        Intervals {
            inner,
            statistics: Statistics::default(),
        }
    }
}

impl<A: Arithmetic> Arithmetic for Intervals<A> {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        let ranges = Ranges::of(terms, conjuncts);
        if let Some(conflict) = ranges.conflict {
            self.statistics.intervals += 1;
            return ArithAnswer::Unsat(conflict.select(conjuncts));
        }
        let Some(derived) = rewrite(terms, conjuncts, &ranges) else {
            return self.inner.check(terms, conjuncts);
        };
        let rewritten: Vec<_> = derived.iter().map(|item| item.formula).collect();
        match self.inner.check(terms, &rewritten) {
            ArithAnswer::Unsat(core) => {
                ArithAnswer::Unsat(original_core(&derived, &core, conjuncts))
            }
            outcome => outcome,
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

/// A conjunction rewritten by the bounds that follow from it: an equivalent one in which wraps
/// that cannot overflow are gone. Nothing if it changes nothing, or is contradictory.
pub fn rewritten(terms: &mut Terms, conjuncts: &[TermId]) -> Option<Vec<TermId>> {
    let ranges = Ranges::of(terms, conjuncts);
    if ranges.conflict.is_some() {
        return None;
    }
    let derived = rewrite(terms, conjuncts, &ranges)?;
    Some(derived.into_iter().map(|item| item.formula).collect())
}

/// The question rewritten by the ranges of its variables, or nothing if they change nothing.
fn rewrite(terms: &mut Terms, conjuncts: &[TermId], ranges: &Ranges) -> Option<Vec<Derived>> {
    let order = subterms_first(terms, conjuncts.iter().copied(), |_| false);
    let mut intervals: FxHashMap<TermId, Interval> = FxHashMap::default();
    let mut rewritten: FxHashMap<TermId, TermId> = FxHashMap::default();
    // What the ranges of the variables below each term depend on.
    let mut reasons: FxHashMap<TermId, Reasons> = FxHashMap::default();
    let mut variables = Vec::new();
    for &term in &order {
        let why = match terms.get(term) {
            Term::Var(variable) => {
                let (low, high) = ranges.why(*variable);
                variables.push((*variable, term));
                low.and(high)
            }
            _ => (terms.children(term).iter())
                .fold(Reasons::NONE, |why, child| why.and(reasons[child])),
        };
        reasons.insert(term, why);
        if terms.sort(term).is_integer() {
            let interval = match terms.get(term) {
                Term::Var(variable) => ranges.variable(terms, *variable),
                _ => interval_of(terms, term, |child| intervals[&child]),
            };
            intervals.insert(term, interval);
        }
        let plain = terms.with_children(term, |child| rewritten[&child]);
        let simpler = simplify(terms, term, &intervals, &rewritten).unwrap_or(plain);
        rewritten.insert(term, simpler);
    }
    if conjuncts.iter().all(|term| rewritten[term] == *term) {
        return None;
    }
    let mut derived: Vec<Derived> = Vec::with_capacity(conjuncts.len());
    for (position, conjunct) in conjuncts.iter().enumerate() {
        let formula = rewritten[conjunct];
        if formula == *conjunct {
            let reasons = Reasons::of(position);
            derived.push(Derived { formula, reasons });
        } else if formula != Terms::TRUE {
            let reasons = Reasons::of(position).and(reasons[conjunct]);
            derived.push(Derived { formula, reasons });
        }
    }
    for (variable, term) in variables {
        push_bounds(terms, variable, term, ranges, &mut derived);
    }
    Some(derived)
}

/// Adds the bounds of a variable that its sort does not imply.
fn push_bounds(
    terms: &mut Terms,
    variable: VarId,
    term: TermId,
    ranges: &Ranges,
    derived: &mut Vec<Derived>,
) {
    let sort = terms.variable(variable).sort;
    if !sort.is_integer() {
        return;
    }
    let (natural, range) = (Interval::of_sort(sort), ranges.variable(terms, variable));
    let (low_why, high_why) = ranges.why(variable);
    let mut push = |formula: TermId, reasons: Reasons| {
        if derived.iter().all(|item| item.formula != formula) {
            derived.push(Derived { formula, reasons });
        }
    };
    if range.low > natural.low {
        let low = terms.int(range.low);
        push(terms.le(low, term), low_why);
    }
    if range.high < natural.high {
        let high = terms.int(range.high);
        push(terms.le(term, high), high_why);
    }
}

/// What a term is equal to while its variables stay in their ranges, if that is simpler.
fn simplify(
    terms: &mut Terms,
    term: TermId,
    intervals: &FxHashMap<TermId, Interval>,
    rewritten: &FxHashMap<TermId, TermId>,
) -> Option<TermId> {
    if let Some(value) = intervals
        .get(&term)
        .and_then(|interval| interval.singleton())
    {
        return Some(terms.int(value));
    }
    match terms.get(term).clone() {
        Term::AtMostZero(linear) | Term::IsZero(linear) => {
            let sum = Interval::of_linear(&linear, |summand| intervals[&summand]);
            decide(terms, term, sum).map(|value| terms.bool(value))
        }
        Term::Wrap(ty, a) if intervals[&a].within(Interval::of_type(ty)) => Some(rewritten[&a]),
        Term::Int(IntOp::Rem, a, b) => {
            let divisor = intervals[&b].singleton()?.checked_abs()?;
            let unchanged = Interval::new(1 - divisor, divisor - 1);
            (divisor > 0 && intervals[&a].within(unchanged)).then(|| rewritten[&a])
        }
        Term::Int(IntOp::And, a, b) => {
            let kept = |mask: TermId, operand: TermId| {
                let mask = intervals[&mask].singleton()?;
                let full = mask > 0 && mask & mask.checked_add(1)? == 0;
                (full && intervals[&operand].within(Interval::new(0, mask)))
                    .then(|| rewritten[&operand])
            };
            kept(a, b).or_else(|| kept(b, a))
        }
        _ => None,
    }
}
