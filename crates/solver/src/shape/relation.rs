//! The base pairs known for one predicate, indexed for joining.

use std::cell::RefCell;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::arguments::{Arguments, ParamSet};
use super::base_pair::BasePair;
use super::constraints::Constraints;

/// Up to this many pairs a scan is faster than the index.
const SCAN_LIMIT: usize = 12;

/// The pairs found for a predicate. Each has a number; those that were activated take part in
/// joins.
#[derive(Default, Debug)]
pub struct Relation {
    pairs: IndexSet<BasePair, FxBuildHasher>,
    nullness: Vec<(ParamSet, ParamSet)>,
    active: Vec<u32>,
    index: RefCell<Vec<Group>>,
}

/// Pairs that determine the nullness of the same parameters.
#[derive(Debug)]
struct Group {
    determined: ParamSet,
    /// For each subset of `determined` that was asked for: the pairs by which of these
    /// parameters are null.
    by_mask: FxHashMap<ParamSet, FxHashMap<ParamSet, Vec<u32>>>,
    members: Vec<u32>,
}

impl Relation {
    /// The number of a pair, and whether it is new.
    pub fn insert(&mut self, pair: BasePair) -> (u32, bool) {
        let (index, new) = self.pairs.insert_full(pair);
        if new {
            self.nullness.push(self.pairs[index].nullness());
        }
        (index as u32, new)
    }

    /// Lets a pair take part in joins.
    pub fn activate(&mut self, id: u32) {
        let (nil, not_nil) = self.nullness[id as usize];
        let mut determined = nil;
        determined.union_with(&not_nil);
        let groups = self.index.get_mut();
        let position = (groups
            .iter()
            .position(|group| group.determined == determined))
        .unwrap_or_else(|| {
            groups.push(Group {
                determined,
                by_mask: FxHashMap::default(),
                members: Vec::new(),
            });
            groups.len() - 1
        });
        let group = &mut groups[position];
        group.members.push(id);
        for (mask, table) in &mut group.by_mask {
            table.entry(nil.intersection(mask)).or_default().push(id);
        }
        self.active.push(id);
    }

    /// The pair with a number.
    pub fn pair(&self, id: u32) -> &BasePair {
        &self.pairs[id as usize]
    }

    /// The numbers of the pairs that take part in joins, in the order of activation.
    pub fn active(&self) -> &[u32] {
        &self.active
    }

    /// Collects the pairs that do not contradict `constraints` on which arguments are null.
    /// They may still contradict them otherwise.
    pub fn candidates<const W: usize>(
        &self,
        args: &Arguments,
        constraints: &Constraints<W>,
        found: &mut Vec<u32>,
    ) {
        let nil = args.params_in(constraints.nil());
        let mut not_nil = constraints.not_nil();
        not_nil.union_with(constraints.allocated());
        let mut known = args.params_in(&not_nil);
        known.union_with(&nil);
        let direct = constraints.plain_or_nil();
        for (param, &node) in (1..).zip(args.nodes()) {
            if !direct.contains(usize::from(node)) && constraints.is_not_nil(node) {
                known.insert(param);
            }
        }
        if self.active.len() <= SCAN_LIMIT {
            found.extend(self.active.iter().filter(|&&id| {
                let (pair_nil, pair_not_nil) = &self.nullness[id as usize];
                pair_nil.intersection(&known).is_subset(&nil) && !pair_not_nil.intersects(&nil)
            }));
            return;
        }
        for group in self.index.borrow_mut().iter_mut() {
            let mask = group.determined.intersection(&known);
            if mask.is_empty() {
                found.extend_from_slice(&group.members);
                continue;
            }
            let nullness = &self.nullness;
            let table = group.by_mask.entry(mask).or_insert_with(|| {
                let mut table: FxHashMap<ParamSet, Vec<u32>> = FxHashMap::default();
                for &id in &group.members {
                    let key = nullness[id as usize].0.intersection(&mask);
                    table.entry(key).or_default().push(id);
                }
                table
            });
            if let Some(ids) = table.get(&nil.intersection(&mask)) {
                found.extend_from_slice(ids);
            }
        }
    }
}
