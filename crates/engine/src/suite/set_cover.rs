//! Set cover: as few sets as possible that together have every element.
//!
//! A greedy cover without redundant sets is the beginning. Branch and bound then looks for fewer
//! sets, of which only the largest matter, and after that for cheaper ones. Both end when they
//! have proved that nothing is better, or when their budget is used up, which small problems do
//! not do. Everything is deterministic: among equal covers the one that is found first stays.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Add;

use rustc_hash::FxHashMap;

use super::bit_set::BitSet;
use super::branch_and_bound::improve;

/// What a set costs, compared from left to right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Cost(pub(super) [u64; 4]);

/// How many of the largest sets are looked at to find out how many are needed.
const MANY: usize = 1_000;

/// Covers with more sets are not improved: the search is as deep as the cover is large.
const LARGEST: usize = 200;

/// The work of one search: sets and elements looked at. Well below a second.
const BUDGET: usize = 1_000_000;

/// The work of a search for a number that is to be printed: some seconds.
const THOROUGH: usize = 200_000_000;

/// How many sets are enough to cover everything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MinimalCover {
    /// The sets, as indices in ascending order.
    pub sets: Vec<usize>,
    /// Whether it is known that fewer are too few.
    pub is_least: bool,
}

/// As few sets as possible that together have all that the sets have.
pub fn minimal_cover<T: Ord>(sets: &[BTreeSet<T>]) -> MinimalCover {
    let elements: BTreeSet<&T> = sets.iter().flatten().collect();
    let elements: Vec<&T> = elements.into_iter().collect();
    let position = |element: &T| elements.binary_search(&element).ok();
    let numbered: Vec<Vec<usize>> = (sets.iter())
        .map(|set| set.iter().filter_map(position).collect())
        .collect();
    let costs = vec![Cost([1, 0, 0, 0]); sets.len()];
    let problem = Problem::new(elements.len(), &numbered, &costs).largest();
    let (mut sets, is_least) = problem.solve(None, THOROUGH);
    sets.sort_unstable();
    MinimalCover { sets, is_least }
}

/// A cover of all elements (numbers below a bound) that some set has, as cheap as possible, as
/// indices in ascending order.
pub(super) fn smallest_cover(bound: usize, sets: &[Vec<usize>], costs: &[Cost]) -> Vec<usize> {
    let all = Problem::new(bound, sets, costs);
    let (few, _) = all.largest().solve(None, BUDGET);
    let (mut cover, _) = all.solve(Some(&few), BUDGET);
    cover.sort_unstable();
    cover
}

/// Different sets that are not empty, with the elements that they have.
pub(super) struct Problem {
    /// All elements are below it.
    pub(super) bound: usize,
    pub(super) elements: BitSet,
    pub(super) sets: Vec<Set>,
}

/// One of the sets of a problem.
#[derive(Clone)]
pub(super) struct Set {
    /// Where it comes from.
    index: usize,
    pub(super) elements: BitSet,
    pub(super) cost: Cost,
}

impl Problem {
    /// Of equal sets the cheapest one counts.
    fn new(bound: usize, sets: &[Vec<usize>], costs: &[Cost]) -> Problem {
        let mut order: Vec<usize> = (0..sets.len().min(costs.len())).collect();
        order.sort_by_key(|&index| (costs[index], index));
        let mut problem = Problem {
            bound,
            elements: BitSet::new(bound),
            sets: Vec::new(),
        };
        let mut known = FxHashMap::default();
        for index in order {
            let mut elements = BitSet::new(bound);
            for &element in &sets[index] {
                elements.insert(element);
            }
            if !elements.is_empty() && known.insert(elements.clone(), index).is_none() {
                problem.elements.add(&elements);
                problem.sets.push(Set {
                    index,
                    elements,
                    cost: costs[index],
                });
            }
        }
        problem.sets.sort_by_key(|set| set.index);
        problem
    }

    /// The sets that are part of no other one, all at the same cost. They are enough to find out
    /// how many sets a cover needs.
    fn largest(&self) -> Problem {
        let mut order: Vec<&Set> = self.sets.iter().collect();
        order.sort_by_key(|set| (Reverse(set.elements.len()), set.cost, set.index));
        let mut largest: Vec<Set> = Vec::new();
        let mut covered = BitSet::new(self.bound);
        for set in order {
            let mut larger = largest.iter();
            let redundant = match larger.len() < MANY {
                true => larger.any(|other| set.elements.is_subset(&other.elements)),
                false => set.elements.is_subset(&covered),
            };
            if !redundant {
                covered.add(&set.elements);
                largest.push(Set {
                    cost: Cost([1, 0, 0, 0]),
                    ..set.clone()
                });
            }
        }
        Problem {
            bound: self.bound,
            elements: self.elements.clone(),
            sets: largest,
        }
    }

