//! A small generator of pseudo-random numbers (SplitMix64).
//!
//! Kept here instead of taken from a library, because a text must be the same for the same seed
//! for as long as this project exists.

/// A stream of numbers that its seed determines.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream for one text of one run.
    pub fn for_text(seed: u64, index: u64) -> Random {
        let mut random = Random(seed);
        let offset = random.number();
        Random(offset ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 {
            return 0;
        }
        (self.number() % bound as u64) as usize
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the choices.
    ///
    /// Precondition: there is at least one.
    pub fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_stream_and_different_texts_differ() {
        let stream = |seed, index| {
            let mut random = Random::for_text(seed, index);
            [random.number(), random.number(), random.number()]
        };
        assert_eq!(stream(1, 7), stream(1, 7));
        assert_ne!(stream(1, 7), stream(1, 8));
        assert_ne!(stream(1, 7), stream(2, 7));
    }
}
