//! Any node, all equally likely.

use super::{Candidate, Strategy};
use crate::analysis::coverage::Coverage;

/// Uniform choice by a generator with a seed.
#[derive(Clone, Debug)]
pub struct Random {
    generator: Generator,
    candidates: Vec<Candidate>,
}

impl Random {
    /// The same seed gives the same choices.
    pub fn new(seed: u64) -> Self {
        Random {
            generator: Generator::new(seed),
            candidates: Vec::new(),
        }
    }
}

impl Strategy for Random {
    fn add(&mut self, candidate: Candidate) {
        self.candidates.push(candidate);
    }

    fn next(&mut self, _: &Coverage) -> Option<Candidate> {
        if self.candidates.is_empty() {
            return None;
        }
        let index = self.generator.below(self.candidates.len());
        Some(self.candidates.swap_remove(index))
    }

    fn len(&self) -> usize {
        self.candidates.len()
    }

    fn remaining(&self) -> Box<dyn Iterator<Item = &Candidate> + '_> {
        Box::new(self.candidates.iter())
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): a counter whose values are mixed. Every seed is good.
#[derive(Clone, Debug)]
pub struct Generator {
    state: u64,
}

impl Generator {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Generator { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound that is not zero. The bias is far below anything that matters for
    /// bounds that fit into memory.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}
