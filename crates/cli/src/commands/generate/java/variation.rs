//! What varies from one run of a test to the next: identity hash codes, the time, and all that
//! follows from them.
//!
//! The interpreter answers such questions always alike. To find out what depends on the answers,
//! the input is run again with others; what then is different is not asserted.

use std::collections::BTreeMap;

use heapwright_engine::{Run, Subject, Test, replay};
use heapwright_ir::machine::concrete::{IntrinsicFn, Memory, Value};
use heapwright_ir::machine::{Budgets, Intrinsic};
use heapwright_ir::{ClassKind, Program};
use heapwright_java::emit::{Place, Vagueness};
use heapwright_logic::Cell;

/// Different answers to the same questions: how the hash code of an object follows from its number,
/// and what time it is.
const ANSWERS: [(IntrinsicFn, IntrinsicFn); 3] = [
    (hash::<0x85eb_ca6b>, time::<1>),
    (hash::<0xc2b2_ae35>, time::<1_000_000_007>),
    (hash::<0x27d4_eb2f>, time::<77_777_777_777>),
];

/// The questions, by the beginning of their names.
const HASHES: [&str; 2] = [
    "java.lang.Object#hashCode(",
    "java.lang.System#identityHashCode(",
];
const TIMES: [&str; 2] = [
    "java.lang.System#nanoTime(",
    "java.lang.System#currentTimeMillis(",
];

/// The places whose contents vary. Nothing if even the way in which the run ends does, so that no
/// test can tell it.
pub fn vague_places(
    subject: &Subject,
    test: &Test,
    budgets: Budgets,
) -> Option<BTreeMap<Place, Vagueness>> {
    let mut places = BTreeMap::new();
    for answers in ANSWERS {
        let mut other = subject.clone();
        for (name, function) in &mut other.natives {
            let asks = |names: [&str; 2]| names.iter().any(|known| name.starts_with(known));
            if asks(HASHES) {
                *function = answers.0;
            } else if asks(TIMES) {
                *function = answers.1;
            }
        }
        let run = replay(&other, &test.input, budgets).ok()?;
        if run.outcome != test.run.outcome {
            return None;
        }
        compare(&subject.program, &test.run, &run, &mut places);
    }
    Some(places)
}

/// Adds the places where two runs left different values.
fn compare(program: &Program, one: &Run, other: &Run, places: &mut BTreeMap<Place, Vagueness>) {
    for (name, value) in &one.roots {
        let known = other.roots.iter().find(|(root, _)| root == name);
        if known.is_some_and(|(_, known)| known == value) {
            continue;
        }
        let place = match name.rsplit_once('.') {
            Some((class, field)) => Place::Static(class.into(), field.into()),
            None if name == "result" => Place::Result,
            None => continue,
        };
        places.insert(place, Vagueness::Varies);
    }
    for (&loc, cell) in &one.heap.cells {
        let known = other.heap.cells.get(&loc);
        let kind = program
            .classes
            .get(cell.class.index())
            .map(|info| &info.kind);
        let is_array = matches!(kind, Some(ClassKind::Array { .. }));
        for index in varying(cell, known, is_array) {
            places.insert(Place::Field(loc, index), Vagueness::Varies);
        }
    }
}

/// The fields that differ. If elements of an array do, then no element is certain: a third run may
/// have used any of them.
fn varying(one: &Cell, other: Option<&Cell>, is_array: bool) -> Vec<usize> {
    let all = 0..one.fields.len();
    let Some(other) = other.filter(|other| other.class == one.class) else {
        return all.collect();
    };
    let differs = |index: &usize| one.fields.get(*index) != other.fields.get(*index);
    let different: Vec<usize> = all.clone().filter(differs).collect();
    match is_array && !different.is_empty() {
        true => all.collect(),
        false => different,
    }
}

fn hash<const FACTOR: u32>(_: &mut Memory, args: &[Value]) -> Intrinsic<Value> {
    match args {
        [Value::Pointer(address)] => {
            let hash = address.object.0.wrapping_add(1).wrapping_mul(FACTOR) >> 7;
            Intrinsic::Returned(Some(Value::Int(hash.into())))
        }
        [Value::Null] => Intrinsic::Returned(Some(Value::Int(0))),
        _ => Intrinsic::Unknown,
    }
}

fn time<const NOW: i64>(_: &mut Memory, _: &[Value]) -> Intrinsic<Value> {
    Intrinsic::Returned(Some(Value::Int(NOW.into())))
}
