//! Where the resolver puts its diagnostics.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Diagnostic, Span};

/// After this many errors the rest is not worth reading, nor the time to find nearest names.
const MAX_ERRORS: usize = 100;

/// So many other places of the same error are named.
const MAX_PLACES: usize = 3;

/// Collects diagnostics. A formula that is distributed over a disjunction is resolved once per
/// disjunct, so the same complaint can come several times; it is kept once.
#[derive(Default)]
pub(super) struct Sink {
    list: Vec<Diagnostic>,
    seen: FxHashSet<(Option<Span>, String)>,
    errors: usize,
    /// Errors that are counted only.
    omitted: usize,
    /// The errors that are told once, whatever their places.
    about_names: FxHashSet<String>,
}

impl Sink {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let is_full = self.full();
        if is_full && !diagnostic.is_error() {
            return;
        }
        let key = (diagnostic.span, diagnostic.message.clone());
        if !self.seen.insert(key) {
            return;
        }
        if is_full {
            self.omitted += 1;
        } else {
            self.errors += usize::from(diagnostic.is_error());
            self.list.push(diagnostic);
        }
    }

    /// The same for an error about a name, which is wrong wherever it is used: one mistake.
    pub fn push_about_name(&mut self, diagnostic: Diagnostic) {
        self.about_names.insert(diagnostic.message.clone());
        self.push(diagnostic);
    }

    pub fn full(&self) -> bool {
        self.errors >= MAX_ERRORS
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors are not among those that are told.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// Everything collected, in the order of the text. An error that comes several times, such as
    /// a name that is unknown wherever it is used, is told once, with the other places.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| diagnostic.span);
        let mut told: Vec<Diagnostic> = Vec::new();
        let mut first: FxHashMap<String, (usize, usize)> = FxHashMap::default();
        for diagnostic in self.list {
            let Some((position, repeated)) = first.get_mut(&diagnostic.message) else {
                if self.about_names.contains(&diagnostic.message) {
                    first.insert(diagnostic.message.clone(), (told.len(), 0));
                }
                told.push(diagnostic);
                continue;
            };
            *repeated += 1;
            if let (Some(earlier), true) = (told.get_mut(*position), *repeated <= MAX_PLACES) {
                let note = (diagnostic.span, "the same here".to_owned());
                earlier.notes.push(note);
            }
        }
        for (position, repeated) in first.into_values() {
            if let (Some(earlier), Some(more @ 1..)) =
                (told.get_mut(position), repeated.checked_sub(MAX_PLACES))
            {
                let places = if more == 1 { "place" } else { "places" };
                let note = format!("the same in {more} more {places}");
                earlier.notes.push((None, note));
            }
        }
        told
    }
}
