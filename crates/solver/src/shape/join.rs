//! Choosing a base pair for every instance of a rule so that all constraints agree.
//!
//! A backtracking search with forward checking: the instance with the fewest pairs left is
//! decided first, so forced choices are made before free ones and most conflicts are met at
//! the top of the search tree. The product of the choices is never formed.

use std::ops::ControlFlow;

use heapwright_logic::PredId;

use super::constraints::{Conflict, Constraints};
use super::relation::Relation;
use crate::rules::Rule;

/// Relations with more pairs are not tried out pair by pair when looking ahead.
const LOOK_AHEAD: usize = 8;
/// How many undecided instances are compared when choosing the next one.
const COMPARED: usize = 8;

/// Where the search gets its base pairs from, and what it may do with them.
pub trait Source {
    /// The pairs of a predicate.
    fn relation(&self, predicate: PredId) -> &Relation;

    /// Whether choices that come to the same constraints may be taken for one.
    fn merges_equal_states(&self) -> bool {
        false
    }

    /// Whether pair `id` may be used for child number `child`, given the earlier choices
    /// (`None` where undecided).
    fn admits(&self, _child: usize, _id: u32, _chosen: &[Option<u32>]) -> bool {
        true
    }
}

/// The search, with memory that is used again from rule to rule.
#[derive(Default)]
pub struct Join<const W: usize> {
    chosen: Vec<Option<u32>>,
    /// One state per depth; the one at depth d holds the constraints of d choices.
    states: Vec<Constraints<W>>,
    scratch: Constraints<W>,
    /// Choices tried so far.
    pub steps: u64,
}

impl<const W: usize> Join<W> {
    /// Calls `visit` with every consistent choice of pairs for the children of `rule`, until
    /// it breaks. `fixed` are choices made in advance.
    ///
    /// Precondition: the rule's nodes fit into the bit sets.
    pub fn run(
        &mut self,
        rule: &Rule,
        source: &impl Source,
        fixed: &[(usize, u32)],
        visit: &mut impl FnMut(&Constraints<W>, &[Option<u32>]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.chosen.clear();
        self.chosen.resize(rule.children.len(), None);
        while self.states.len() <= rule.children.len() {
            self.states.push(Constraints::new(0));
        }
        if self.start(rule, source, fixed).is_err() {
            return ControlFlow::Continue(());
        }
        self.search(rule, source, 0, visit)
    }

    fn start(
        &mut self,
        rule: &Rule,
        source: &impl Source,
        fixed: &[(usize, u32)],
    ) -> Result<(), Conflict> {
        let state = &mut self.states[0];
        state.clear(rule.nodes());
        for &(a, b) in &rule.equalities {
            state.equate(a, b)?;
        }
        for &node in &rule.allocated {
            state.allocate(node)?;
        }
        for &(a, b) in &rule.disequalities {
            state.separate(a, b)?;
        }
        for &(child, id) in fixed {
            let call = &rule.children[child];
            let pair = source.relation(call.predicate).pair(id);
            pair.apply(&call.references, state)?;
            self.chosen[child] = Some(id);
        }
        Ok(())
    }

    fn search(
        &mut self,
        rule: &Rule,
        source: &impl Source,
        depth: usize,
        visit: &mut impl FnMut(&Constraints<W>, &[Option<u32>]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((child, candidates)) = self.next_child(rule, source, depth) else {
            return visit(&self.states[depth], &self.chosen);
        };
        let call = &rule.children[child];
        let merge = source.merges_equal_states() && (2..=LOOK_AHEAD).contains(&candidates.len());
        let mut siblings: Vec<Constraints<W>> = Vec::new();
        for id in candidates {
            self.steps += 1;
            let (done, rest) = self.states.split_at_mut(depth + 1);
            rest[0].copy_from(&done[depth]);
            let pair = source.relation(call.predicate).pair(id);
            if pair.apply(&call.references, &mut rest[0]).is_err() {
                continue;
            }
            if merge {
                if siblings.contains(&rest[0]) {
                    continue;
                }
                siblings.push(rest[0].clone());
            }
            self.chosen[child] = Some(id);
            self.search(rule, source, depth + 1, visit)?;
            self.chosen[child] = None;
        }
        ControlFlow::Continue(())
    }

    /// The undecided child with the fewest pairs left, and these pairs.
    fn next_child(
        &mut self,
        rule: &Rule,
        source: &impl Source,
        depth: usize,
    ) -> Option<(usize, Vec<u32>)> {
        let mut best: Option<(usize, Vec<u32>)> = None;
        let mut compared = 0;
        for child in 0..self.chosen.len() {
            if self.chosen[child].is_some() {
                continue;
            }
            let candidates = self.viable(rule, source, depth, child);
            let count = candidates.len();
            if best.as_ref().is_none_or(|(_, fewest)| count < fewest.len()) {
                best = Some((child, candidates));
            }
            compared += 1;
            if count <= 1 || compared == COMPARED {
                break;
            }
        }
        best
    }

    /// The pairs that a child may still take.
    fn viable(
        &mut self,
        rule: &Rule,
        source: &impl Source,
        depth: usize,
        child: usize,
    ) -> Vec<u32> {
        let call = &rule.children[child];
        let relation = source.relation(call.predicate);
        let (state, scratch) = (&self.states[depth], &mut self.scratch);
        let mut candidates = Vec::new();
        relation.candidates(&call.references, state, &mut candidates);
        candidates.retain(|&id| source.admits(child, id, &self.chosen));
        if (2..=LOOK_AHEAD).contains(&candidates.len()) {
            candidates.retain(|&id| {
                scratch.copy_from(state);
                relation.pair(id).apply(&call.references, scratch).is_ok()
            });
        }
        candidates
    }
}
