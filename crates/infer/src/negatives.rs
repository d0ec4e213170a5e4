//! Heaps beside the observed ones: single fields with other values.

use std::collections::BTreeSet;

use heapwright_logic::{CanonicalKey, Loc, Sort, Value};

use crate::observed::{KEYS_FROM, Observed, State, key};

/// So many heaps are looked at.
const MOST: usize = 6_000;

/// So many heaps of one size are looked at, so that there are some of each.
const MOST_OF_SIZE: usize = 1_500;

/// Heaps that differ from an observed one in one field and are not observed themselves, small ones
/// first.
pub fn single_changes(
    observed: &Observed,
    known: &BTreeSet<CanonicalKey>,
    most_objects: usize,
) -> Vec<State> {
    let mut states: Vec<&State> = (observed.states.iter())
        .filter(|state| state.heap.cells.len() <= most_objects)
        .collect();
    states.sort_by_key(|state| state.heap.cells.len());
    let mut seen = known.clone();
    let mut found = Vec::new();
    let (mut size, mut of_size) = (0, 0);
    for state in states {
        if state.heap.cells.len() != size {
            (size, of_size) = (state.heap.cells.len(), 0);
        }
        for changed in changes(observed, state) {
            if found.len() >= MOST || of_size >= MOST_OF_SIZE {
                break;
            }
            if seen.insert(changed.key()) {
                found.push(changed);
                of_size += 1;
            }
        }
    }
    found
}

/// All states that differ from a state in one field.
pub fn changes(observed: &Observed, state: &State) -> Vec<State> {
    let state = &state.normalised();
    let mut found = Vec::new();
    for (&loc, cell) in &state.heap.cells {
        let fields = observed.definitions.fields_of(cell.class);
        for (index, (field, &old)) in fields.iter().zip(&cell.fields).enumerate() {
            if observed.counters.contains(&field.name) {
                continue;
            }
            for value in others(observed, state, field.sort, old) {
                let mut changed = state.clone();
                let cell = changed.heap.cells.get_mut(&loc);
                if let Some(place) = cell.and_then(|cell| cell.fields.get_mut(index)) {
                    *place = value;
                    if let Some(reachable) = without_garbage(changed) {
                        found.push(reachable);
                    }
                }
            }
        }
    }
    found
}

fn others(observed: &Observed, state: &State, sort: Sort, old: Value) -> Vec<Value> {
    let cells = &state.heap.cells;
    let mut values: Vec<Value> = match (sort, old) {
        (Sort::Ref(class), _) => {
            let fitting = cells.iter().filter(|(_, cell)| {
                class != heapwright_logic::ClassId::ANY
                    && observed.definitions.is_subclass(cell.class, class)
            });
            let fitting = fitting.map(|(&loc, _)| Value::Ref(loc));
            let mut values: Vec<Value> = fitting.chain([Value::Null]).collect();
            // A place for values can have one.
            if values.len() == 1 {
                values.push(Value::Ref(Loc(u32::MAX)));
            }
            values
        }
        (Sort::Bool, _) => vec![Value::Bool(false), Value::Bool(true)],
        (_, Value::Int(number)) if key(old).is_some() => {
            let fields = cells.values().flat_map(|cell| &cell.fields);
            let keys: BTreeSet<i128> = fields.filter_map(|value| key(*value)).collect();
            let near = keys.iter().flat_map(|key| [*key - 1, *key, *key + 1]);
            near.filter(|near| *near != number && *near >= KEYS_FROM)
                .map(Value::Int)
                .collect()
        }
        (_, Value::Int(number)) => [0, 1, -1, number - 1, number + 1].map(Value::Int).to_vec(),
        _ => Vec::new(),
    };
    values.retain(|value| *value != old && value.has_sort(sort));
    values.sort_unstable();
    values.dedup();
    values
}

/// The state with what its root reaches; specifications describe nothing else.
fn without_garbage(state: State) -> Option<State> {
    let mut reached = BTreeSet::from([state.root]);
    let mut pending = vec![state.root];
    while let Some(loc) = pending.pop() {
        let cell = state.heap.cells.get(&loc)?;
        for value in &cell.fields {
            if let Value::Ref(next) = value
                && state.heap.cells.contains_key(next)
                && reached.insert(*next)
            {
                pending.push(*next);
            }
        }
    }
    let State { mut heap, root } = state;
    heap.cells.retain(|loc, _| reached.contains(loc));
    Some(State { heap, root })
}
