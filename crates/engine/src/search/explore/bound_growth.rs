//! Bounds that find their own size.
//!
//! How many objects an input needs nobody knows beforehand. So the bounds on paths begin small, and
//! whatever they keep out is parked in the tree, with the bound that is to blame. When the
//! search within the bounds is over, or has been in vain for long, and branches are still uncovered
//! that parked nodes may lead to, these bounds grow and the nodes come back to the frontier.
//!
//! All that decides about it is counted, in paths and questions: the clock has no say.

use std::sync::Arc;

use heapwright_ir::GlobalId;

use super::{BATCH, Search};
use crate::options::Extent;
use crate::path::decision::Choice;
use crate::path::questions::Price;
use crate::path::symbolic::Fork;
use crate::report::{Fate, Limit};
use crate::search::strategy::NodeId;

/// The sizes that the bound on objects takes, as far as it may.
const OBJECTS: [u32; 3] = [20, 48, 128];
/// The same for the elements of an array,
const ELEMENTS: [u32; 3] = [8, 16, 32];
/// and for iterations.
const LOOPS: [u32; 1] = [400];

/// Paths in a row that cover nothing new before bounds grow once more.
const PATIENCE: u64 = 32;

/// The work with bounds that have grown, in paths and questions, is at most so much,
const LEAST: u64 = 700;
/// or this part of the work before, unless it brings something: a branch is worth so much more.
const SHARE: u64 = 8;
const GAIN: u64 = 100;

/// What a question is counted as that the solver did not answer,
const SLOW: u64 = 60;
/// and so much work of the solver is counted as one question more: one about a tree of ninety nodes
/// takes a thousand times longer than one about a list of three.
const HEAVY: u64 = 20;

/// Elements of a literal that arrays of inputs are tried with, where nobody has fixed how many they
/// may have.
const LITERAL: usize = 256;

/// How bounds have grown so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BoundGrowth {
    /// The work up to the time when bounds grew first, and the branches that were covered then.
    began: Option<(u64, usize)>,
    /// Questions that were not answered at first and asked again.
    pub(super) again: u64,
}

