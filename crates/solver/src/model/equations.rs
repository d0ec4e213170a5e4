//! Large systems that are mostly equations with one unknown after the other.
//!
//! The sizes of a tree with a hundred thousand nodes follow from its leaves one by one. That
//! is no work for a solver, but only for a queue.

use heapwright_logic::{Linear, Term, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use crate::arith::{ArithAnswer, Arithmetic, Assignment};

/// Smaller systems go to the arithmetic as they are.
const LARGE: usize = 200;

/// Decides a conjunction, solving equations with one unknown first where there are many.
pub fn check(arith: &mut dyn Arithmetic, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
    if conjuncts.len() < LARGE {
        return arith.check(terms, conjuncts);
    }
    let Some(known) = solve(terms, conjuncts) else {
        return ArithAnswer::Unsat(conjuncts.to_vec());
    };
    let values = (known.iter())
        .map(|(&variable, &value)| (variable, terms.int(value)))
        .collect();
    let mut rest = Vec::new();
    for &conjunct in conjuncts {
        let left = terms.substitute(conjunct, &values);
        if left == Terms::FALSE {
            return ArithAnswer::Unsat(conjuncts.to_vec());
        }
        if left != Terms::TRUE {
            rest.push(left);
        }
    }
    match arith.check(terms, &rest) {
        ArithAnswer::Sat(mut assignment) => {
            let known = known.into_iter();
            assignment.extend(known.map(|(variable, value)| (variable, Value::Int(value))));
            in_range(terms, assignment, conjuncts)
        }
        // The core speaks of what is left over, which is not what the caller knows.
        ArithAnswer::Unsat(_) => ArithAnswer::Unsat(conjuncts.to_vec()),
        unknown => unknown,
    }
}

/// Solved values must also lie in the ranges of their variables.
fn in_range(terms: &Terms, assignment: Assignment, conjuncts: &[TermId]) -> ArithAnswer {
    let fits = |(&variable, value): (&VarId, &Value)| value.has_sort(terms.variable(variable).sort);
    if assignment.iter().all(fits) {
        ArithAnswer::Sat(assignment)
    } else {
        ArithAnswer::Unsat(conjuncts.to_vec())
    }
}

/// The values that follow from equations with one unknown; nothing if they contradict.
fn solve(terms: &Terms, conjuncts: &[TermId]) -> Option<FxHashMap<VarId, i128>> {
    let equations: Vec<(&Linear, Vec<VarId>)> = (conjuncts.iter())
        .filter_map(|&conjunct| match terms.get(conjunct) {
            Term::IsZero(linear) => {
                let variables = linear.summands.iter().map(|&(term, _)| terms.as_var(term));
                Some((linear, variables.collect::<Option<Vec<_>>>()?))
            }
            _ => None,
        })
        .collect();
    let mut occurrences: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    let mut unknowns: Vec<usize> = Vec::with_capacity(equations.len());
    let mut ready = Vec::new();
    for (index, (_, variables)) in equations.iter().enumerate() {
        for &variable in variables {
            occurrences.entry(variable).or_default().push(index);
        }
        unknowns.push(variables.len());
        if variables.len() == 1 {
            ready.push(index);
        }
    }
    let mut known: FxHashMap<VarId, i128> = FxHashMap::default();
    while let Some(index) = ready.pop() {
        let (linear, variables) = &equations[index];
        let mut rest = linear.constant.checked_neg();
        let mut unknown = None;
        for (&variable, &(_, coefficient)) in variables.iter().zip(&linear.summands) {
            match known.get(&variable) {
                Some(&value) => {
                    let product = coefficient.checked_mul(value);
                    rest = rest.and_then(|rest| rest.checked_sub(product?));
                }
                None => unknown = Some((variable, coefficient)),
            }
        }
        // Numbers that do not fit are left to the arithmetic.
        let (Some(rest), Some((variable, coefficient))) = (rest, unknown) else {
            continue;
        };
        match (rest.checked_rem(coefficient), rest.checked_div(coefficient)) {
            (Some(0), Some(value)) => known.insert(variable, value),
            (Some(_), Some(_)) => return None,
            _ => continue,
        };
        for &other in &occurrences[&variable] {
            unknowns[other] -= 1;
            if unknowns[other] == 1 {
                ready.push(other);
            }
        }
    }
    Some(known)
}
