//! How many sets are enough to cover everything, as benchmarks print it.

use std::collections::BTreeSet;
use std::fmt;

use heapwright_engine::{MinimalCover, minimal_cover};

/// How many of some sets are enough to cover what all of them cover.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enough(MinimalCover);

impl Enough {
    /// For these sets.
    pub fn of<T: Ord>(sets: &[BTreeSet<T>]) -> Enough {
        Enough(minimal_cover(sets))
    }
}

impl fmt::Display for Enough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Enough(MinimalCover { sets, is_least }) = self;
        match is_least {
            true => write!(f, "{}", sets.len()),
            false => write!(f, "at most {}", sets.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_to_be_least_is_an_upper_bound() {
        let sets = [vec![1, 2], vec![2, 3], vec![3]].map(BTreeSet::from_iter);
        let mut enough = Enough::of(&sets);
        assert_eq!(enough.to_string(), "2");
        enough.0.is_least = false;
        assert_eq!(enough.to_string(), "at most 2");
        assert_eq!(Enough::of::<u32>(&[]).to_string(), "0");
    }
}
