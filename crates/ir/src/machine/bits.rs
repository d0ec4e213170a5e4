//! Values as bits: the same bits as a value of another sort, and parts of them as numbers.

use heapwright_logic::{FloatType, IntType, Sort};

use super::byte_access::{Bytes, Numbers};
use super::concrete::Value;
use super::leaves::SlotValue;
use super::slot_memory::Holder;
use crate::instruction::Arithmetic;

/// Numbers that all bits are looked at in.
pub(super) const WIDE: Sort = Sort::Machine(IntType::U64);

impl<V: SlotValue, H: Holder<V>, N: Numbers<V>> Bytes<'_, V, H, N> {
    /// A value with the same bits, of another sort of the same size.
    pub(super) fn reinterpret(&mut self, value: V, from: Option<Sort>, to: Sort) -> Option<V> {
        let Some(known) = value.known() else {
            let from = from.or_else(|| self.numbers.sort(value))?;
            return match (from, to) {
                _ if from == to => Some(value),
                (Sort::Ref(_), Sort::Ref(_)) => Some(value),
                (Sort::Machine(_) | Sort::Bool, Sort::Machine(_)) => {
                    self.numbers.convert(value, from, to)
                }
                (Sort::Machine(_), Sort::Bool) => self.numbers.convert(value, from, to),
                _ => None,
            };
        };
        match (known, to) {
            (Value::Undefined, _) => Some(value),
            _ if known.has_sort(to) => Some(value),
            (Value::Null, Sort::Machine(_)) => Some(V::of(Value::Int(0))),
            (Value::Pointer(_) | Value::Fragment(..), _) => None,
            (Value::Wild(number), Sort::Machine(ty)) => {
                Some(V::of(Value::Int(ty.wrap(number.into()))))
            }
            (Value::Int(0), Sort::Ref(_)) => Some(V::of(Value::Null)),
            (Value::Int(number), Sort::Ref(_)) => Some(V::of(Value::Wild(number as i64))),
            _ => from_bits(to_bits(known)?, to).map(V::of),
        }
    }

    /// The bits of a value as an unsigned number; those above its own are arbitrary.
    pub(super) fn number(&mut self, value: V, sort: Option<Sort>) -> Option<V> {
        match value.known() {
            Some(known) => Some(V::of(Value::Int(i128::from(to_bits(known)?)))),
            None => match sort.or_else(|| self.numbers.sort(value))? {
                from @ (Sort::Machine(_) | Sort::Bool) => self.numbers.convert(value, from, WIDE),
                _ => None,
            },
        }
    }

    /// The value of a sort that has these low bits.
    pub(super) fn of_bits(&mut self, bits: V, sort: Sort, count: u32) -> Option<V> {
        let narrow = match sort {
            Sort::Machine(ty) if count < ty.bits() => Some(ty.signed()),
            _ => None,
        };
        let mut bits = bits;
        if let Some(signed) = narrow {
            let up = i64::from(64 - count);
            bits = match signed {
                false => self.masked(bits, count)?,
                true => {
                    let high = self.shift(Arithmetic::Shl, bits, up)?;
                    let signed = Sort::Machine(IntType::I64);
                    let high = self.numbers.convert(high, WIDE, signed)?;
                    // Division towards minus infinity by a power of two is a shift.
                    return self.arithmetic_shift(high, up, sort);
                }
            };
        }
        match bits.known() {
            Some(Value::Int(number)) => from_bits(number as u64, sort).map(V::of),
            Some(_) => None,
            None => match sort {
                Sort::Machine(IntType::U64) => Some(bits),
                Sort::Machine(_) => self.numbers.convert(bits, WIDE, sort),
                Sort::Bool => {
                    let low = self.masked(bits, 8)?;
                    self.numbers.convert(low, WIDE, Sort::Bool)
                }
                _ => None,
            },
        }
    }

    pub(super) fn arithmetic_shift(&mut self, value: V, by: i64, sort: Sort) -> Option<V> {
        match value.known() {
            Some(Value::Int(number)) => {
                let Sort::Machine(ty) = sort else {
                    return None;
                };
                Some(V::of(Value::Int(ty.wrap(number >> by))))
            }
            Some(_) => None,
            None => {
                // (x - 2^(n-1)) after flipping the sign bit is what the signed number is.
                let down = self
                    .numbers
                    .convert(value, Sort::Machine(IntType::I64), WIDE)?;
                let down = self.shift(Arithmetic::UShr, down, by)?;
                let sign = V::of(Value::Int(1 << (63 - by)));
                let flipped = self.numbers.compute(Arithmetic::Xor, down, sign)?;
                let number = self.numbers.compute(Arithmetic::Sub, flipped, sign)?;
                self.numbers.convert(number, WIDE, sort)
            }
        }
    }

    pub(super) fn shift(&mut self, op: Arithmetic, value: V, by: i64) -> Option<V> {
        match by {
            0 => Some(value),
            64.. => Some(V::of(Value::Int(0))),
            _ => {
                let by = V::of(Value::Int(by.into()));
                self.numbers.compute(op, value, by)
            }
        }
    }

    pub(super) fn masked(&mut self, value: V, bits: u32) -> Option<V> {
        match bits {
            64.. => Some(value),
            _ => {
                let mask = V::of(Value::Int(ones(bits)));
                self.numbers.compute(Arithmetic::And, value, mask)
            }
        }
    }
}

/// A number whose lowest bits are set, so many of them.
pub(super) fn ones(bits: u32) -> i128 {
    match bits {
        64.. => i128::from(u64::MAX),
        _ => (1 << bits) - 1,
    }
}

/// Unsigned numbers that have so many bits.
pub(super) fn unsigned(bits: u32) -> Sort {
    Sort::Machine(match bits {
        ..=8 => IntType::U8,
        9..=16 => IntType::U16,
        17..=32 => IntType::U32,
        _ => IntType::U64,
    })
}

/// The bits of a number or of null; numbers of fewer bits are extended in some way.
fn to_bits(value: Value) -> Option<u64> {
    match value {
        Value::Bool(value) => Some(u64::from(value)),
        Value::Int(value) => Some(value as u64),
        Value::Single(bits) => Some(u64::from(bits)),
        Value::Double(bits) => Some(bits),
        Value::Null => Some(0),
        Value::Wild(number) => Some(number as u64),
        Value::Pointer(_) | Value::Undefined | Value::Tail | Value::Fragment(..) => None,
    }
}

/// The value of a sort that has these bits; null has none set.
fn from_bits(bits: u64, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(bits & 0xff != 0)),
        Sort::Machine(ty) => Some(Value::Int(ty.wrap(i128::from(bits)))),
        Sort::Float(FloatType::Single) => Some(Value::Single(bits as u32)),
        Sort::Float(FloatType::Double) => Some(Value::Double(bits)),
        Sort::Ref(_) if bits == 0 => Some(Value::Null),
        Sort::Ref(_) => Some(Value::Wild(bits as i64)),
        Sort::Int => None,
    }
}
