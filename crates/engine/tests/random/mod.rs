//! A small source of random numbers for tests: the same seed, the same tests.

// Each test binary uses its own part.
#![allow(dead_code)]

pub struct Source(u64);

impl Source {
    pub fn new(seed: u64) -> Source {
        Source(seed.wrapping_mul(2).wrapping_add(1))
    }

    /// A number below a bound, by a linear congruence whose upper half is good enough here.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
