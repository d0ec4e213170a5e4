//! Names and what they stand for, with the scopes of `push`, `let` and quantifiers.

use rustc_hash::FxHashMap;

/// A table in which an inner meaning of a name hides the outer one until its scope ends.
#[derive(Debug)]
pub(super) struct Names<'a, T> {
    meanings: FxHashMap<&'a str, Vec<T>>,
    /// Every name bound, in order, so that a scope can be undone.
    log: Vec<&'a str>,
}

/// The point to which [`Names::undo`] returns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl<T> Default for Names<'_, T> {
    fn default() -> Self {
        Names {
            meanings: FxHashMap::default(),
            log: Vec::new(),
        }
    }
}

impl<'a, T> Names<'a, T> {
    pub fn bind(&mut self, name: &'a str, meaning: T) {
        self.meanings.entry(name).or_default().push(meaning);
        self.log.push(name);
    }

    pub fn get(&self, name: &str) -> Option<&T> {
        self.meanings.get(name)?.last()
    }

    pub fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// Forgets everything that was bound since the mark.
    pub fn undo(&mut self, mark: Mark) {
        while self.log.len() > mark.0 {
            if let Some(meanings) = self.log.pop().and_then(|name| self.meanings.get_mut(name)) {
                meanings.pop();
            }
        }
    }

    /// All names that mean something now, in alphabetical order.
    pub fn known(&self) -> Vec<&'a str> {
        let mut names: Vec<_> = (self.meanings.iter())
            .filter(|(_, meanings)| !meanings.is_empty())
            .map(|(&name, _)| name)
            .collect();
        names.sort_unstable();
        names
    }
}
