//! What languages leave open: the numbers that objects keep, the time, and the last place of
//! functions such as the sine.

use super::{Concrete, Value};
use crate::machine::intrinsic::USUAL_IDENTITY;

impl Concrete<'_> {
    /// A number that an object keeps.
    pub(super) fn identity(&self, object: &Value) -> Option<Value> {
        match (object, self.varied) {
            (Value::Null, _) => Some(Value::Int(0)),
            (Value::Pointer(_), None) => Some(Value::Int(USUAL_IDENTITY)),
            (Value::Pointer(address), Some((seed, _))) => {
                let number = mix(seed ^ mix(address.object.0.into()));
                // 31 bits, which every integer type of a hash code holds.
                Some(Value::Int((number >> 33).into()))
            }
            _ => None,
        }
    }

    /// A number that need not be exact, as another platform might compute it. Numbers without a
    /// neighbour, and those at which functions are exact everywhere, stay as they are.
    pub(super) fn displaced(&self, value: Value) -> Value {
        let Value::Double(bits) = value else {
            return value;
        };
        let number = f64::from_bits(bits);
        if self.off_by == 0 || !number.is_normal() || number.fract() == 0.0 {
            return value;
        }
        let moved = f64::from_bits(bits.wrapping_add_signed(self.off_by.into()));
        match moved.is_finite() {
            true => Value::Double(moved.to_bits()),
            false => value,
        }
    }

    /// All that the clock depends on.
    pub(crate) fn clock(&self) -> Option<(u64, u64)> {
        self.varied
    }

    /// What a clock shows. It never goes backwards.
    pub(super) fn time(&mut self) -> Value {
        let Some((seed, read)) = &mut self.varied else {
            return Value::Int(0);
        };
        *read = read.saturating_add(1 + (mix(*seed) >> 54));
        let start = mix(*seed) >> 16;
        Value::Int(i128::from(start) + i128::from(*read))
    }
}

/// Spreads a number over all numbers: the finaliser of SplitMix64.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
