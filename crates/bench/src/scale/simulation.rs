//! How much sooner more workers are done, by a simulation: measured lengths of units, measured work
//! around each of them, and the rule by which a server hands out jobs.
//!
//! It leaves out what was not measured: networks and disks that are busy, and machines that differ.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

/// What a run consists of.
#[derive(Clone, PartialEq, Debug)]
pub struct Work {
    /// How long each unit is searched, in the order in which they are handed out.
    pub units: Vec<Duration>,
    /// What is done once before: the class path is packed and sent.
    pub before: Duration,
    /// What who asks does for each unit before anybody can begin with it.
    pub hand_out: Duration,
    /// What a worker does for each unit beside searching it.
    pub around: Duration,
    /// What who asks does with each result, one after the other, when all are there.
    pub enter: Duration,
}

/// A run with so many workers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Simulated {
    /// How long it takes.
    pub time: Duration,
    /// When the last unit is answered.
    pub answered: Duration,
    /// The part of the workers' time until then in which they search.
    pub busy: f64,
}

impl Work {
    /// How long it takes on one machine, without a cluster.
    pub fn alone(&self) -> Duration {
        let searched: Duration = self.units.iter().sum();
        searched + self.enter * self.count()
    }

    /// The unit that takes longest, after which nothing can end.
    pub fn longest(&self) -> Duration {
        self.units.iter().max().copied().unwrap_or_default()
    }

    /// What is done with all results, by one process.
    pub fn entering(&self) -> Duration {
        self.enter * self.count()
    }

    /// What happens with so many workers, each of which takes the next unit as soon as it has time.
    pub fn with(&self, workers: usize) -> Simulated {
        let mut free: BinaryHeap<Reverse<Duration>> = (0..workers.max(1))
            .map(|_| Reverse(Duration::ZERO))
            .collect();
        let mut there = self.before;
        let mut answered = Duration::ZERO;
        for unit in &self.units {
            there += self.hand_out;
            let Reverse(time) = free.pop().unwrap_or(Reverse(Duration::ZERO));
            let end = time.max(there) + self.around + *unit;
            answered = answered.max(end);
            free.push(Reverse(end));
        }
        let searched: Duration = self.units.iter().sum();
        let all = answered.as_secs_f64() * workers.max(1) as f64;
        Simulated {
            time: answered + self.entering(),
            answered,
            busy: if all > 0.0 {
                searched.as_secs_f64() / all
            } else {
                0.0
            },
        }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.units.len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(units: &[u64]) -> Work {
        Work {
            units: units
                .iter()
                .map(|&unit| Duration::from_secs(unit))
                .collect(),
            before: Duration::ZERO,
            hand_out: Duration::ZERO,
            around: Duration::ZERO,
            enter: Duration::ZERO,
        }
    }

    #[test]
    fn equal_units_are_shared_and_the_longest_one_is_not() {
        let equal = work(&[1; 100]);
        for (workers, seconds) in [(1, 100), (2, 50), (3, 34), (100, 1), (1000, 1)] {
            assert_eq!(
                equal.with(workers).time,
                Duration::from_secs(seconds),
                "{workers}"
            );
        }
        let uneven = work(&[1, 1, 1, 1, 10]);
        assert_eq!(uneven.with(5).time, Duration::from_secs(10));
        assert_eq!(uneven.longest(), Duration::from_secs(10));
    }

    #[test]
    fn what_one_process_does_is_done_by_one() {
        let mut entered = work(&[1; 100]);
        entered.enter = Duration::from_millis(10);
        entered.before = Duration::from_secs(2);
        assert_eq!(entered.alone(), Duration::from_secs(101));
        assert_eq!(entered.with(100).time, Duration::from_secs(4));
    }
}
