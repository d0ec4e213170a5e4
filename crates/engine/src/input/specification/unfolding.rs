//! The formulas that a precondition unfolds to, shallow ones first.
//!
//! Level 1 has the unfoldings of the disjuncts of the precondition, level k + 1 those of the
//! formulas of level k. A formula without instances has no unfoldings but itself, so it occurs
//! once. Every formula remembers how it came about, so that a derivation of it can be turned
//! into one of the precondition.

use std::collections::VecDeque;
use std::sync::Arc;

use heapwright_logic::{
    Definitions, Derivation, PredId, Step, StepId, SymbolicHeap, Terms, unfold_each,
};

use crate::subject::Subject;

/// A formula with its history.
#[derive(Clone)]
pub(super) struct Unfolded<'s> {
    /// The store of its terms. It depends on the history only: formulas of other branches do not
    /// leave anything in it.
    pub(super) terms: Arc<Terms>,
    /// The formula.
    pub(super) heap: SymbolicHeap,
    definitions: &'s Definitions,
    /// The disjunct of the precondition that it comes from.
    disjunct: u32,
    history: Vec<Unfolding>,
    level: u32,
}

/// One instance replaced by a disjunct of its definition.
#[derive(Clone, Copy)]
struct Unfolding {
    /// Position among the instances.
    at: usize,
    predicate: PredId,
    disjunct: usize,
}

/// The formulas in order, with their numbers.
pub(super) struct Unfoldings<'s> {
    subject: &'s Subject,
    depth: u32,
    /// How many formulas may still be made.
    left: usize,
    truncated: bool,
    pending: VecDeque<Unfolded<'s>>,
    next: u32,
}

impl<'s> Unfoldings<'s> {
    pub(super) fn new(subject: &'s Subject, depth: u32, limit: usize) -> Self {
        let mut unfoldings = Unfoldings {
            subject,
            depth,
            left: limit,
            truncated: false,
            pending: VecDeque::new(),
            next: 0,
        };
        let terms = Arc::new(subject.terms.clone());
        let empty = [SymbolicHeap::emp()];
        let disjuncts = match &subject.precondition {
            Some(precondition) => &precondition.disjuncts[..],
            None => &empty,
        };
        for (disjunct, heap) in (0..).zip(disjuncts) {
            let start = Unfolded {
                terms: Arc::clone(&terms),
                heap: heap.clone(),
                definitions: &subject.definitions,
                disjunct,
                history: Vec::new(),
                level: 0,
            };
            match depth == 0 || heap.is_base() {
                true => unfoldings.push(start),
                false => unfoldings.unfold(&start),
            }
        }
        unfoldings
    }

    pub(super) fn truncated(&self) -> bool {
        self.truncated
    }

    fn push(&mut self, formula: Unfolded<'s>) {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                self.pending.push_back(formula);
            }
            None => self.truncated = true,
        }
    }

    /// Appends the unfoldings of a formula that has instances.
    fn unfold(&mut self, formula: &Unfolded<'s>) {
        if self.left == 0 {
            self.truncated = true;
            return;
        }
        let definitions = &self.subject.definitions;
        let mut terms = Terms::clone(&formula.terms);
        let heaps = unfold_each(&mut terms, definitions, &formula.heap);
        let terms = Arc::new(terms);
        // In the order of `unfold_each`.
        let instances = formula.heap.instances.iter().enumerate();
        let steps = instances.flat_map(|(at, instance)| {
            let predicate = instance.predicate;
            let disjuncts = 0..definitions.predicate(predicate).disjuncts.len();
            disjuncts.map(move |disjunct| Unfolding {
                at,
                predicate,
                disjunct,
            })
        });
        for (heap, step) in heaps.into_iter().zip(steps) {
            let mut history = formula.history.clone();
            history.push(step);
            self.push(Unfolded {
                terms: Arc::clone(&terms),
                heap,
                definitions,
                disjunct: formula.disjunct,
                history,
                level: formula.level + 1,
            });
        }
    }
}

impl<'s> Iterator for Unfoldings<'s> {
    type Item = (u32, Unfolded<'s>);

    fn next(&mut self) -> Option<(u32, Unfolded<'s>)> {
        let formula = self.pending.pop_front()?;
        if formula.level < self.depth && !formula.heap.is_base() {
            self.unfold(&formula);
        }
        let index = self.next;
        self.next = self.next.saturating_add(1);
        Some((index, formula))
    }
}

impl Unfolded<'_> {
    /// Turns a derivation of this formula into one of the precondition.
    ///
    /// Unfolding takes an instance out and appends what its definition quantifies and the
    /// instances of its definition at the end. Taken back in reverse order, the ends of the two
    /// lists of the first step become a step of their own. Nothing if the derivation is not one
    /// of this formula.
    pub(super) fn fold(&self, mut derivation: Derivation) -> Option<Derivation> {
        let steps = &mut derivation.steps;
        for unfolding in self.history.iter().rev() {
            let predicate = self.definitions.predicate(unfolding.predicate);
            let body = predicate.disjuncts.get(unfolding.disjunct)?;
            let id = StepId(u32::try_from(steps.len()).ok()?);
            let first = steps.first_mut()?;
            let exists = first.exists.len().checked_sub(body.exists.len())?;
            let children = first.children.len().checked_sub(body.instances.len())?;
            let step = Step {
                disjunct: u32::try_from(unfolding.disjunct).ok()?,
                exists: first.exists.split_off(exists),
                children: first.children.split_off(children),
            };
            if unfolding.at > first.children.len() {
                return None;
            }
            first.children.insert(unfolding.at, id);
            steps.push(step);
        }
        steps.first_mut()?.disjunct = self.disjunct;
        Some(derivation)
    }
}
