//! Inputs with one node more.
//!
//! A node is what objects of the input refer to where others of its class do: a copy of one of them
//! with its numbers, put where a reference is null. Lists that are linked both ways need the way back,
//! and those that count their nodes need the count; both are tried.

use heapwright_logic::{ClassId, Loc, Sort, Value};

use super::places::{At, Placed, next_loc, places, put};
use crate::input::Input;
use crate::input::candidates::{candidates, fits};
use crate::subject::Subject;

/// So many places get a node.
const PLACES: usize = 8;

/// So many numbers are taken for the count.
const COUNTS: usize = 4;

/// The inputs with one node more; whether they are valid is another question.
pub(super) fn grown(subject: &Subject, input: &Input) -> Vec<Input> {
    let places = places(subject, input);
    let open = places.iter().filter(|place| place.value == Value::Null);
    let mut found = Vec::new();
    for place in open.take(PLACES) {
        let (At::Content(from, _), Sort::Ref(class)) = (place.at, place.sort) else {
            continue;
        };
        let is_value = |class| subject.rules.values.contains(&class);
        let model = input.heap.cells.iter().find(|(_, cell)| {
            fits(&subject.program, cell.class, class)
                && !is_value(cell.class)
                && !subject.rules.singletons.contains_key(&cell.class)
        });
        let Some((&model, _)) = model else {
            found.extend(first_node(subject, input, &places, place));
            continue;
        };
        for way_back in [false, true] {
            let Some(added) = with_node(subject, input, place, model, way_back.then_some(from))
            else {
                continue;
            };
            found.extend(counted(&added, &places));
            found.push(added);
        }
    }
    found
}

/// The input with each of its numbers one larger.
fn counted(input: &Input, places: &[Placed]) -> Vec<Input> {
    let counts = places
        .iter()
        .filter(|count| matches!((count.at, count.sort), (At::Content(..), Sort::Machine(_))));
    let counted = counts.take(COUNTS).filter_map(|count| {
        let mut counted = input.clone();
        match count.value {
            Value::Int(number) if Value::Int(number + 1).has_sort(count.sort) => {
                put(&mut counted, count.at, Value::Int(number + 1))?;
                Some(counted)
            }
            _ => None,
        }
    });
    counted.collect()
}

/// The input with the first node of all: where several references of an object lead to such, all of
/// them do, or this one.
fn first_node(subject: &Subject, input: &Input, places: &[Placed], place: &Placed) -> Vec<Input> {
    let At::Content(object, _) = place.at else {
        return Vec::new();
    };
    if matches!(place.sort, Sort::Ref(class) if is_value_class(subject, class)) {
        return Vec::new();
    }
    // A name that nothing has stands for a new object.
    let loc = Value::Ref(next_loc(input));
    let mut one = input.clone();
    let mut all = input.clone();
    if put(&mut one, place.at, loc).is_none() {
        return Vec::new();
    }
    for other in places {
        let is_like = matches!(other.at, At::Content(of, _) if of == object)
            && (other.sort, other.value) == (place.sort, Value::Null);
        if is_like && put(&mut all, other.at, loc).is_none() {
            return Vec::new();
        }
    }
    let mut found = Vec::new();
    for added in [all, one] {
        found.extend(counted(&added, places));
        found.push(added);
    }
    found
}

/// Whether references of a class lead to values.
fn is_value_class(subject: &Subject, class: ClassId) -> bool {
    let classes = candidates(&subject.program, &subject.rules, &[class]).classes;
    classes
        .iter()
        .any(|class| subject.rules.values.contains(class))
}

/// An input with a copy of an object in a place; the copy leads back to where it is from, or nowhere.
fn with_node(
    subject: &Subject,
    input: &Input,
    place: &Placed,
    model: Loc,
    way_back: Option<Loc>,
) -> Option<Input> {
    let mut changed = input.clone();
    let loc = next_loc(input);
    let mut cell = input.heap.cells.get(&model)?.clone();
    let fields = &subject.program.definitions.class(cell.class).fields;
    if fields.len() != cell.fields.len() {
        return None;
    }
    let mut is_back = way_back.is_none();
    let rules = subject.rules.of_fields(cell.class);
    for (index, (field, value)) in fields.iter().zip(&mut cell.fields).enumerate() {
        let Sort::Ref(class) = field.sort else {
            continue;
        };
        if rules.iter().any(|rule| rule.field as usize == index) {
            return None;
        }
        let target = match *value {
            Value::Ref(target) => input.heap.cells.get(&target),
            _ => None,
        };
        // What is a value to one node is one to the other.
        if target.is_some_and(|cell| subject.rules.values.contains(&cell.class)) {
            continue;
        }
        *value = match way_back.and_then(|from| Some((from, input.heap.cells.get(&from)?))) {
            Some((from, parent))
                if fits(&subject.program, parent.class, class) && !leads_on(place, index) =>
            {
                is_back = true;
                Value::Ref(from)
            }
            _ => Value::Null,
        };
    }
    changed.heap.cells.insert(loc, cell);
    put(&mut changed, place.at, Value::Ref(loc))?;
    is_back.then_some(changed)
}

/// Whether a field is the one that leads to the new node.
fn leads_on(place: &Placed, index: usize) -> bool {
    matches!(place.at, At::Content(_, field) if field == index)
}
