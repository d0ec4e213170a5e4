//! Inputs with one reference to another object, or to none: what a description leaves open may lead
//! anywhere.
//!
//! Every field of every object is changed, since whether a description says something about it is what
//! is to be found out.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_engine::{Input, Subject};
use heapwright_logic::{ClassId, Sort, Value};

/// So many objects of each class that a reference could lead to are tried, besides null and the object
/// itself.
const MOST_OBJECTS: usize = 4;

/// Inputs that differ from one in a single reference.
pub fn variants(subject: &Subject, input: &Input) -> Vec<Input> {
    let definitions = &subject.definitions;
    let mut variants = Vec::new();
    for (&loc, cell) in &input.heap.cells {
        let fields = definitions.class(cell.class).fields.iter();
        for (index, (field, &old)) in fields.zip(&cell.fields).enumerate() {
            let Sort::Ref(class) = field.sort else {
                continue;
            };
            let mut count: BTreeMap<ClassId, usize> = BTreeMap::new();
            let others = input.heap.cells.iter().filter(|(other, found)| {
                let count = count.entry(found.class).or_default();
                let fits = class == ClassId::ANY || definitions.is_subclass(found.class, class);
                *count += usize::from(fits && **other != loc);
                fits && (**other == loc || *count <= MOST_OBJECTS)
            });
            let others = others.map(|(&other, _)| Value::Ref(other));
            for value in others.chain([Value::Null]).filter(|value| *value != old) {
                let mut changed = Input {
                    witness: None,
                    ..input.clone()
                };
                let cell = changed.heap.cells.get_mut(&loc);
                if let Some(place) = cell.and_then(|cell| cell.fields.get_mut(index)) {
                    *place = value;
                    leave_reached(&mut changed);
                    variants.push(changed);
                }
            }
        }
    }
    variants
}

/// Takes away what nothing leads to any more: no program could see it.
fn leave_reached(input: &mut Input) {
    let mut reached = BTreeSet::new();
    let mut waiting = input.arguments.clone();
    while let Some(value) = waiting.pop() {
        if let Value::Ref(loc) = value
            && reached.insert(loc)
        {
            let cell = input.heap.cells.get(&loc);
            waiting.extend(cell.iter().flat_map(|cell| &cell.fields));
        }
    }
    input.heap.cells.retain(|loc, _| reached.contains(loc));
}
