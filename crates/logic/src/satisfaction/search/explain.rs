//! Why a search failed: the reason found deepest in the heap.

use crate::eval::Evaluator;

use super::super::reason::{Narrator, condition};
use super::{Candidate, Failure, Goal, Progress, Search};

impl Search<'_> {
    /// Notes why no alternative of the goal fits, if nothing deeper was seen before.
    pub(super) fn contradiction(&mut self, goal: Goal) -> Progress {
        if self.is_deepest() {
            let reason = self.explain(goal);
            self.deepest = Some((self.described.len(), reason));
        }
        Progress::Contradiction
    }

    pub(super) fn is_deepest(&self) -> bool {
        let depth = self.described.len();
        (self.deepest.as_ref()).is_none_or(|(deepest, _)| depth > *deepest)
    }

    pub(super) fn explain(&mut self, goal: Goal) -> String {
        let place = match goal {
            Goal::Formula => "in the formula".to_owned(),
            Goal::PointsTo { .. } => "in a points-to".to_owned(),
            Goal::Instance { step, index } => self.describe_instance(step, index),
        };
        let mut reasons = Vec::new();
        for candidate in self.alternatives(goal) {
            let mark = self.mark();
            if let Err(origin) = self.apply(goal, candidate, &mut Vec::new()) {
                let store = &self.store;
                let narrator = Narrator {
                    terms: self.terms,
                    definitions: self.definitions,
                    known: |unknown| store.value(unknown),
                };
                let need = narrator.need(&origin);
                reasons.push(match candidate {
                    Candidate::Shape(shape) => {
                        let names = self.disjunct_numbers(goal, shape);
                        format!("{names} needs {need}")
                    }
                    Candidate::Cell(loc) => format!("{loc} would need {need}"),
                });
            }
            self.undo(&mark);
        }
        if reasons.is_empty() {
            reasons.push("there is nothing to choose from".to_owned());
        }
        match goal {
            Goal::Formula | Goal::Instance { .. } => {
                format!("{place}: no disjunct fits: {}", reasons.join("; "))
            }
            Goal::PointsTo { .. } => format!("{place}: no object fits: {}", reasons.join("; ")),
        }
    }

    pub(super) fn disjunct_numbers(&mut self, goal: Goal, shape: usize) -> String {
        let shapes = self.shapes_of(self.predicate_of(goal));
        let numbers: Vec<_> = (shapes[shape].members.iter())
            .map(|member| (member.disjunct + 1).to_string())
            .collect();
        match numbers.len() {
            1 => format!("disjunct {}", numbers[0]),
            _ => format!("one of disjuncts {}", numbers.join(", ")),
        }
    }

    /// `in bst(#2, 3, hi)`, with the values that are known.
    pub(super) fn describe_instance(&self, step: u32, index: u32) -> String {
        let (lead, environment) = self.lead(step);
        let instance = &lead.instances[index as usize];
        let mut evaluator = Evaluator::default();
        let args: Vec<_> = (instance.args.iter())
            .map(|&arg| {
                let value = evaluator.evaluate(self.terms, arg, |variable| {
                    environment.value(self.terms, variable, |u| self.store.value(u))
                });
                match value {
                    Ok(value) => value.to_string(),
                    Err(_) => condition(self.terms, self.definitions, arg),
                }
            })
            .collect();
        let name = &self.definitions.predicate(instance.predicate).name;
        format!("in {name}({})", args.join(", "))
    }

    pub(super) fn failure(&self) -> Failure {
        if let Some(reason) = &self.undecided {
            let reason = reason.clone();
            return Failure::Undecided { reason };
        }
        if self.store.overflowed {
            return Failure::Undecided {
                reason: "a number does not fit into 128 bits".to_owned(),
            };
        }
        Failure::Unsatisfied {
            reason: self.deepest_reason(),
        }
    }

    pub(super) fn deepest_reason(&self) -> String {
        match &self.deepest {
            Some((_, reason)) => reason.clone(),
            None if self.formula.disjuncts.is_empty() => "the formula has no disjunct".to_owned(),
            None => "nothing contradicts the formula yet".to_owned(),
        }
    }
}