    /// The best cover that is found, as indices of where the sets come from, and whether none is
    /// better. A cover that is known already is improved.
    fn solve(&self, known: Option<&[usize]>, budget: usize) -> (Vec<usize>, bool) {
        let mut best = self.greedy();
        if let Some(known) = known {
            let sets = self.sets.iter().zip(0..);
            let known = sets.filter(|(set, _)| known.contains(&set.index));
            let known: Vec<usize> = known.map(|(_, position)| position).collect();
            if self.cost(&known) < self.cost(&best) {
                best = known;
            }
            self.exchange(&mut best);
        }
        let mut is_best = false;
        if best.len() <= LARGEST {
            (best, is_best) = improve(self, best, budget);
        }
        self.drop_redundant(&mut best);
        let sets = best.iter().map(|&set| self.sets[set].index);
        (sets.collect(), is_best)
    }

    /// What a cover costs, given by the positions of its sets.
    pub(super) fn cost(&self, cover: &[usize]) -> Cost {
        let costs = cover.iter().map(|&set| self.sets[set].cost);
        costs.fold(Cost::ZERO, Cost::add)
    }

    /// The set with the most new elements, again and again, then without what became redundant.
    fn greedy(&self) -> Vec<usize> {
        let mut cover = Vec::new();
        let mut uncovered = self.elements.clone();
        while !uncovered.is_empty() {
            let sets = self.sets.iter().enumerate();
            let best = sets.min_by_key(|(_, set)| {
                let new = set.elements.common(&uncovered);
                (Reverse(new), set.cost, set.index)
            });
            let Some((best, set)) = best else {
                break;
            };
            cover.push(best);
            uncovered = uncovered.without(&set.elements);
        }
        self.drop_redundant(&mut cover);
        cover
    }

    /// Leaves sets out whose elements the others have, expensive ones first.
    fn drop_redundant(&self, cover: &mut Vec<usize>) {
        let mut expensive_first = cover.clone();
        expensive_first.sort_by_key(|&set| Reverse((self.sets[set].cost, set)));
        for candidate in expensive_first {
            if self.needed(cover, candidate).is_empty() {
                cover.retain(|&set| set != candidate);
            }
        }
    }

    /// The elements that only one set of a cover has.
    fn needed(&self, cover: &[usize], candidate: usize) -> BitSet {
        let others = cover.iter().filter(|&&set| set != candidate);
        others.fold(self.sets[candidate].elements.clone(), |needed, &set| {
            needed.without(&self.sets[set].elements)
        })
    }

    /// Replaces each set of a cover by the cheapest one that has the elements it is needed for.
    /// Every exchange makes the cover cheaper, so this ends.
    fn exchange(&self, cover: &mut [usize]) {
        let mut position = 0;
        while let Some(&set) = cover.get(position) {
            let needed = self.needed(cover, set);
            let fitting = self.sets.iter().enumerate();
            let fitting = fitting.filter(|(_, other)| needed.is_subset(&other.elements));
            let cheapest = fitting.min_by_key(|(_, other)| (other.cost, other.index));
            match cheapest {
                Some((other, found)) if found.cost < self.sets[set].cost => {
                    cover[position] = other;
                    position = 0;
                }
                _ => position += 1,
            }
        }
    }
}

impl Cost {
    pub(super) const ZERO: Cost = Cost([0; 4]);
}

impl Add for Cost {
    type Output = Cost;

    fn add(mut self, other: Cost) -> Cost {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = a.saturating_add(b);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greedy_choice_is_not_always_best() {
        // The largest set is in no smallest cover.
        let sets = [
            vec![2, 3, 4, 5],
            vec![1, 2, 3],
            vec![4, 5, 6],
            vec![1, 4],
            vec![3, 6],
        ];
        let found = minimal_cover(&sets.map(BTreeSet::from_iter));
        assert_eq!((found.sets, found.is_least), (vec![1, 2], true));
    }

    #[test]
    fn nothing_needs_nothing() {
        let found = minimal_cover::<u32>(&[]);
        assert_eq!((found.sets, found.is_least), (vec![], true));
    }

    #[test]
    fn covers_are_as_small_as_those_of_all_subsets() {
        for seed in 0..40u32 {
            let element = |set: u32, index: u32| (seed * 31 + set * 17 + index * index * 7) % 11;
            let sets: Vec<BTreeSet<u32>> = (0..9)
                .map(|set| (0..3).map(|index| element(set, index)).collect())
                .collect();
            let all: BTreeSet<u32> = sets.iter().flatten().copied().collect();
            let union = |chosen: &[usize]| -> BTreeSet<u32> {
                let sets = chosen.iter().flat_map(|&set| &sets[set]);
                sets.copied().collect()
            };
            let subsets = (0u32..1 << sets.len()).map(|chosen| -> Vec<usize> {
                let indices = 0..sets.len();
                indices.filter(|index| chosen & (1 << index) != 0).collect()
            });
            let covers = subsets.filter(|chosen| union(chosen) == all);
            let found = minimal_cover(&sets);
            assert!(found.is_least);
            assert_eq!(union(&found.sets), all);
            assert_eq!(
                Some(found.sets.len()),
                covers.map(|cover| cover.len()).min()
            );
        }
    }
}
