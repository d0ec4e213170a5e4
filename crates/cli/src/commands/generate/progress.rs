//! The line that shows how far a search is: on a terminal only.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use heapwright_engine::Progress;

/// How often the line is drawn anew.
const INTERVAL: Duration = Duration::from_millis(100);

/// The last line of the terminal while a search goes on.
pub struct ProgressLine {
    shown: bool,
    title: String,
    last: Option<Instant>,
}

impl ProgressLine {
    /// A line about one procedure; never shown where nobody would look at it.
    pub fn new(title: &str, quiet: bool) -> ProgressLine {
        ProgressLine {
            shown: !quiet && io::stderr().is_terminal(),
            title: title.to_owned(),
            last: None,
        }
    }

    /// Shows the state of the search, if the last time is long enough ago.
    pub fn update(&mut self, progress: &Progress) {
        let recent = self.last.is_some_and(|last| last.elapsed() < INTERVAL);
        if self.shown && !recent {
            self.last = Some(Instant::now());
            let line = line(&self.title, progress);
            // A terminal that cannot be written to is no reason to end a search.
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
        }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if self.last.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(title: &str, progress: &Progress) -> String {
    let Progress {
        tests,
        covered,
        branches,
        frontier,
        solver_calls,
        elapsed,
    } = progress;
    let seconds = elapsed.as_secs_f64();
    format!(
        "{title}: {tests} tests, {covered} of {branches} branches, {frontier} to explore, \
         {solver_calls} solver calls, {seconds:.1} s"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_search_is() {
        let progress = Progress {
            tests: 3,
            covered: 5,
            branches: 8,
            frontier: 2,
            solver_calls: 40,
            elapsed: Duration::from_millis(1250),
        };
        assert_eq!(
            line("remove", &progress),
            "remove: 3 tests, 5 of 8 branches, 2 to explore, 40 solver calls, 1.2 s"
        );
    }
}
