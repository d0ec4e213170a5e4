//! What varies from one run of a test to the next: what the environment answers, such as the time
//! and identity hash codes, and all that follows from it.
//!
//! The interpreter answers such questions always alike. To find out what depends on the answers,
//! the input is run again with others; what then is different is not asserted.

use std::collections::BTreeMap;

use heapwright_engine::{
    Conditions, ENVIRONMENTS, Run, Subject, Test, replay_under, takes_same_path,
};
use heapwright_ir::machine::Budgets;
use heapwright_ir::{ClassKind, Program};
use heapwright_java::emit::{AssertedLocation, Vagueness};
use heapwright_java::world::TestEntry;
use heapwright_logic::{Cell, Deadline, Value};

/// Other platforms, whose functions round differently, and then other environments.
const CONDITIONS: [Conditions; PLATFORMS + ENVIRONMENTS.len()] = [
    conditions(None, 1),
    conditions(None, -1),
    conditions(Some(ENVIRONMENTS[0]), 0),
    conditions(Some(ENVIRONMENTS[1]), 0),
    conditions(Some(ENVIRONMENTS[2]), 0),
];

/// How many of them are platforms.
const PLATFORMS: usize = 2;

const fn conditions(seed: Option<u64>, off_by: i8) -> Conditions {
    Conditions {
        seed,
        only: None,
        off_by,
        deadline: Deadline::NEVER,
    }
}

/// The places whose contents vary. Nothing if even the way in which the run ends does, or the
/// branches that it takes, so that no test can tell it.
pub fn vague_places(
    subject: &Subject,
    test: &Test,
    entry: &TestEntry,
    budgets: Budgets,
) -> Option<BTreeMap<AssertedLocation, Vagueness>> {
    let rerun = |conditions| replay_under(subject, &test.input, budgets, conditions).ok();
    match test.run.asked.is_empty() {
        true => vague_under(&CONDITIONS[..PLATFORMS], subject, entry, test, rerun),
        false => vague_among(subject, entry, test, rerun),
    }
}

/// Whether the path of a test is the same under all conditions.
pub fn is_steady(subject: &Subject, test: &Test, budgets: Budgets) -> bool {
    CONDITIONS.into_iter().all(|conditions| {
        let run = replay_under(subject, &test.input, budgets, conditions);
        run.is_ok_and(|run| takes_same_path(subject, &test.run, &run))
    })
}

/// The places whose contents vary in a test that is run in another way.
pub fn vague_among(
    subject: &Subject,
    entry: &TestEntry,
    test: &Test,
    rerun: impl FnMut(Conditions) -> Option<Run>,
) -> Option<BTreeMap<AssertedLocation, Vagueness>> {
    vague_under(&CONDITIONS, subject, entry, test, rerun)
}

fn vague_under(
    all: &[Conditions],
    subject: &Subject,
    entry: &TestEntry,
    test: &Test,
    mut rerun: impl FnMut(Conditions) -> Option<Run>,
) -> Option<BTreeMap<AssertedLocation, Vagueness>> {
    let mut places = BTreeMap::new();
    for conditions in all {
        let run = rerun(conditions.clone())?;
        if !takes_same_path(subject, &test.run, &run) {
            return None;
        }
        compare(&subject.program, entry, &test.run, &run, &mut places);
    }
    Some(places)
}

/// How much is known of a place that has these values in two runs.
fn vagueness(one: Value, other: Option<Value>) -> Vagueness {
    match (one, other) {
        (Value::Double(a), Some(Value::Double(b)))
            if near(f64::from_bits(a), f64::from_bits(b)) =>
        {
            Vagueness::Approximate
        }
        _ => Vagueness::Varies,
    }
}

/// Whether numbers differ by so little that one of them passes for the other: two units in the last
/// place.
fn near(a: f64, b: f64) -> bool {
    let unit = (f64::from_bits(a.to_bits() + 1) - a).abs();
    a.is_finite() && b.is_finite() && (a - b).abs() <= 2.0 * unit
}

/// Adds the places where two runs left different values.
fn compare(
    program: &Program,
    entry: &TestEntry,
    one: &Run,
    other: &Run,
    places: &mut BTreeMap<AssertedLocation, Vagueness>,
) {
    let result = one
        .result
        .map(|value| (AssertedLocation::Result, value, other.result));
    let statics = entry.statics.iter().filter_map(|known| {
        let value = |run: &Run| {
            let global = run.globals.iter().find(|(name, _)| *name == known.name);
            global.map(|(_, value)| *value)
        };
        let field = known.field.as_str().into();
        let place = AssertedLocation::Static(known.class.clone(), field, known.path.clone());
        Some((place, value(one)?, value(other)))
    });
    for (place, value, known) in result.into_iter().chain(statics) {
        if !known.is_some_and(|known| is_same(one, value, other, known)) {
            learn(places, place, vagueness(value, known));
        }
    }
    for (&loc, cell) in &one.heap.cells {
        let known = other.heap.cells.get(&loc);
        let kind = program
            .classes
            .get(cell.class.index())
            .map(|info| &info.kind);
        let is_array = matches!(kind, Some(ClassKind::Array { .. }));
        let same = |a, b| is_same(one, a, other, b);
        for index in varying(cell, known, is_array, same) {
            let value = |cell: &Cell| cell.fields.get(index).copied();
            let vague = match (value(cell), known.and_then(value), is_array) {
                (Some(one), other, false) => vagueness(one, other),
                _ => Vagueness::Varies,
            };
            learn(places, AssertedLocation::Field(loc, index), vague);
        }
    }
}

/// Whether two runs left the same value. Objects of the program may have the same address in both,
/// and be different ones.
fn is_same(one: &Run, value: Value, other: &Run, known: Value) -> bool {
    let global = |run: &Run, value: Value| match value {
        Value::Ref(loc) => run.global_objects.get(&loc).copied(),
        _ => None,
    };
    value == known && global(one, value) == global(other, known)
}

/// What varies once varies, however little it did before.
fn learn(
    places: &mut BTreeMap<AssertedLocation, Vagueness>,
    place: AssertedLocation,
    vague: Vagueness,
) {
    let known = places.entry(place).or_insert(vague);
    if vague == Vagueness::Varies {
        *known = vague;
    }
}

/// The fields that differ. If elements of an array do, then no element is certain: a third run may
/// have used any of them.
fn varying(
    one: &Cell,
    other: Option<&Cell>,
    is_array: bool,
    is_same: impl Fn(Value, Value) -> bool,
) -> Vec<usize> {
    let all = 0..one.fields.len();
    let Some(other) = other.filter(|other| other.class == one.class) else {
        return all.collect();
    };
    let differs = |index: &usize| match (one.fields.get(*index), other.fields.get(*index)) {
        (Some(one), Some(other)) => !is_same(*one, *other),
        _ => true,
    };
    let different: Vec<usize> = all.clone().filter(differs).collect();
    match is_array && !different.is_empty() {
        true => all.collect(),
        false => different,
    }
}