impl Search<'_> {
    /// How many paths in a row may be in vain.
    pub(super) fn patience(&self, usual: u64) -> u64 {
        match self.has_grown() {
            _ if self.is_spent() => 0,
            true => usual.min(PATIENCE),
            false => usual,
        }
    }

    /// Whether the bounds that have grown have had their share of the work. If they have brought
    /// anything, the small heaps that are looked at in the end have the same once more.
    fn is_spent(&self) -> bool {
        let Some((began, covered)) = self.growth.began else {
            return false;
        };
        let gained = self.coverage.covered_count().saturating_sub(covered) as u64;
        let share = LEAST.max(began / SHARE);
        let shares = 1 + u64::from(self.frontier.is_closing() && gained > 0);
        self.work() - began > shares * share + GAIN * gained
    }

    /// How many nodes are explored before the work is counted again: few, where each may be much.
    pub(super) fn batch_size(&self) -> usize {
        match self.growth.began {
            Some(_) => BATCH / 4,
            None => BATCH,
        }
    }

    /// Whether bounds have grown, and the search is not at its end.
    pub(super) fn has_grown(&self) -> bool {
        self.growth.began.is_some() && !self.frontier.is_closing()
    }

    /// The work of the search so far.
    fn work(&self) -> u64 {
        let statistics = &self.report.statistics;
        let heavy = statistics.solver_work / HEAVY;
        statistics.paths + statistics.solver_calls + SLOW * statistics.unknown + heavy
    }

    /// Whether a bound can grow.
    pub(super) fn may_grow(&self, limit: Limit) -> bool {
        let bounds = &self.context.options.bounds;
        let extent = self.context.extent;
        match limit {
            Limit::Objects => extent.objects < bounds.objects.most,
            Limit::Elements => extent.elements < bounds.elements.most,
            Limit::Loops => extent.loops < bounds.loops.most,
            _ => false,
        }
    }

    /// A bound leaves something unexplored for good.
    pub(super) fn cut(&mut self, limit: Limit, objects: u32) {
        *self.report.statistics.cut.entry(limit).or_insert(0) += 1;
        super::leave_open(&mut self.open, limit, objects);
    }

    /// A bound keeps out everything below a node.
    pub(super) fn keep_out(&mut self, node: NodeId, limit: Limit, objects: u32) {
        match self.may_grow(limit) {
            true => self.tree.park(node, limit, objects),
            // It is asked again when nothing is left that is cheaper.
            false if limit == Limit::Solver && self.tree.price(node) == Price::Low => {
                self.tree.park(node, limit, objects);
            }
            false => {
                super::leave_open(&mut self.open, limit, objects);
                self.tree.end(node, Fate::Open(limit));
            }
        }
    }

    /// The alternatives that are explored now, or when the bounds have grown.
    pub(super) fn within_reach(&mut self, forks: Vec<Fork>) -> Vec<Fork> {
        let mut kept = Vec::with_capacity(forks.len());
        for mut fork in forks {
            if let Choice::KnownArray { literal, .. } = fork.decision.choice {
                if !self.is_wanted(literal) {
                    continue;
                }
                // They are tried as soon as the lengths at first have not been enough.
                let bound = self.context.options.bounds.elements;
                if self.context.extent.elements > bound.first || bound.first >= bound.most {
                    fork.beyond = None;
                }
            }
            match fork.beyond {
                Some(limit) if !self.may_grow(limit) => self.cut(limit, fork.objects),
                _ => kept.push(fork),
            }
        }
        kept
    }

    /// Puts questions back on the frontier that the solver did not answer at a low price. Returns
    /// whether there are any.
    pub(super) fn ask_again(&mut self) -> bool {
        if self.is_spent() {
            return false;
        }
        let again = self.tree.readmit(self.context.extent, &[Limit::Solver]);
        self.growth.again += again.len() as u64;
        let any = !again.is_empty();
        for candidate in again {
            self.frontier.add(candidate, None);
        }
        any
    }

    /// Whether the contents of a literal may be those of an array of an input.
    fn is_wanted(&self, literal: GlobalId) -> bool {
        let bound = self.context.options.bounds.elements;
        let length = match bound.first < bound.most {
            true => LITERAL,
            false => bound.first as usize,
        };
        let known = self.context.subject.literals.get(&literal);
        known.is_some_and(|known| known.elements.len() <= length)
    }

    /// Lets those bounds grow that keep out what may lead to uncovered branches, and puts it on the
    /// frontier; where none is to blame, questions that were put aside. Returns whether anything can be explored now that could not before.
    pub(super) fn grow_bounds(&mut self) -> bool {
        let options = &self.context.options;
        let is_searching = options.stop_when_covered || options.reach.is_some();
        if !is_searching || self.frontier.is_closing() || self.is_spent() {
            return false;
        }
        let now = (self.work(), self.coverage.covered_count());
        let began = self.growth.began.unwrap_or(now);
        let mut raised: Vec<Limit> = Vec::new();
        for (candidate, limit) in self.tree.parked() {
            if !raised.contains(&limit)
                && self.may_grow(limit)
                && candidate.distance(&self.coverage).is_some()
            {
                raised.push(limit);
            }
        }
        let mut candidates = Vec::new();
        // One step may not be enough for what waits.
        while candidates.is_empty() && raised.iter().any(|&limit| self.may_grow(limit)) {
            let extent = self.grown(&raised);
            Arc::make_mut(&mut self.context).extent = extent;
            candidates = self.tree.readmit(extent, &raised);
        }
        let grown = !candidates.is_empty();
        self.frontier.widen(candidates, &self.tree);
        let any = grown || self.ask_again();
        if any {
            self.growth.began = Some(began);
        }
        any
    }

    /// The bounds after the next step of some of them.
    fn grown(&self, raised: &[Limit]) -> Extent {
        let bounds = &self.context.options.bounds;
        let mut extent = self.context.extent;
        for limit in raised {
            match limit {
                Limit::Objects => {
                    extent.objects = next(&OBJECTS, extent.objects, bounds.objects.most);
                }
                Limit::Elements => {
                    extent.elements = next(&ELEMENTS, extent.elements, bounds.elements.most);
                }
                Limit::Loops => extent.loops = next(&LOOPS, extent.loops, bounds.loops.most),
                _ => {}
            }
        }
        extent
    }
}

/// The next size of a bound.
fn next(sizes: &[u32], now: u32, most: u32) -> u32 {
    let next = sizes.iter().copied().find(|&size| size > now);
    next.unwrap_or(most).min(most)
}
