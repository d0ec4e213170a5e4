//! Why a search failed: the reason found deepest in the heap.

use crate::eval::Evaluator;

use super::super::mismatch::{Mismatch, Part, Unmet, Way};
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

    pub(super) fn explain(&mut self, goal: Goal) -> Mismatch {
        let part = match goal {
            Goal::Formula => Part::Formula,
            Goal::PointsTo { .. } => Part::PointsTo,
            Goal::Instance { step, index } => self.describe_instance(step, index),
        };
        let mut ways = Vec::new();
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
                let way = match candidate {
                    Candidate::Shape(shape) => Way::Disjuncts(self.disjunct_numbers(goal, shape)),
                    Candidate::Cell(loc) => Way::Object(loc),
                };
                ways.push(Unmet { way, need });
            }
            self.undo(&mark);
        }
        Mismatch::Unmet { part, ways }
    }

    /// The disjuncts that share a spatial part, counted from 1.
    pub(super) fn disjunct_numbers(&mut self, goal: Goal, shape: usize) -> Vec<usize> {
        let shapes = self.shapes_of(self.predicate_of(goal));
        (shapes[shape].members.iter())
            .map(|member| member.disjunct + 1)
            .collect()
    }

    /// `bst(#2, 3, hi)`, with the values that are known.
    pub(super) fn describe_instance(&self, step: u32, index: u32) -> Part {
        let (lead, environment) = self.lead(step);
        let instance = &lead.instances[index as usize];
        let mut evaluator = Evaluator::default();
        let arguments = instance.args.iter().map(|&arg| {
            let value = evaluator.evaluate(self.terms, arg, |variable| {
                environment.value(self.terms, variable, |u| self.store.value(u))
            });
            value.map_err(|_| condition(self.terms, self.definitions, arg))
        });
        Part::Instance {
            arguments: arguments.collect(),
            predicate: self.definitions.predicate(instance.predicate).name.clone(),
        }
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

    pub(super) fn deepest_reason(&self) -> Mismatch {
        match &self.deepest {
            Some((_, reason)) => reason.clone(),
            None if self.formula.disjuncts.is_empty() => Mismatch::NoDisjunct,
            None => Mismatch::Nothing,
        }
    }
}
