//! Base pairs for the children of a rule.

use std::ops::ControlFlow;

use heapwright_logic::PredId;

use crate::rules::Rule;
use crate::shape::{BasePairs, Join, Relation, Source};

/// Consistent base pairs for the children of a rule, at most `limit` combinations; nothing if
/// the rule has too many references.
pub fn choices(pairs: &BasePairs, rule: &Rule, limit: usize) -> Option<Vec<Vec<u32>>> {
    choices_from(pairs, rule, limit)
}

/// As [`choices`], without the base pairs that are `excluded`, each for a child.
pub fn choices_without(
    pairs: &BasePairs,
    rule: &Rule,
    limit: usize,
    excluded: &[(usize, u32)],
) -> Option<Vec<Vec<u32>>> {
    choices_from(&Without { pairs, excluded }, rule, limit)
}

/// Base pairs of which some are excluded.
struct Without<'a> {
    pairs: &'a BasePairs,
    excluded: &'a [(usize, u32)],
}

impl Source for Without<'_> {
    fn relation(&self, predicate: PredId) -> &Relation {
        self.pairs.relation(predicate)
    }

    fn merges_equal_states(&self) -> bool {
        self.pairs.merges_equal_states()
    }

    fn admits(&self, child: usize, id: u32, _chosen: &[Option<u32>]) -> bool {
        !self.excluded.contains(&(child, id))
    }
}

fn choices_from(source: &impl Source, rule: &Rule, limit: usize) -> Option<Vec<Vec<u32>>> {
    match rule.nodes() {
        0..=64 => Some(choices_within::<1>(source, rule, limit)),
        65..=256 => Some(choices_within::<4>(source, rule, limit)),
        257..=1024 => Some(choices_within::<16>(source, rule, limit)),
        1025..=4096 => Some(choices_within::<64>(source, rule, limit)),
        _ => None,
    }
}

fn choices_within<const W: usize>(
    source: &impl Source,
    rule: &Rule,
    limit: usize,
) -> Vec<Vec<u32>> {
    let mut choices = Vec::new();
    let _ = Join::<W>::default().run(rule, source, &[], &mut |_, chosen| {
        choices.push(chosen.iter().flatten().copied().collect());
        if choices.len() < limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    choices
}
