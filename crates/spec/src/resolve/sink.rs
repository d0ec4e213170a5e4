//! Where the resolver puts its diagnostics.

use rustc_hash::FxHashSet;

use crate::diagnostic::{Diagnostic, Span};

/// After this many errors the rest is not worth reading, nor the time to find nearest names.
const MAX_ERRORS: usize = 100;

/// Collects diagnostics. A formula that is distributed over a disjunction is resolved once per
/// disjunct, so the same complaint can come several times; it is kept once.
#[derive(Default)]
pub(super) struct Sink {
    list: Vec<Diagnostic>,
    seen: FxHashSet<(Option<Span>, String)>,
    errors: usize,
}

impl Sink {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.full() {
            return;
        }
        let key = (diagnostic.span, diagnostic.message.clone());
        if self.seen.insert(key) {
            self.errors += usize::from(diagnostic.is_error());
            self.list.push(diagnostic);
        }
    }

    pub fn full(&self) -> bool {
        self.errors >= MAX_ERRORS
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Everything collected, in the order of the text.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| diagnostic.span);
        self.list
    }
}
