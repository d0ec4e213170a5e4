//! The end of a parse: all goals are met, what is left open is arithmetic.

use rustc_hash::FxHashMap;

use crate::heap::{Derivation, Loc, Step, StepId, Value};

use super::super::constraint::{Constraint, Environment, Relation, Slot};
use super::super::difference::{Answer, Problem, solve};
use super::super::linear::{Sum, Unknown};
use super::super::mismatch::Mismatch;
use super::super::reason::Narrator;
use super::super::values::{decode, encode};
use super::{OutOfBudget, Progress, Search, Witness};

impl Search<'_> {
    /// Tight semantics: every cell has to be described, unless a part is looked for. Then the
    /// unknowns are solved for.
    pub(super) fn complete(&mut self) -> Result<Progress, OutOfBudget> {
        if self.tight && self.described.len() < self.heap.cells.len() {
            if self.is_deepest() {
                let left: Vec<Loc> = (self.heap.cells.keys().copied())
                    .filter(|loc| !self.described.contains(loc))
                    .collect();
                self.deepest = Some((self.described.len(), Mismatch::NotDescribed(left)));
            }
            return Ok(Progress::Contradiction);
        }
        let residual = self.store.residual();
        let constraints: Vec<_> = residual.iter().map(|(_, part)| part.clone()).collect();
        match self.solve_residual(&constraints) {
            Answer::Sat(values) => {
                let witness = self.witness(&values);
                Ok(witness.map_or(Progress::Contradiction, Progress::Complete))
            }
            Answer::Unsat => {
                if self.is_deepest() {
                    let reason = self.explain_conflict(residual);
                    self.deepest = Some((self.described.len(), reason));
                }
                Ok(Progress::Contradiction)
            }
            Answer::Unknown(_) if self.steps_left == 0 => Err(OutOfBudget),
            Answer::Unknown(reason) => {
                let reason = format!("the arithmetic left open by the heap: {reason}");
                self.undecided.get_or_insert(reason);
                Ok(Progress::Contradiction)
            }
        }
    }

    /// Solves constraints over the unknowns without value; the answer has a value for every
    /// unknown of the store.
    fn solve_residual(&mut self, constraints: &[Constraint]) -> Answer {
        let mut numbers: FxHashMap<Unknown, Unknown> = FxHashMap::default();
        let mut originals = Vec::new();
        for constraint in constraints {
            let mut unknowns = Vec::new();
            constraint.unknowns(self.terms, &mut unknowns);
            for unknown in unknowns {
                if self.store.value(unknown).is_none() && !numbers.contains_key(&unknown) {
                    numbers.insert(unknown, Unknown(originals.len() as u32));
                    originals.push(unknown);
                }
            }
        }
        let problem = Problem {
            bounds: originals.iter().map(|&u| self.store.bounds(u)).collect(),
            constraints: constraints
                .iter()
                .map(|c| renumbered(c, &numbers))
                .collect(),
        };
        let everything: Vec<i128> = (0..self.store.len() as u32)
            .map(|index| self.value_or_default(Unknown(index)))
            .collect();
        let total = |values: &[i128]| {
            let mut all = everything.clone();
            for (unknown, &value) in originals.iter().zip(values) {
                all[unknown.index()] = value;
            }
            all
        };
        let mut budget = self.steps_left;
        let answer = solve(&problem, &mut budget, |values| {
            let forbidden = (originals.iter().zip(values).enumerate())
                .find(|&(_, (&unknown, &value))| !self.store.allows(unknown, value));
            if let Some((index, _)) = forbidden {
                return Some(differs(&[Unknown(index as u32)], values));
            }
            let all = total(values);
            let violated = (constraints.iter()).find(|part| !self.satisfied(part, &all))?;
            let mut unknowns = Vec::new();
            violated.unknowns(self.terms, &mut unknowns);
            let open: Vec<_> = (unknowns.iter())
                .filter_map(|u| numbers.get(u).copied())
                .collect();
            Some(differs(&open, values))
        });
        self.steps_left = budget;
        match answer {
            Answer::Sat(values) => Answer::Sat(total(&values)),
            other => other,
        }
    }

    /// The value of an unknown, or one that its sort and bounds allow.
    fn value_or_default(&self, unknown: Unknown) -> i128 {
        let (low, high) = self.store.bounds(unknown);
        let near_zero = 0.max(low.unwrap_or(0)).min(high.unwrap_or(i128::MAX));
        self.store.value(unknown).unwrap_or(near_zero)
    }

    /// Whether a constraint holds under values for all unknowns, closed terms included.
    fn satisfied(&self, constraint: &Constraint, values: &[i128]) -> bool {
        let closed = |term: &super::super::constraint::Closure| {
            crate::eval::evaluate(self.terms, term.term, |variable| {
                (term.environment).value(self.terms, variable, |u| Some(values[u.index()]))
            })
        };
        match constraint {
            Constraint::Compare(relation, sum) => {
                let total = sum.evaluate(|unknown| values[unknown.index()]);
                total.is_some_and(|total| relation.holds(total))
            }
            Constraint::All(list) => list.iter().all(|part| self.satisfied(part, values)),
            Constraint::Any(list) => list.iter().any(|part| self.satisfied(part, values)),
            Constraint::Opaque { term, expected } => closed(term) == Ok(Value::Bool(*expected)),
            Constraint::Defines { unknown, term } => {
                closed(term).is_ok_and(|value| encode(value) == values[unknown.index()])
            }
        }
    }

    /// A small set of conditions that contradict each other, found by leaving out what is not
    /// needed.
    fn explain_conflict(&mut self, mut residual: Vec<(usize, Constraint)>) -> Mismatch {
        const MAX_TO_MINIMISE: usize = 200;
        if residual.len() > MAX_TO_MINIMISE {
            return Mismatch::LargeConflict;
        }
        let mut position = 0;
        while position < residual.len() {
            let mut fewer = residual.clone();
            fewer.remove(position);
            let constraints: Vec<_> = fewer.iter().map(|(_, part)| part.clone()).collect();
            match self.solve_residual(&constraints) {
                Answer::Unsat => residual = fewer,
                _ => position += 1,
            }
        }
        let store = &self.store;
        let narrator = Narrator {
            terms: self.terms,
            definitions: self.definitions,
            known: |unknown| store.value(unknown),
        };
        // Constraints on a single unknown have become its bounds; they belong to the reason.
        let mut involved = indexmap::IndexSet::<usize>::new();
        for (id, _) in &residual {
            involved.insert(*id);
            involved.extend(store.bounded_by(*id));
        }
        let needs = (involved.into_iter()).map(|id| narrator.need(store.origin(id)));
        Mismatch::Conflict(needs.collect())
    }

    fn witness(&self, values: &[i128]) -> Option<Witness> {
        let mut stack = self.stack.clone();
        for &(variable, slot) in &self.free {
            if let Slot::Unknown(unknown) = slot {
                let sort = self.terms.variable(variable).sort;
                stack.insert(variable, decode(values[unknown.index()], sort)?);
            }
        }
        let mut steps = Vec::with_capacity(self.steps.len());
        for open in &self.steps {
            let disjuncts = self.disjuncts(open.predicate);
            let (disjunct, environment) = match &open.members[..] {
                [only] => only,
                several => several.iter().find(|(disjunct, environment)| {
                    let pure = &disjuncts[*disjunct].pure;
                    pure.iter()
                        .all(|&term| self.holds(term, environment, values))
                })?,
            };
            let exists: Option<Vec<_>> = (disjuncts[*disjunct].exists.iter())
                .map(|&variable| {
                    environment.value(self.terms, variable, |u| Some(values[u.index()]))
                })
                .collect();
            steps.push(Step {
                disjunct: *disjunct as u32,
                exists: exists?,
                children: vec![StepId(0); disjuncts[*disjunct].instances.len()],
            });
        }
        for (index, open) in self.steps.iter().enumerate() {
            if let Some((parent, position)) = open.parent {
                steps[parent as usize].children[position as usize] = StepId(index as u32);
            }
        }
        Some(Witness {
            stack,
            derivation: Derivation { steps },
        })
    }

    fn holds(&self, term: crate::TermId, environment: &Environment, values: &[i128]) -> bool {
        let value = crate::eval::evaluate(self.terms, term, |variable| {
            environment.value(self.terms, variable, |u| Some(values[u.index()]))
        });
        value == Ok(Value::Bool(true))
    }
}

