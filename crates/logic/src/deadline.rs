//! When work has to end: at a point in time, or when somebody has seen enough.
//!
//! What is found must not depend on the clock, so this is an outer limit only: whoever gives up
//! because of it says so, and decides nothing. Everything that can take long looks at it every
//! few milliseconds of work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// When to give up. The default is never. Clones are over at the same time.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    at: Option<Instant>,
    /// Anything but 0 means that it is over.
    switch: Option<Arc<AtomicU8>>,
}

impl Deadline {
    /// Never.
    pub const NEVER: Deadline = Deadline {
        at: None,
        switch: None,
    };

    /// Ends so long after a moment, or never if there is no limit.
    pub fn after(begin: Instant, limit: Option<Duration>) -> Deadline {
        Deadline {
            at: limit.and_then(|limit| begin.checked_add(limit)),
            switch: None,
        }
    }

    /// Ends also as soon as a switch is not 0 any more.
    pub fn or_when(mut self, switch: Arc<AtomicU8>) -> Deadline {
        self.switch = Some(switch);
        self
    }

    /// Ends at a moment at the latest.
    pub fn at_most(mut self, moment: Option<Instant>) -> Deadline {
        self.at = self.at.into_iter().chain(moment).min();
        self
    }

    /// Whether it is time to give up.
    pub fn is_over(&self) -> bool {
        let switch = self.switch.as_ref();
        switch.is_some_and(|switch| switch.load(Ordering::Relaxed) != 0)
            || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// Whether it is never time to give up.
    pub fn is_never(&self) -> bool {
        self.at.is_none() && self.switch.is_none()
    }
}

/// When work has to end makes no difference to what it is.
impl PartialEq for Deadline {
    fn eq(&self, _: &Deadline) -> bool {
        true
    }
}

impl Eq for Deadline {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_ends_by_the_clock_or_by_its_switch() {
        let now = Instant::now();
        let hour = Some(Duration::from_secs(3600));
        assert!(!Deadline::default().is_over());
        assert!(Deadline::default().is_never());
        assert!(Deadline::after(now, Some(Duration::ZERO)).is_over());
        assert!(!Deadline::after(now, None).is_over());
        assert!(Deadline::after(now, hour).at_most(Some(now)).is_over());
        let switch = Arc::new(AtomicU8::new(0));
        let deadline = Deadline::after(now, hour).or_when(Arc::clone(&switch));
        assert!(!deadline.is_over());
        switch.store(1, Ordering::Relaxed);
        assert!(deadline.clone().is_over());
    }
}
