//! A list whose copies share the entries that no copy has changed.
//!
//! A program grows while it is explored, and every search works on the program as it was when it
//! began. A copy that shares all functions but the new ones costs as much as there are new ones.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// A list that is cheap to copy. An entry that is about to be changed is copied first, if a copy of
/// the list has it, too.
#[derive(PartialEq, Debug)]
pub struct SharedVec<T> {
    entries: Vec<Arc<T>>,
}

impl<T> SharedVec<T> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// An entry, if it is there.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.entries.get(index).map(Arc::as_ref)
    }

    /// The entries in order.
    pub fn iter(&self) -> Iter<'_, T> {
        self.entries.iter().map(Arc::as_ref)
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, entry: T) {
        self.entries.push(Arc::new(entry));
    }
}

impl<T: Clone> SharedVec<T> {
    /// An entry for changing it, if it is there.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.entries.get_mut(index).map(Arc::make_mut)
    }
}

impl<T> Clone for SharedVec<T> {
    fn clone(&self) -> Self {
        SharedVec {
            entries: self.entries.clone(),
        }
    }
}

impl<T> Default for SharedVec<T> {
    fn default() -> Self {
        SharedVec {
            entries: Vec::new(),
        }
    }
}

impl<T> Index<usize> for SharedVec<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.entries[index]
    }
}

impl<T: Clone> IndexMut<usize> for SharedVec<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        Arc::make_mut(&mut self.entries[index])
    }
}

impl<T> FromIterator<T> for SharedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        SharedVec {
            entries: entries.into_iter().map(Arc::new).collect(),
        }
    }
}

impl<T> From<Vec<T>> for SharedVec<T> {
    fn from(entries: Vec<T>) -> Self {
        entries.into_iter().collect()
    }
}

/// The entries of a list in order.
pub type Iter<'a, T> = std::iter::Map<std::slice::Iter<'a, Arc<T>>, fn(&'a Arc<T>) -> &'a T>;

impl<'a, T> IntoIterator for &'a SharedVec<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_what_the_original_changes() {
        let mut list: SharedVec<String> = ["a", "b"].map(str::to_owned).into_iter().collect();
        let copy = list.clone();
        list[1].push('c');
        list.push("d".to_owned());
        assert_eq!(copy.iter().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(list.iter().collect::<Vec<_>>(), ["a", "bc", "d"]);
        assert!(Arc::ptr_eq(&list.entries[0], &copy.entries[0]));
    }
}
