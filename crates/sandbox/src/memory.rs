//! The memory of this process, and a watch over it.
//!
//! A search estimates what it keeps, but not what the solver and runs take meanwhile. The system
//! knows; it is asked many times a second.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Time between two looks.
const PERIOD: Duration = Duration::from_millis(20);

/// The size of a page where the system does not say otherwise.
const PAGE: u64 = 4096;

/// What searches may have in eighths of the limit; the rest is for what they found: it is written
/// down and read again.
const EIGHTHS: u64 = 6;

/// What searches may have.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Whether somebody watches.
static WATCHED: Mutex<bool> = Mutex::new(false);

/// Tells again and again whether the process has more than most of these bytes, so that searches end
/// while it has. Only the last limit counts. Where the system does not tell, nothing is told, and the
/// estimate of the search has to do.
pub fn watch(tell: impl Fn(bool) + Send + 'static, limit: u64) {
    LIMIT.store(limit / 8 * EIGHTHS, Ordering::Relaxed);
    look(&tell);
    let Ok(mut watched) = WATCHED.lock() else {
        return;
    };
    if *watched || resident().is_none() {
        return;
    }
    let spawned = std::thread::Builder::new().spawn(move || {
        loop {
            std::thread::sleep(PERIOD);
            look(&tell);
        }
    });
    *watched = spawned.is_ok();
}

fn look(tell: &impl Fn(bool)) {
    let limit = LIMIT.load(Ordering::Relaxed);
    tell(resident().is_some_and(|bytes| bytes >= limit));
}

/// The resident memory of this process in bytes; nothing where the system does not tell.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_measured_where_the_system_tells() {
        let before = resident();
        let block = vec![1_u8; 64 << 20];
        let after = resident();
        assert!(block.iter().all(|byte| *byte == 1));
        if let (Some(before), Some(after)) = (before, after) {
            assert!(after > before + (32 << 20), "{before} {after}");
        }
    }
}
