//! Unsatisfiable cores are remembered: a question that contains one is unsatisfiable.
//!
//! Each core is filed under its newest term, which few questions contain, so a lookup touches
//! few cores.

use std::collections::VecDeque;

use heapwright_logic::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::statistics::Statistics;
use super::{ArithAnswer, Arithmetic, Assignment};

/// Remembers unsatisfiable cores.
pub struct Cores<A> {
    inner: A,
    capacity: usize,
    /// Sorted cores by their newest term.
    filed: FxHashMap<TermId, Vec<Vec<TermId>>>,
    /// Where cores were filed, oldest first.
    order: VecDeque<TermId>,
    statistics: Statistics,
}

impl<A: Arithmetic> Cores<A> {
    /// Around another layer, remembering up to `capacity` cores.
    pub fn new(inner: A, capacity: usize) -> Self {
        Cores {
            inner,
            capacity,
            filed: FxHashMap::default(),
            order: VecDeque::new(),
            statistics: Statistics::default(),
        }
    }

    fn find(&self, conjuncts: &[TermId]) -> Option<&Vec<TermId>> {
        let mut members: Option<FxHashSet<TermId>> = None;
        for conjunct in conjuncts {
            for core in self.filed.get(conjunct).into_iter().flatten() {
                let members = members.get_or_insert_with(|| conjuncts.iter().copied().collect());
                if core.iter().all(|term| members.contains(term)) {
                    return Some(core);
                }
            }
        }
        None
    }

    fn remember(&mut self, core: &[TermId]) {
        let mut core = core.to_vec();
        core.sort_unstable();
        core.dedup();
        let Some(&newest) = core.last() else {
            return;
        };
        if self.order.len() >= self.capacity
            && let Some(oldest) = self.order.pop_front()
            && let Some(cores) = self.filed.get_mut(&oldest)
        {
            cores.remove(0);
            if cores.is_empty() {
                self.filed.remove(&oldest);
            }
        }
        if self.capacity > 0 {
            self.filed.entry(newest).or_default().push(core);
            self.order.push_back(newest);
        }
    }
}

impl<A: Arithmetic> Arithmetic for Cores<A> {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        if let Some(core) = self.find(conjuncts) {
            let core = core.clone();
            self.statistics.remembered_cores += 1;
            return ArithAnswer::Unsat(core);
        }
        let outcome = self.inner.check(terms, conjuncts);
        if let ArithAnswer::Unsat(core) = &outcome {
            self.remember(core);
        }
        outcome
    }

    fn suggest(&mut self, values: &Assignment) {
        self.inner.suggest(values);
    }

    fn add_statistics(&self, total: &mut Statistics) {
        total.add(&self.statistics);
        self.inner.add_statistics(total);
    }
}
