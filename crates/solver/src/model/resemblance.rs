//! Objects that are added to a heap resemble those that are there.
//!
//! A path that goes on where another one ended needs an input with one more object. Numbers are
//! suggested for the objects of the old input only; the new one gets those of the last object of
//! its class, so that as little as possible changes for the objects around it. Only floats are
//! searched for, so only they are suggested.

use heapwright_logic::{ClassId, Sort, TermId, Terms, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Scalars, Skeleton};
use crate::arith::Assignment;
use crate::rules::{Contents, Grammar, Rule};

/// What is suggested, and besides the floats of objects for which nothing is.
pub fn resembling(
    terms: &mut Terms,
    grammar: &Grammar,
    question: &Rule,
    skeleton: &Skeleton,
    scalars: &Scalars,
    suggested: &Assignment,
) -> Assignment {
    let mut all = suggested.clone();
    let mut last: FxHashMap<(ClassId, usize), Value> = FxHashMap::default();
    for step in 0..skeleton.steps.len() {
        let rule = skeleton.rule_of(step, grammar, question);
        for cell in &rule.cells {
            for (index, place) in cell.fields.iter().enumerate() {
                let Contents::Scalar(term) = *place else {
                    continue;
                };
                let term = scalars.term(terms, step, term);
                let float = matches!(terms.sort(term), Sort::Float(_));
                let Some(variable) = terms.as_var(term).filter(|_| float) else {
                    continue;
                };
                let known = last.get(&(cell.class, index));
                let value = all.get(&variable).or(known).copied();
                if let Some(value) = value {
                    all.insert(variable, value);
                    last.insert((cell.class, index), value);
                }
            }
        }
    }
    all
}

/// Gives floats that no conjunct mentions the values that are suggested for them.
pub fn adopt(
    terms: &Terms,
    conjuncts: &[TermId],
    suggested: &Assignment,
    assignment: &mut Assignment,
) {
    let mentioned: FxHashSet<VarId> = (terms.subterms(conjuncts.iter().copied()))
        .filter_map(|term| terms.as_var(term))
        .collect();
    for (&variable, &value) in suggested {
        let float = matches!(value, Value::Single(_) | Value::Double(_));
        if float && !mentioned.contains(&variable) {
            assignment.entry(variable).or_insert(value);
        }
    }
}
