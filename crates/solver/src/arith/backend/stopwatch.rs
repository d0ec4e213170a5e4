//! Time on the clock and time at work.

use std::time::{Duration, Instant};

/// The most that a time limit is stretched.
const MOST: u32 = 8;

/// Measures how long something takes, and how much of that the processor was at it.
pub struct Stopwatch {
    begin: Instant,
    worked: Option<Duration>,
}

impl Stopwatch {
    /// Starts measuring.
    pub fn start() -> Stopwatch {
        Stopwatch {
            begin: Instant::now(),
            worked: time_at_work(),
        }
    }

    /// The limit, in milliseconds, that gives as much of the processor as one was meant to give
    /// that has run out. Nothing if it has not, or did give that.
    pub fn patience(&self, limit: u32) -> Option<u32> {
        let elapsed = self.begin.elapsed().as_millis();
        if limit == 0 || elapsed < u128::from(limit) {
            return None;
        }
        let worked = time_at_work()?.checked_sub(self.worked?)?.as_millis();
        stretched(limit, elapsed, worked)
    }
}

fn stretched(limit: u32, elapsed: u128, worked: u128) -> Option<u32> {
    let factor = elapsed.checked_div(worked).unwrap_or(u128::MAX);
    let factor = u32::try_from(factor).unwrap_or(MOST).min(MOST);
    (factor > 1).then(|| limit.saturating_mul(factor))
}

/// How long the processor was at work for this thread.
#[cfg(unix)]
fn time_at_work() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

#[cfg(not(unix))]
fn time_at_work() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::{Stopwatch, stretched};

    #[test]
    fn a_limit_is_stretched_by_what_others_took() {
        assert_eq!(stretched(1_000, 1_000, 990), None);
        assert_eq!(stretched(1_000, 1_000, 500), Some(2_000));
        assert_eq!(stretched(1_000, 1_000, 0), Some(8_000));
        assert_eq!(stretched(u32::MAX, 1_000, 1), Some(u32::MAX));
    }

    #[test]
    fn waiting_is_no_work() {
        let stopwatch = Stopwatch::start();
        assert_eq!(stopwatch.patience(60_000), None);
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(stopwatch.patience(0), None);
        if cfg!(unix) {
            assert_eq!(stopwatch.patience(20), Some(160));
        }
    }
}