/// One of the unknowns has another value than now.
fn differs(unknowns: &[Unknown], values: &[i128]) -> Constraint {
    let parts = unknowns.iter().filter_map(|&unknown| {
        let now = Sum::constant(values[unknown.index()]);
        let difference = Sum::unknown(unknown).add_scaled(&now, -1)?;
        Some(Constraint::compare(Relation::NotZero, difference))
    });
    Constraint::Any(parts.collect())
}

/// The linear part with other names for the unknowns. Closed terms keep theirs; they are
/// evaluated in terms of the original ones.
fn renumbered(constraint: &Constraint, numbers: &FxHashMap<Unknown, Unknown>) -> Constraint {
    match constraint {
        Constraint::Compare(relation, sum) => {
            let mut renamed = Sum::constant(sum.constant);
            renamed.summands = (sum.summands.iter())
                .filter_map(|(unknown, factor)| Some((*numbers.get(unknown)?, *factor)))
                .collect();
            renamed.summands.sort_unstable();
            Constraint::Compare(*relation, renamed)
        }
        Constraint::All(list) => {
            Constraint::All(list.iter().map(|part| renumbered(part, numbers)).collect())
        }
        Constraint::Any(list) => {
            Constraint::Any(list.iter().map(|part| renumbered(part, numbers)).collect())
        }
        closed => closed.clone(),
    }
}
