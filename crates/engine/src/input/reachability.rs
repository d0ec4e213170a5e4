//! Which objects of a concrete heap can be reached.

use std::collections::BTreeSet;

use heapwright_logic::{Heap, Loc, Value};

/// The cells that can be reached from `roots` without going through cells of `without`, which
/// are not among them either.
pub(crate) fn reachable(
    heap: &Heap,
    roots: impl IntoIterator<Item = Value>,
    without: &BTreeSet<Loc>,
) -> BTreeSet<Loc> {
    let mut reached = BTreeSet::new();
    let mut pending: Vec<Value> = roots.into_iter().collect();
    while let Some(value) = pending.pop() {
        if let Value::Ref(loc) = value
            && !without.contains(&loc)
            && let Some(cell) = heap.cells.get(&loc)
            && reached.insert(loc)
        {
            pending.extend(&cell.fields);
        }
    }
    reached
}

/// The part of a heap that consists of these cells.
pub(crate) fn restricted(heap: &Heap, cells: &BTreeSet<Loc>) -> Heap {
    let kept = (heap.cells.iter()).filter(|(loc, _)| cells.contains(loc));
    Heap {
        cells: kept.map(|(&loc, cell)| (loc, cell.clone())).collect(),
    }
}
