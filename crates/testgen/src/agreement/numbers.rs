//! Inputs of the same shape with other numbers, to tell apart two descriptions of valid objects.
//!
//! Of a few fields with the same name all orders are tried, equal values included. Of every other
//! number its neighbours and the numbers nearby are tried, one at a time; truth values are turned
//! round.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_engine::{Input, Subject};
use heapwright_logic::{ClassId, Loc, Sort, Value};

/// Of so many fields with the same name all orders are tried.
const MOST_ORDERED: usize = 4;

/// So many inputs of one shape are tried.
const MOST: usize = 400;

/// Where a number or truth value is.
type NumberSlot = (Loc, usize);

/// Inputs that differ from one in their numbers only.
pub fn variants(subject: &Subject, input: &Input) -> Vec<Input> {
    let places = places(subject, input);
    let mut groups: BTreeMap<(ClassId, usize), Vec<NumberSlot>> = BTreeMap::new();
    for &(place, class, _) in &places {
        groups.entry((class, place.1)).or_default().push(place);
    }
    let mut variants = Vec::new();
    for group in groups.values() {
        if (2..=MOST_ORDERED).contains(&group.len()) {
            orders(input, group, &mut variants);
        }
    }
    let nearby = nearby(input);
    for &(place, _, sort) in &places {
        for other in others(value(input, place), &nearby) {
            if other.has_sort(sort) {
                variants.push(changed(input, &[(place, other)]));
            }
        }
    }
    variants.truncate(MOST);
    variants
}

/// The numbers of a heap, and the smallest ones.
pub fn nearby(input: &Input) -> BTreeSet<i128> {
    let fields = input.heap.cells.values().flat_map(|cell| &cell.fields);
    let numbers = fields.filter_map(|value| match value {
        Value::Int(number) => Some(*number),
        _ => None,
    });
    numbers.chain([-1, 0, 1]).collect()
}

/// The numbers and truth values in fields of objects, with the class of the object and the sort.
fn places(subject: &Subject, input: &Input) -> Vec<(NumberSlot, ClassId, Sort)> {
    let mut places = Vec::new();
    for (&loc, cell) in &input.heap.cells {
        let fields = subject.definitions.class(cell.class).fields.iter();
        for (index, (field, &value)) in fields.zip(&cell.fields).enumerate() {
            if matches!(value, Value::Int(_) | Value::Bool(_)) {
                places.push(((loc, index), cell.class, field.sort));
            }
        }
    }
    places
}

/// All ways to give a few places small numbers.
fn orders(input: &Input, group: &[NumberSlot], variants: &mut Vec<Input>) {
    let count = group.len();
    let total = count.pow(count as u32);
    let is_number = |&place: &NumberSlot| matches!(value(input, place), Some(Value::Int(_)));
    if !group.iter().all(is_number) {
        return;
    }
    for mut code in 0..total {
        let mut changes = Vec::with_capacity(count);
        for &place in group {
            changes.push((place, Value::Int((code % count) as i128)));
            code /= count;
        }
        variants.push(changed(input, &changes));
    }
}

/// What to try instead of a value.
pub fn others(value: Option<Value>, nearby: &BTreeSet<i128>) -> Vec<Value> {
    match value {
        Some(Value::Bool(truth)) => vec![Value::Bool(!truth)],
        Some(Value::Int(number)) => {
            let mut others = nearby.clone();
            others.extend([number.saturating_sub(1), number.saturating_add(1)]);
            others.remove(&number);
            others.into_iter().map(Value::Int).collect()
        }
        _ => Vec::new(),
    }
}

fn value(input: &Input, (loc, index): NumberSlot) -> Option<Value> {
    input.heap.cells.get(&loc)?.fields.get(index).copied()
}

/// The input with other values at some places. Nobody has said why it should be valid.
fn changed(input: &Input, changes: &[(NumberSlot, Value)]) -> Input {
    let mut changed = Input {
        witness: None,
        ..input.clone()
    };
    for &((loc, index), value) in changes {
        let cell = changed.heap.cells.get_mut(&loc);
        if let Some(field) = cell.and_then(|cell| cell.fields.get_mut(index)) {
            *field = value;
        }
    }
    changed
}
