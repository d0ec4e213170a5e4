//! What the learner is given, as front ends tell it.

pub use heapwright_testgen::observation::{KEYS_FROM, Observed, State, key};

use std::collections::BTreeSet;

use heapwright_logic::{CanonicalKey, Value, canonical_key};

use crate::shape::FieldKey;

/// The key of a state whose values do not count, and some fields neither.
pub fn key_without(state: &State, free: &BTreeSet<FieldKey>) -> CanonicalKey {
    let mut state = state.clone();
    let objects: BTreeSet<_> = state.heap.cells.keys().copied().collect();
    for cell in state.heap.cells.values_mut() {
        for (index, value) in cell.fields.iter_mut().enumerate() {
            let is_value = matches!(value, Value::Ref(loc) if !objects.contains(loc));
            if is_value || free.contains(&(cell.class, index)) {
                *value = Value::Null;
            }
        }
    }
    let state = state.normalised();
    canonical_key(&[Value::Ref(state.root)], &state.heap)
}
