//! Sets of small numbers.

/// A set of numbers below a bound that all sets of one problem share.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below a bound.
    pub(super) fn new(bound: usize) -> BitSet {
        BitSet {
            words: vec![0; bound.div_ceil(64)],
        }
    }

    /// Adds a number; those beyond the bound are ignored.
    pub(super) fn insert(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        let word = self.words.get(number / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub(super) fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// How many numbers are in both.
    pub(super) fn common(&self, other: &BitSet) -> usize {
        let words = self.words.iter().zip(&other.words);
        words.map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    pub(super) fn is_subset(&self, other: &BitSet) -> bool {
        let mut words = self.words.iter().zip(&other.words);
        words.all(|(a, b)| a & !b == 0)
    }

    pub(super) fn add(&mut self, other: &BitSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    pub(super) fn without(&self, other: &BitSet) -> BitSet {
        let words = self.words.iter().zip(&other.words);
        BitSet {
            words: words.map(|(a, b)| a & !b).collect(),
        }
    }

    /// The numbers, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(index, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| index * 64 + bit)
        })
    }
}
