//! Instances that what is known leaves one disjunct, or none.
//!
//! An empty subtree is no decision: as soon as a reference is known to be null, the instances
//! that describe what hangs below it can only hold by a disjunct without cells. Taking that at
//! once keeps formulas small, and says what it implies (a height of zero, for example). An
//! instance that no disjunct is left for refutes the path without a question.

use heapwright_logic::{Instance, Substitution, TermId, Terms};

use super::question::ChoicePoint;
use super::{PathStop, Symbolic};
use crate::path::aliases::Known;
use crate::path::decision::Choice;
use crate::path::knowledge::DisjunctFacts;

/// Which disjuncts of an instance the values of its arguments contradict. Every decision asks for
/// all open instances, and few of them have learnt anything since.
pub(super) struct Contradicted {
    /// The arguments, as far as they were known.
    args: Vec<TermId>,
    /// The answer for each disjunct that somebody asked about.
    disjuncts: Vec<Option<bool>>,
}

impl Symbolic<'_> {
    /// Replaces instances that can only hold by a disjunct without cells and instances.
    pub(super) fn settle(&mut self) -> Result<(), PathStop> {
        loop {
            let open: Vec<u32> = self.initial.open().map(|(number, _)| number).collect();
            let mut settled = false;
            for instance in open {
                let viable = self.viable(instance);
                let disjunct = match viable[..] {
                    [] => return Err(PathStop::Infeasible),
                    [disjunct] if self.is_empty(instance, disjunct) => disjunct,
                    _ => continue,
                };
                let choice = Choice::Unfold { instance, disjunct };
                let effect = self.effect(&ChoicePoint::Instance, choice)?;
                self.add(effect)?;
                settled = true;
            }
            if !settled {
                return Ok(());
            }
        }
    }

    /// The disjuncts that what is known leaves for an instance.
    pub(super) fn viable(&mut self, number: u32) -> Vec<u32> {
        let Some(instance) = self.initial.open_instance(number).cloned() else {
            return Vec::new();
        };
        let predicate = self.subject.definitions.predicate(instance.predicate);
        let Some(facts) = self.knowledge.predicate(instance.predicate) else {
            return (0..predicate.disjuncts.len() as u32).collect();
        };
        let constants = self.initial.constants();
        let args: Vec<TermId> = (instance.args.iter())
            .map(|&arg| self.terms.substitute(arg, constants))
            .collect();
        let mut known = match self.contradicted.remove(&number) {
            Some(known) if known.args == args => known,
            _ => Contradicted {
                disjuncts: vec![None; predicate.disjuncts.len()],
                args,
            },
        };
        let mut values = None;
        let disjuncts = (0u32..).zip(facts.disjuncts.iter().zip(&predicate.disjuncts));
        let mut viable = Vec::new();
        for (contradicted, (index, (facts, disjunct))) in known.disjuncts.iter_mut().zip(disjuncts)
        {
            if !self.shape_allows(&instance, facts) {
                continue;
            }
            let contradicted = *contradicted.get_or_insert_with(|| {
                let params = predicate.params.iter().copied();
                let values: &Substitution =
                    values.get_or_insert_with(|| params.zip(known.args.iter().copied()).collect());
                let mut conjuncts = disjunct.pure.iter();
                conjuncts.any(|&conjunct| self.terms.substitute(conjunct, values) == Terms::FALSE)
            });
            if !contradicted {
                viable.push(index);
            }
        }
        self.contradicted.insert(number, known);
        viable
    }

    fn is_empty(&self, number: u32, disjunct: u32) -> bool {
        let Some(instance) = self.initial.open_instance(number) else {
            return false;
        };
        let predicate = self.subject.definitions.predicate(instance.predicate);
        let heap = predicate.disjuncts.get(disjunct as usize);
        heap.is_some_and(|heap| heap.points_to.is_empty() && heap.instances.is_empty())
    }

    /// Whether what is known about the references among the arguments leaves a disjunct
    /// possible.
    fn shape_allows(&self, instance: &Instance, facts: &DisjunctFacts) -> bool {
        let argument = |position: &usize| instance.args.get(*position).copied();
        let aliases = &self.initial.aliases;
        let is_null = |term: TermId| match self.terms.as_var(term) {
            Some(variable) => aliases.is_null(variable),
            None => Some(true),
        };
        let has_object = |term: TermId| match self.terms.as_var(term) {
            Some(variable) => matches!(aliases.known(variable), Known::Object(_)),
            None => false,
        };
        let mut allocated = facts.allocated.iter().filter_map(argument);
        let mut null = facts.null.iter().filter_map(argument);
        let mut not_null = facts.not_null.iter().filter_map(argument);
        let compare = |&(a, b): &(usize, usize)| {
            let (a, b) = (argument(&a)?, argument(&b)?);
            aliases.compare(self.terms.as_var(a)?, self.terms.as_var(b)?)
        };
        let mut equal = facts.equal.iter();
        let mut different = facts.different.iter();
        allocated.all(|term| is_null(term) != Some(true) && !has_object(term))
            && null.all(|term| is_null(term) != Some(false))
            && not_null.all(|term| is_null(term) != Some(true))
            && equal.all(|pair| compare(pair) != Some(false))
            && different.all(|pair| compare(pair) != Some(true))
    }
}
