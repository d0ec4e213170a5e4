//! Ending a search from outside, when somebody has seen enough or the memory is used up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::report::Limit;

/// Nothing ends searches.
const GOING: u8 = 0;
/// There is no memory left for them.
const EXHAUSTED: u8 = 1;
/// Somebody has seen enough.
const INTERRUPTED: u8 = 2;

/// A switch that ends searches. Clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    state: Arc<AtomicU8>,
    was_exhausted: Arc<AtomicBool>,
}

impl Interrupt {
    /// Ends the searches that look at this switch, as soon as they do.
    pub fn set(&self) {
        self.state.store(INTERRUPTED, Ordering::Relaxed);
    }

    /// Ends them because the memory is used up. The one who measures it says so here: searches
    /// know only what they keep, not what solvers and runs take.
    pub fn exhaust(&self) {
        self.was_exhausted.store(true, Ordering::Relaxed);
        self.change(GOING, EXHAUSTED);
    }

    /// There is memory again for the searches to come.
    pub fn relieve(&self) {
        self.change(EXHAUSTED, GOING);
    }

    /// Whether the memory was ever used up, so that something may have been left out.
    pub fn was_exhausted(&self) -> bool {
        self.was_exhausted.load(Ordering::Relaxed)
    }

    fn change(&self, from: u8, to: u8) {
        // If it is in another state, somebody had a better reason.
        let _ = (self.state).compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whether the searches are to end.
    pub fn is_set(&self) -> bool {
        self.limit().is_some()
    }

    /// The same switch for whoever does not know searches: anything but 0 means that it is set.
    pub fn switch(&self) -> Arc<AtomicU8> {
        Arc::clone(&self.state)
    }

    /// Why the searches are to end, if they are.
    pub fn limit(&self) -> Option<Limit> {
        match self.state.load(Ordering::Relaxed) {
            GOING => None,
            EXHAUSTED => Some(Limit::Memory),
            _ => Some(Limit::Interrupted),
        }
    }
}

/// Who may end a search makes no difference to what is searched for.
impl PartialEq for Interrupt {
    fn eq(&self, _: &Interrupt) -> bool {
        true
    }
}

impl Eq for Interrupt {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_back_but_an_interruption_stays() {
        let switch = Interrupt::default();
        assert_eq!(switch.limit(), None);
        switch.exhaust();
        assert_eq!(switch.clone().limit(), Some(Limit::Memory));
        switch.relieve();
        assert_eq!(switch.limit(), None);
        switch.set();
        switch.exhaust();
        switch.relieve();
        assert_eq!(switch.limit(), Some(Limit::Interrupted));
    }
}
