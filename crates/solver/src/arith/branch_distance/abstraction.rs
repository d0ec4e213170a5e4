//! Questions for the SMT backend, with a variable in place of what it does not know.
//!
//! The variable may take every value that the function can have, so the new question follows
//! from the old one: if it has no solution, neither has the old one.

use std::f64::consts::{FRAC_PI_2, PI};

use heapwright_logic::{FloatType, FpOp, MathFunction, Sort, Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::arith::order::subterms_first;

/// The variables that stand for terms, kept so that a term always gets the same one.
#[derive(Default)]
pub struct Abstraction {
    stand_ins: FxHashMap<TermId, VarId>,
}

/// An abstracted question.
pub struct Abstracted {
    /// The conjuncts in the order of the original ones, then facts about the functions.
    pub conjuncts: Vec<TermId>,
    /// How many of them stand for original ones.
    pub originals: usize,
}

impl Abstraction {
    /// The question without functions that no theory covers; nothing if it has none.
    pub fn of(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> Option<Abstracted> {
        let mut replaced: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut facts = Vec::new();
        let mut any = false;
        for term in subterms_first(terms, conjuncts.iter().copied(), |_| false) {
            let function = match terms.get(term) {
                Term::Apply(function, _) => Some(*function),
                Term::Fp(FpOp::Rem, ..) => None,
                _ => {
                    let rebuilt = terms.with_children(term, |child| known(&replaced, child));
                    replaced.insert(term, rebuilt);
                    continue;
                }
            };
            any = true;
            let sort = terms.sort(term);
            let stand_in =
                *(self.stand_ins.entry(term)).or_insert_with(|| terms.declare("value", sort));
            let stand_in = terms.var(stand_in);
            replaced.insert(term, stand_in);
            facts.extend(function.and_then(|function| range(terms, function, stand_in)));
        }
        if !any {
            return None;
        }
        let originals = conjuncts.iter().map(|&term| known(&replaced, term));
        let mut abstracted: Vec<_> = originals.collect();
        abstracted.extend(facts);
        Some(Abstracted {
            conjuncts: abstracted,
            originals: conjuncts.len(),
        })
    }
}

fn known(replaced: &FxHashMap<TermId, TermId>, term: TermId) -> TermId {
    replaced.get(&term).copied().unwrap_or(term)
}

/// A range that contains all values of a function but NaN, as a formula.
fn range(terms: &mut Terms, function: MathFunction, value: TermId) -> Option<TermId> {
    use MathFunction::*;
    let infinity = f64::INFINITY;
    let (low, high) = match function {
        Sin | Cos | Tanh => (-1.0, 1.0),
        // One value more, since the last place is not promised.
        Asin | Atan => (-FRAC_PI_2.next_up(), FRAC_PI_2.next_up()),
        Acos => (0.0, PI.next_up()),
        Atan2 => (-PI.next_up(), PI.next_up()),
        Cosh => (1.0, infinity),
        Exp | Hypot | Ulp(FloatType::Double) => (0.0, infinity),
        Expm1 => (-1.0, infinity),
        Signum(FloatType::Double) => (-1.0, 1.0),
        GetExponent(ty) => {
            let (low, high) = match ty {
                FloatType::Single => (-127, 128),
                FloatType::Double => (-1023, 1024),
            };
            let (low, high) = (terms.int(low), terms.int(high));
            let bounds = [terms.le(low, value), terms.le(value, high)];
            return Some(terms.and(bounds));
        }
        _ => return None,
    };
    debug_assert_eq!(terms.sort(value), Sort::Float(FloatType::Double));
    let ty = FloatType::Double;
    let (low, high) = (terms.double(low), terms.double(high));
    let above = terms.fp(FpOp::Le, ty, vec![low, value]);
    let below = terms.fp(FpOp::Le, ty, vec![value, high]);
    let inside = terms.and([above, below]);
    let nan = terms.fp(FpOp::IsNan, ty, vec![value]);
    Some(terms.or([inside, nan]))
}
