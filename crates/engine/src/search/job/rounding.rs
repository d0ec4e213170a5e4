//! Inputs whose paths do not turn on how a platform rounds.
//!
//! The last places of sines and logarithms differ from platform to platform. An input right at the
//! edge of a condition takes its path on some platforms only, so no test can tell what it does.
//! Mostly an input a little away from the edge takes the same path everywhere: floats are moved,
//! one at a time and then several together, far at first, because that leaves numbers short.

use heapwright_ir::machine::MachineError;
use heapwright_logic::{Loc, Value};

use super::Context;
use crate::check::oracle;
use crate::check::replay::{Conditions, replay_under};
use crate::check::steadiness::takes_same_path;
use crate::input::{Footprint, Input};
use crate::report::{Run, Verification};
use crate::search::strategy::Generator;
use crate::subject::Subject;

/// By how many units in the last place the functions of other platforms are off.
const PLATFORMS: [i8; 2] = [1, -1];

/// By how much floats are moved, up and down.
const MOVES: [f64; 7] = [1.0, 0.1, 1e-2, 1e-3, 1e-5, 1e-8, 1e-11];

/// How many inputs are tried with one float moved at most,
const TRIES: usize = 200;
/// and how many with several.
const GROUPS: usize = 400;
/// After so many that take the same path, none of them away from its edges, the path is an edge.
const SAME: usize = 20;

/// A float of an input.
#[derive(Clone, Copy)]
enum FloatAt {
    Argument(usize),
    Content(Loc, usize),
}

/// An input of the same path that takes it on every platform, if one is near; else the one that is
/// given.
pub(super) fn away_from_edges(
    context: &Context,
    input: Input,
    run: Run,
    conditions: &Conditions,
) -> (Input, Run) {
    if !run.inexact || is_steady(context, &input, &run, conditions) {
        return (input, run);
    }
    let subject = &context.subject;
    let on_path = neighbours(subject, &input)
        .take(TRIES)
        .chain(groups(subject, &input))
        .take_while(|_| !context.is_late())
        .filter_map(|neighbour| {
            let taken = again(context, &neighbour, conditions).ok()?;
            let same = takes_same_path(subject, &run, &taken) && run.trail == taken.trail;
            same.then_some((neighbour, taken))
        });
    let found = on_path
        .take(SAME)
        .find(|(neighbour, taken)| is_steady(context, neighbour, taken, conditions));
    found.unwrap_or((input, run))
}

/// Whether a run is the same on platforms that round otherwise.
fn is_steady(context: &Context, input: &Input, run: &Run, conditions: &Conditions) -> bool {
    PLATFORMS.into_iter().all(|off_by| {
        let elsewhere = Conditions {
            off_by,
            ..conditions.clone()
        };
        let other = again(context, input, &elsewhere);
        other.is_ok_and(|other| takes_same_path(&context.subject, run, &other))
    })
}

fn again(context: &Context, input: &Input, conditions: &Conditions) -> Result<Run, MachineError> {
    let budgets = context.options.budgets;
    replay_under(&context.subject, input, budgets, conditions.clone())
}

/// Valid inputs that differ from one in a single float.
fn neighbours<'i>(subject: &'i Subject, input: &'i Input) -> impl Iterator<Item = Input> + 'i {
    let moves = MOVES.into_iter().flat_map(|by| [by, -by]);
    moves
        .flat_map(move |by| floats(input).into_iter().map(move |place| (place, by)))
        .filter_map(move |(place, by)| moved(subject, input, place, by))
}

/// Valid inputs that differ from one in a few floats, chosen by chance: where moving one always
/// leads across another edge, moving two may not.
fn groups<'i>(subject: &'i Subject, input: &'i Input) -> impl Iterator<Item = Input> + 'i {
    let places = floats(input);
    let mut generator = Generator::new(0);
    let rounds = match places.is_empty() {
        true => 0,
        false => GROUPS,
    };
    (0..rounds).map(move |round| {
        let by = MOVES[round % MOVES.len()];
        let mut group = input.clone();
        for _ in 0..2 + generator.below(3) {
            let place = places[generator.below(places.len())];
            let by = if generator.below(2) == 0 { by } else { -by };
            if let Some(further) = moved(subject, &group, place, by) {
                group = further;
            }
        }
        group
    })
}

/// The places of an input that have floats.
fn floats(input: &Input) -> Vec<FloatAt> {
    let is_float = |value: &Value| matches!(value, Value::Double(_) | Value::Single(_));
    let arguments = input.arguments.iter().enumerate();
    let arguments = arguments.filter(|(_, value)| is_float(value));
    let contents = input.heap.cells.iter().flat_map(|(&loc, cell)| {
        let fields = cell.fields.iter().enumerate();
        let floats = fields.filter(|(_, value)| is_float(value));
        floats.map(move |(index, _)| FloatAt::Content(loc, index))
    });
    let arguments = arguments.map(|(index, _)| FloatAt::Argument(index));
    arguments.chain(contents).collect()
}

/// The input with another number at a place, if it is valid.
fn moved(subject: &Subject, input: &Input, place: FloatAt, by: f64) -> Option<Input> {
    let mut moved = input.clone();
    let value = match place {
        FloatAt::Argument(index) => moved.arguments.get_mut(index)?,
        FloatAt::Content(loc, index) => moved.heap.cells.get_mut(&loc)?.fields.get_mut(index)?,
    };
    let old = *value;
    let new = shifted(old, by)?;
    *value = new;
    if is_valid(subject, &moved) {
        return Some(moved);
    }
    // The number has a name in the derivation, which is one of those that stand for it there.
    let names = names(moved.witness.as_mut()).count();
    (0..names).find_map(|index| {
        let mut named = moved.clone();
        let name = self::names(named.witness.as_mut()).nth(index)?;
        if *name != old {
            return None;
        }
        *name = new;
        is_valid(subject, &named).then_some(named)
    })
}

/// The values of all symbols of a derivation.
fn names(witness: Option<&mut Footprint>) -> impl Iterator<Item = &mut Value> {
    witness.into_iter().flat_map(|witness| {
        let steps = witness.derivation.steps.iter_mut();
        let quantified = steps.flat_map(|step| &mut step.exists);
        witness.stack.values_mut().chain(quantified)
    })
}

fn is_valid(subject: &Subject, input: &Input) -> bool {
    oracle::precondition(subject, input) == Verification::Holds
}

/// A float some way off, without digits that nobody needs; none if that is the same.
fn shifted(value: Value, by: f64) -> Option<Value> {
    // Twelve digits behind the point are enough for all moves.
    let shifted = |number: f64| {
        let moved = number + by * number.abs().max(1.0);
        let rounded = (moved * 1e12).round() / 1e12;
        if rounded.is_finite() { rounded } else { moved }
    };
    let new = match value {
        Value::Double(bits) => Value::Double(shifted(f64::from_bits(bits)).to_bits()),
        Value::Single(bits) => {
            let moved = shifted(f64::from(f32::from_bits(bits))) as f32;
            Value::Single(moved.to_bits())
        }
        _ => return None,
    };
    (new != value).then_some(new)
}
