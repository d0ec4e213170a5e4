//! What objects that are shown as a text hide: all that only they lead to.

use std::collections::BTreeSet;

use heapwright_logic::{Loc, Value};

use crate::scene::{Scene, State};

/// The objects of a scene that are not shown, in whichever of its states they are.
pub(crate) fn hidden(scene: &Scene) -> BTreeSet<Loc> {
    let states: Vec<&State> = scene.before.iter().chain([&scene.state]).collect();
    let mut inside = BTreeSet::new();
    for state in &states {
        let labels = state.labels.into_iter().flatten();
        let contents = labels.filter_map(|(loc, _)| state.heap.cells.get(loc));
        closure(state, contents.flat_map(|cell| &cell.fields), &mut inside);
    }
    let mut outside = BTreeSet::new();
    for state in states {
        let roots = state.roots.iter().map(|(_, value)| value);
        let shown = (state.heap.cells.iter())
            .filter(|(loc, _)| !inside.contains(loc) && state.label(**loc).is_none());
        let contents = shown.flat_map(|(_, cell)| &cell.fields);
        closure(state, roots.chain(contents), &mut outside);
    }
    inside.retain(|loc| !outside.contains(loc));
    inside
}

/// Adds what some values lead to, not through objects that are shown as a text.
fn closure<'v>(state: &State, values: impl Iterator<Item = &'v Value>, found: &mut BTreeSet<Loc>) {
    let mut pending: Vec<Value> = values.copied().collect();
    let mut seen = BTreeSet::new();
    while let Some(value) = pending.pop() {
        let Value::Ref(loc) = value else { continue };
        let Some(cell) = state.heap.cells.get(&loc).filter(|_| seen.insert(loc)) else {
            continue;
        };
        if state.label(loc).is_none() {
            pending.extend(&cell.fields);
        }
    }
    found.append(&mut seen);
}
