//! What languages leave open: the environment, and the last place of functions such as the sine.

use super::{Concrete, Value};
use crate::machine::environment::{Asked, Environment};
use crate::machine::intrinsic::USUAL_IDENTITY;

impl Concrete<'_> {
    /// The seed of other answers than the usual ones about a part of the environment.
    fn seed(&mut self, part: Environment) -> Option<u64> {
        self.asked.insert(part);
        self.questions = self.questions.saturating_add(1);
        let (seed, _) = self.varied?;
        let varies = self.only.is_none_or(|only| only == part) && !part.is_usual_in_tests();
        varies.then_some(seed)
    }

    /// A number that an object keeps.
    pub(super) fn identity(&mut self, object: &Value) -> Option<Value> {
        let address = match object {
            Value::Null => return Some(Value::Int(0)),
            Value::Pointer(address) => address,
            _ => return None,
        };
        Some(Value::Int(match self.seed(Environment::Identity) {
            None => USUAL_IDENTITY,
            // 31 bits, which every integer type of a hash code holds.
            Some(seed) => (mix(seed ^ mix(address.object.0.into())) >> 33).into(),
        }))
    }

    /// Where an object happens to lie: far from all others, at a multiple of 16.
    pub(super) fn location(&mut self, pointer: Value) -> Value {
        let Value::Pointer(address) = pointer else {
            return pointer;
        };
        let root = self.memory.root(address).unwrap_or(address);
        let number = u64::from(root.object.0) + 1;
        let place = match self.seed(Environment::Addresses) {
            None => number << 32,
            // Other distances, and another order.
            Some(seed) => (mix(seed ^ number) >> 20) << 4,
        };
        Value::Int(i128::from(place.wrapping_add_signed(root.offset)))
    }

    /// What a part of the environment answers.
    pub(super) fn environment(&mut self, asked: Asked, args: &[Value]) -> Option<Value> {
        let part = match asked {
            Asked::Value(part) => part,
            Asked::Decided(part) => {
                self.asked.insert(part);
                return Some(Value::Bool(false));
            }
            Asked::Kept(_) => {
                if let (Some(watch), [Value::Pointer(address)]) = (&mut self.watch, args) {
                    watch.on_kept(&self.memory, address.object);
                }
                return Some(Value::Bool(false));
            }
        };
        match (args, self.seed(part)) {
            ([], None) => Some(Value::Int(0)),
            ([], Some(seed)) if part == Environment::Clock => Some(self.time(seed)),
            ([], Some(seed)) => {
                let changes = matches!(part, Environment::Memory | Environment::Randomness);
                let time = if changes { self.questions } else { 0 };
                let number = mix(seed ^ mix(part as u64) ^ mix(time)) >> 1;
                Some(Value::Int(number.into()))
            }
            ([usual, _], None) => Some(*usual),
            ([_, other], Some(_)) => Some(*other),
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

    /// How often the environment was asked. A run that asks may be told something else next time.
    pub(crate) fn questions(&self) -> u64 {
        self.questions
    }

    /// What a clock shows. It never goes backwards.
    fn time(&mut self, seed: u64) -> Value {
        let read = match &mut self.varied {
            Some((_, read)) => {
                *read = read.saturating_add(1 + (mix(seed) >> 54));
                *read
            }
            None => 0,
        };
        let start = mix(seed) >> 16;
        Value::Int(i128::from(start) + i128::from(read))
    }
}

/// Spreads a number over all numbers: the finaliser of SplitMix64.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
