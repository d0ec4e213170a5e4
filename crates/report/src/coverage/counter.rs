//! Things that were covered or missed.

use std::iter::Sum;

use super::{Line, Method};

/// How many were covered, and how many were not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counter {
    /// Covered.
    pub covered: u64,
    /// Not covered.
    pub missed: u64,
}

impl Counter {
    /// Counts one more.
    pub fn add(&mut self, covered: bool) {
        match covered {
            true => self.covered += 1,
            false => self.missed += 1,
        }
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.covered + self.missed
    }

    /// The share of what is covered; everything of nothing.
    pub fn rate(&self) -> f64 {
        match self.total() {
            0 => 1.0,
            total => self.covered as f64 / total as f64,
        }
    }
}

impl Sum for Counter {
    fn sum<I: Iterator<Item = Counter>>(counters: I) -> Counter {
        counters.fold(Counter::default(), |sum, other| Counter {
            covered: sum.covered + other.covered,
            missed: sum.missed + other.missed,
        })
    }
}

/// Lines that were executed or not.
pub fn lines<'l>(lines: impl IntoIterator<Item = &'l Line>) -> Counter {
    let mut counter = Counter::default();
    for line in lines {
        counter.add(line.hits > 0);
    }
    counter
}

/// The branches of some lines.
pub fn branches<'l>(lines: impl IntoIterator<Item = &'l Line>) -> Counter {
    lines.into_iter().map(Line::branches).sum()
}

/// The cyclomatic complexity of a method (McCabe): one, and one for every branch of a jump beyond
/// the first. It is covered as far as that many of its branches are.
pub fn complexity(method: &Method) -> Counter {
    let mut counter = Counter::default();
    counter.add(method.calls > 0);
    for jump in method.lines.iter().flat_map(|line| &line.jumps) {
        let taken = jump.iter().filter(|&&taken| taken > 0).count() as u64;
        let covered = taken.saturating_sub(1);
        counter.covered += covered;
        counter.missed += (jump.len() as u64).saturating_sub(1 + covered);
    }
    counter
}
