//! The fewest sets that cover everything that some sets cover: a search with a bound.

use std::collections::BTreeSet;

/// How many elements there may be, one bit each.
const MOST: usize = u128::BITS as usize;

/// How many choices are tried before the best cover so far has to do.
const CHOICES: u32 = 1_000_000;

/// How many sets are enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Enough {
    /// That many.
    pub sets: usize,
    /// Whether fewer were shown to be too few.
    pub is_least: bool,
}

impl std::fmt::Display for Enough {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.is_least {
            true => write!(f, "{}", self.sets),
            false => write!(f, "at most {}", self.sets),
        }
    }
}

/// How many of some sets are enough to cover what all of them cover.
pub fn smallest_cover<T: Ord + Clone>(sets: &[BTreeSet<T>]) -> Enough {
    let elements: BTreeSet<&T> = sets.iter().flatten().collect();
    let elements: Vec<&T> = elements.into_iter().take(MOST).collect();
    let mask = |set: &BTreeSet<T>| -> u128 {
        let positions = set
            .iter()
            .filter_map(|element| elements.binary_search(&element).ok());
        positions.fold(0, |mask, position| mask | (1 << position))
    };
    let masks: BTreeSet<u128> = sets.iter().map(mask).collect();
    let masks: Vec<u128> = (masks.iter().copied())
        .filter(|&mask| {
            !masks
                .iter()
                .any(|&other| other != mask && other & mask == mask)
        })
        .collect();
    let all = masks.iter().fold(0, |all, mask| all | mask);
    let mut search = Search {
        masks,
        best: usize::MAX,
        choices: CHOICES,
    };
    search.cover(all, 0);
    Enough {
        sets: search.best,
        is_least: search.choices > 0 && elements.len() < MOST,
    }
}

struct Search {
    masks: Vec<u128>,
    best: usize,
    choices: u32,
}

impl Search {
    /// Covers what is missing, in addition to the sets that were taken. The depth is that of the
    /// best cover at most.
    fn cover(&mut self, missing: u128, taken: usize) {
        if missing == 0 {
            self.best = self.best.min(taken);
            return;
        }
        if self.choices == 0 || taken + self.at_least(missing) >= self.best {
            return;
        }
        self.choices -= 1;
        // The element with the fewest sets leaves the fewest choices.
        let sets_with = |bit: u32| {
            self.masks
                .iter()
                .filter(move |mask| *mask & (1 << bit) != 0)
        };
        let bits = (0..u128::BITS).filter(|bit| missing & (1 << bit) != 0);
        let Some(rarest) = bits.min_by_key(|&bit| sets_with(bit).count()) else {
            return;
        };
        let mut choices: Vec<u128> = sets_with(rarest).map(|mask| mask & missing).collect();
        choices.sort_unstable_by_key(|mask| std::cmp::Reverse(mask.count_ones()));
        choices.dedup();
        for choice in choices {
            self.cover(missing & !choice, taken + 1);
        }
    }

    /// Elements that no set has two of need a set each.
    fn at_least(&self, mut missing: u128) -> usize {
        let mut count = 0;
        while missing != 0 {
            let bit = missing & missing.wrapping_neg();
            let together = self.masks.iter().filter(|mask| *mask & bit != 0);
            missing &= !together.fold(bit, |all, mask| all | mask);
            count += 1;
        }
        count
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
        let sets = sets.map(BTreeSet::from_iter);
        assert_eq!(smallest_cover(&sets).to_string(), "2");
    }

    #[test]
    fn nothing_needs_nothing() {
        assert_eq!(smallest_cover::<u32>(&[]).to_string(), "0");
    }

    #[test]
    fn covers_are_as_small_as_those_of_all_subsets() {
        for seed in 0..40u32 {
            let element = |set: u32, index: u32| (seed * 31 + set * 17 + index * index * 7) % 11;
            let sets: Vec<BTreeSet<u32>> = (0..9)
                .map(|set| (0..3).map(|index| element(set, index)).collect())
                .collect();
            let all: BTreeSet<u32> = sets.iter().flatten().copied().collect();
            let covers = (0u32..1 << sets.len()).filter(|chosen| {
                let taken = (0..)
                    .zip(&sets)
                    .filter(|(index, _)| chosen & (1 << index) != 0);
                let covered: BTreeSet<u32> = taken.flat_map(|(_, set)| set).copied().collect();
                covered == all
            });
            let fewest = covers.map(u32::count_ones).min();
            let found = smallest_cover(&sets);
            assert!(found.is_least);
            assert_eq!(Some(found.sets as u32), fewest);
        }
    }
}
