//! Where searches begin: the numbers of the question and their neighbours, small numbers, the
//! ends of the sorts, and numbers drawn by a generator that always draws the same.

use heapwright_logic::{FloatType, IntType, Sort, Value};

use super::distance::{double_at, double_position, single_at, single_position};

/// How many numbers of a question are used.
const MAX_CONSTANTS: usize = 24;
/// Bounds of what is tried for integers without bounds.
const WIDEST: IntType = IntType::I64;

/// Numbers that look random and are the same in every run (xorshift).
pub struct Random(u64);

impl Random {
    /// The one sequence.
    pub fn new() -> Random {
        Random(0x9e37_79b9_7f4a_7c15)
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit.max(1)
    }

    /// An integer between -limit and limit.
    fn around_zero(&mut self, limit: u64) -> i64 {
        self.below(2 * limit + 1) as i64 - limit as i64
    }

    /// A value for a variable of a sort whose favourites are given.
    pub fn value(&mut self, sort: Sort, favourites: &[Value]) -> Value {
        if !favourites.is_empty() && self.below(2) == 0 {
            let index = self.below(favourites.len() as u64) as usize;
            return favourites
                .get(index)
                .copied()
                .unwrap_or(Value::default_of(sort));
        }
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::Float(ty) => float(ty, self.float()),
            _ => {
                let bits = self.below(64);
                let number = match self.below(3) {
                    0 => self.around_zero(20),
                    1 => self.around_zero(1000),
                    _ => self.around_zero((1 << bits) - 1),
                };
                integer(sort, number.into())
            }
        }
    }

    fn float(&mut self) -> f64 {
        match self.below(5) {
            0 => self.around_zero(20) as f64,
            1 => self.around_zero(100_000) as f64 / 100.0,
            2 => self.around_zero(1_000_000) as f64 / 1e6,
            3 => self.around_zero(1_000_000_000) as f64,
            _ => double_at(self.around_zero(double_position(f64::MAX) as u64)),
        }
    }
}

/// The values that are tried for every variable of a sort, the nicest first.
pub fn favourites(sort: Sort, constants: &[Value]) -> Vec<Value> {
    let mut list = Vec::new();
    match sort {
        Sort::Bool => list.extend([Value::Bool(false), Value::Bool(true)]),
        Sort::Float(ty) => {
            let small = [0.0, 1.0, -1.0, 2.0, 0.5, 10.0, 100.0, 1000.0, -1000.0];
            list.extend(small.map(|value| float(ty, value)));
            for constant in constants.iter().take(MAX_CONSTANTS).copied() {
                let value = match constant {
                    Value::Double(bits) => f64::from_bits(bits),
                    Value::Single(bits) => f64::from(f32::from_bits(bits)),
                    Value::Int(value) => value as f64,
                    _ => continue,
                };
                let near = [value, -value, value + 1.0, value - 1.0];
                list.extend(near.map(|value| float(ty, value)));
                list.extend([-1, 1].map(|step| step_float(ty, float(ty, value), step)));
            }
            let special = [-0.0, f64::MAX, f64::MIN, f64::INFINITY];
            list.extend(special.map(|value| float(ty, value)));
            list.extend([f64::NEG_INFINITY, f64::NAN].map(|value| float(ty, value)));
        }
        _ => {
            list.extend((0..=3).flat_map(|n| [integer(sort, n), integer(sort, -n)]));
            for constant in constants.iter().take(MAX_CONSTANTS).copied() {
                let value = match constant {
                    // The casts saturate.
                    Value::Double(bits) => f64::from_bits(bits) as i64 as i128,
                    Value::Single(bits) => f32::from_bits(bits) as i64 as i128,
                    Value::Int(value) => value.clamp(WIDEST.min(), WIDEST.max()),
                    _ => continue,
                };
                let near = [value, -value, value + 1, value - 1];
                list.extend(near.map(|value| integer(sort, value)));
            }
            list.extend([i128::MIN, i128::MAX].map(|value| integer(sort, value)));
        }
    }
    let mut unique: Vec<Value> = Vec::with_capacity(list.len());
    for value in list {
        if !unique.contains(&value) {
            unique.push(value);
        }
    }
    unique
}

/// The integer of a sort that is nearest.
pub fn integer(sort: Sort, value: i128) -> Value {
    let ty = match sort {
        Sort::Machine(ty) => ty,
        _ => WIDEST,
    };
    Value::Int(value.clamp(ty.min(), ty.max()))
}

/// The float of a format that is nearest, NaN in canonical form.
pub fn float(ty: FloatType, value: f64) -> Value {
    match ty {
        FloatType::Single if value.is_nan() => Value::Single(f32::NAN.to_bits()),
        FloatType::Double if value.is_nan() => Value::Double(f64::NAN.to_bits()),
        FloatType::Single => Value::Single((value as f32).to_bits()),
        FloatType::Double => Value::Double(value.to_bits()),
    }
}

/// The float so many values further on.
pub fn step_float(ty: FloatType, value: Value, steps: i64) -> Value {
    match value {
        Value::Double(bits) if !f64::from_bits(bits).is_nan() => {
            let position = double_position(f64::from_bits(bits)).saturating_add(steps);
            float(ty, double_at(position))
        }
        Value::Single(bits) if !f32::from_bits(bits).is_nan() => {
            let position = single_position(f32::from_bits(bits)).saturating_add(steps);
            Value::Single(single_at(position).to_bits())
        }
        other => other,
    }
}
