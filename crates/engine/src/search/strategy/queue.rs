//! A priority queue of candidates with keys that never change: the smallest key comes first.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::Candidate;

/// The queue. Keys should differ; they do if they contain the node.
#[derive(Clone, Debug)]
pub(super) struct Queue<K> {
    entries: BinaryHeap<Reverse<Entry<K>>>,
}

#[derive(Clone, Debug)]
struct Entry<K> {
    key: K,
    candidate: Candidate,
}

impl<K: Ord> Queue<K> {
    pub(super) fn push(&mut self, key: K, candidate: Candidate) {
        self.entries.push(Reverse(Entry { key, candidate }));
    }

    pub(super) fn pop(&mut self) -> Option<Candidate> {
        self.entries.pop().map(|Reverse(entry)| entry.candidate)
    }

    /// The smallest key.
    pub(super) fn first(&self) -> Option<&K> {
        self.entries.peek().map(|Reverse(entry)| &entry.key)
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.entries.iter().map(|Reverse(entry)| &entry.candidate)
    }
}

impl<K: Ord> Default for Queue<K> {
    fn default() -> Self {
        Queue {
            entries: BinaryHeap::new(),
        }
    }
}

impl<K: Ord> PartialEq for Entry<K> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<K: Ord> Eq for Entry<K> {}

impl<K: Ord> PartialOrd for Entry<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord> Ord for Entry<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}
