//! Values that are pleasant to read: of those that satisfy a question, the shortest.

use std::cmp::Reverse;

use heapwright_logic::{FloatType, Value, VarId};

use super::seeds::float;
use super::tape::Tape;

/// Rounds over all variables: what one variable gives up may let another one be simpler.
const ROUNDS: usize = 2;
/// Digits behind the point that are tried.
const DECIMALS: i32 = 6;

/// Replaces values by simpler ones while the question holds, but for those that are wanted as
/// they are.
///
/// Precondition: it holds.
pub fn simplify(tape: &mut Tape, evaluations: u64, wanted: impl Fn(VarId) -> Option<Value>) {
    let limit = tape.evaluations.saturating_add(evaluations);
    for _ in 0..ROUNDS {
        for unknown in 0..tape.unknowns.len() {
            let Some(original) = tape.value(unknown) else {
                continue;
            };
            let variable = tape.unknowns.get(unknown).map(|unknown| unknown.variable);
            if variable.and_then(&wanted) == Some(original) {
                continue;
            }
            let mut candidates = simpler(original);
            candidates.sort_by_key(|&value| plainness(value));
            candidates.dedup();
            for candidate in candidates {
                if plainness(candidate) >= plainness(original) || tape.evaluations >= limit {
                    break;
                }
                if tape.set(unknown, candidate) == 0.0 {
                    break;
                }
                tape.set(unknown, original);
            }
        }
    }
}

/// Smaller is plainer: few digits first, then small numbers, then positive ones.
fn plainness(value: Value) -> (usize, u64, bool) {
    let of_float = |value: f64, digits: String| {
        if !value.is_finite() {
            return (usize::MAX, 0, value.is_nan());
        }
        let magnitude = value.abs().to_bits();
        (digits.len(), magnitude, value.is_sign_negative())
    };
    match value {
        Value::Int(value) => {
            let magnitude = value.unsigned_abs();
            let clamped = u64::try_from(magnitude).unwrap_or(u64::MAX);
            (magnitude.to_string().len(), clamped, value < 0)
        }
        Value::Double(bits) => {
            let value = f64::from_bits(bits);
            of_float(value, format!("{:?}", value.abs()))
        }
        Value::Single(bits) => {
            let value = f32::from_bits(bits);
            of_float(f64::from(value), format!("{:?}", value.abs()))
        }
        Value::Bool(value) => (0, 0, value),
        Value::Null | Value::Ref(_) => (0, 0, false),
    }
}

fn simpler(value: Value) -> Vec<Value> {
    match value {
        Value::Int(value) => simpler_integers(value),
        Value::Double(bits) => (simpler_floats(f64::from_bits(bits)).into_iter())
            .map(|value| float(FloatType::Double, value))
            .collect(),
        Value::Single(bits) => (simpler_floats(f64::from(f32::from_bits(bits))).into_iter())
            .map(|value| float(FloatType::Single, value))
            .collect(),
        Value::Bool(true) => vec![Value::Bool(false)],
        _ => Vec::new(),
    }
}

fn simpler_integers(value: i128) -> Vec<Value> {
    let mut list = vec![0, 1, -1, 2, 10, 100, value / 2, value / 32, value / 1024];
    let mut power: i128 = 10;
    while power <= value.saturating_abs() {
        list.extend([value / power * power, value / power]);
        power = match power.checked_mul(10) {
            Some(power) => power,
            None => break,
        };
    }
    list.into_iter().map(Value::Int).collect()
}

fn simpler_floats(value: f64) -> Vec<f64> {
    let mut list = vec![0.0, 1.0, -1.0, 2.0, 10.0, 100.0];
    if !value.is_finite() {
        return list;
    }
    list.push(value.abs());
    list.extend([value / 2.0, value / 16.0, value / 1024.0].map(f64::trunc));
    // From many digits behind the point to many zeros before it.
    for digits in (-18..=DECIMALS).map(Reverse) {
        let scale = 10f64.powi(digits.0.abs());
        let (scaled, back): (f64, fn(f64, f64) -> f64) = match digits.0 {
            0.. => (value * scale, |value, scale| value / scale),
            _ => (value / scale, |value, scale| value * scale),
        };
        if scaled.is_finite() && scaled.abs() < 1e15 {
            let rounded = [scaled.floor(), scaled.ceil()];
            list.extend(rounded.map(|rounded| back(rounded, scale)));
        }
    }
    list
}
