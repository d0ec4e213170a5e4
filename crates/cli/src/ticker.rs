//! A line on the terminal that shows that something goes on, where nobody reports how far it is.
//!
//! The one who works counts; a thread beside it draws the count, so that the line moves even while
//! nothing is counted.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the line is drawn anew.
const INTERVAL: Duration = Duration::from_millis(200);

/// The line, which is removed when this is dropped.
pub struct Ticker {
    count: Arc<AtomicU64>,
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Ticker {
    /// Shows `what` with the count in front and the time behind, on a terminal only.
    pub fn new(what: &'static str, budget: Option<Duration>) -> Ticker {
        let count = Arc::new(AtomicU64::new(0));
        let shown = io::stderr().is_terminal();
        let thread = shown.then(|| {
            let (stop, stopped) = channel::<()>();
            let count = Arc::clone(&count);
            let begin = Instant::now();
            let thread = std::thread::spawn(move || {
                while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    let line = line(what, &count, begin.elapsed(), budget);
                    // A terminal that cannot be written to is no reason to end anything.
                    let _ = write!(io::stderr(), "\r\x1b[K{line}");
                }
                let _ = write!(io::stderr(), "\r\x1b[K");
            });
            (stop, thread)
        });
        Ticker { count, thread }
    }

    /// One more.
    pub fn count(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.thread.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

fn line(what: &str, count: &AtomicU64, elapsed: Duration, budget: Option<Duration>) -> String {
    let (count, elapsed) = (count.load(Ordering::Relaxed), elapsed.as_secs_f64());
    let budget = budget.map_or(String::new(), |budget| {
        format!(" of {}", budget.as_secs_f64())
    });
    format!("{count} {what}, {elapsed:.1}{budget} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_many_and_how_long() {
        let ticker = Ticker::new("heaps compared", None);
        ticker.count();
        ticker.count();
        let elapsed = Duration::from_millis(1500);
        let shown = line("heaps compared", &ticker.count, elapsed, None);
        assert_eq!(shown, "2 heaps compared, 1.5 s");
        let budget = Some(Duration::from_secs(60));
        let shown = line("heaps compared", &ticker.count, elapsed, budget);
        assert_eq!(shown, "2 heaps compared, 1.5 of 60 s");
    }
}
