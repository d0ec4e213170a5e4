//! Fixed-size bit sets, small enough to live on the stack.

/// A set of numbers below `64 * W`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Default for Bits<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> Bits<W> {
    /// How many different members a set can have.
    pub const CAPACITY: usize = 64 * W;
    /// The empty set.
    pub const EMPTY: Self = Bits([0; W]);

    /// Whether `member` is in the set.
    pub fn contains(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 != 0
    }

    /// Adds a member.
    pub fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    /// Removes a member.
    pub fn remove(&mut self, member: usize) {
        self.0[member / 64] &= !(1 << (member % 64));
    }

    /// Adds all members of another set.
    pub fn union_with(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    /// Whether there is a common member.
    pub fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether every member is in `other` too.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).all(|(a, b)| a & !b == 0)
    }

    /// The common members.
    pub fn intersection(&self, other: &Self) -> Self {
        let mut result = *self;
        for (word, mask) in result.0.iter_mut().zip(other.0) {
            *word &= mask;
        }
        result
    }

    /// The members that are not in `other`.
    pub fn difference(&self, other: &Self) -> Self {
        let mut result = *self;
        for (word, mask) in result.0.iter_mut().zip(other.0) {
            *word &= !mask;
        }
        result
    }

    /// The first `count` numbers.
    pub fn below(count: usize) -> Self {
        let mut set = Self::EMPTY;
        for (index, word) in set.0.iter_mut().enumerate() {
            *word = match count.saturating_sub(64 * index) {
                0 => 0,
                bits @ 1..64 => (1 << bits) - 1,
                _ => u64::MAX,
            };
        }
        set
    }

    /// The members from `start` on, as bits of a number, at most 128 of them. Beyond the
    /// capacity there are none.
    pub fn range(&self, start: usize, length: usize) -> u128 {
        let (word, shift) = (start / 64, start % 64);
        let at = |index: usize| u128::from(self.0.get(index).copied().unwrap_or(0));
        let mut bits = (at(word) | at(word + 1) << 64) >> shift;
        if shift > 0 && length > 128 - shift {
            bits |= at(word + 2) << (128 - shift);
        }
        if length < 128 {
            bits &= (1 << length) - 1;
        }
        bits
    }

    /// Adds the numbers from `start` on whose bits are set, at most `length` of them.
    pub fn insert_range(&mut self, start: usize, bits: u128, length: usize) {
        let (word, shift) = (start / 64, start % 64);
        let mut add = |index: usize, bits: u64| {
            if let Some(word) = self.0.get_mut(index) {
                *word |= bits;
            }
        };
        add(word, (bits as u64) << shift);
        if shift + length > 64 {
            add(word + 1, (bits >> (64 - shift)) as u64);
        }
        if shift > 0 && shift + length > 128 {
            add(word + 2, (bits >> (128 - shift)) as u64);
        }
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<W> {
        let words = self.0;
        (0..W).flat_map(move |index| {
            let mut word = words[index];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros() as usize;
                    word &= word - 1;
                    64 * index + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order() {
        let mut set = Bits::<2>::EMPTY;
        for member in [100, 3, 64, 63] {
            set.insert(member);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 63, 64, 100]);
        set.remove(64);
        assert!(!set.contains(64) && set.contains(100));
    }
}
