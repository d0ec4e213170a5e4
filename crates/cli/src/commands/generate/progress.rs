//! The line that shows how far a search is: on a terminal only.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use heapwright_engine::Progress;
use heapwright_testgen::progress::line;

/// How often the line is drawn anew.
const INTERVAL: Duration = Duration::from_millis(100);

/// How much of a title is shown.
const TITLE: usize = 24;

/// The last line of the terminal while a search goes on.
pub struct ProgressLine {
    shown: bool,
    title: String,
    /// The time that the search may take.
    budget: Option<Duration>,
    last: Option<Instant>,
}

impl ProgressLine {
    /// A line about one of so many procedures; never shown where nobody would look at it.
    pub fn new(
        title: &str,
        (number, all): (usize, usize),
        budget: Option<Duration>,
        quiet: bool,
    ) -> ProgressLine {
        // A line that is too long for the terminal could not be drawn anew.
        let simple = title.rsplit('.').next().unwrap_or(title);
        let mut title: String = simple.chars().take(TITLE).collect();
        if all > 1 {
            title.push_str(&format!(" ({} of {all})", number.min(all)));
        }
        ProgressLine {
            shown: !quiet && io::stderr().is_terminal(),
            title,
            budget,
            last: None,
        }
    }

    /// Shows the state of the search, if the last time is long enough ago.
    pub fn update(&mut self, progress: &Progress) {
        let (title, budget) = (std::mem::take(&mut self.title), self.budget);
        self.update_with(|| line(&title, budget, progress));
        self.title = title;
    }

    /// Shows a text in the same way.
    pub fn update_with(&mut self, line: impl FnOnce() -> String) {
        let recent = self.last.is_some_and(|last| last.elapsed() < INTERVAL);
        if self.shown && !recent {
            self.last = Some(Instant::now());
            // A terminal that cannot be written to is no reason to end a search.
            let _ = write!(io::stderr(), "\r\x1b[K{}", line());
        }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if self.last.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
