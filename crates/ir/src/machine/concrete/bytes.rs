//! Reading and writing: whole fields and elements, and the bytes of others.
//!
//! Nearly every access is of one slot with a value of its own sort. C may look at the same
//! bytes differently: a float as an integer, a number byte by byte, several fields at once.
//! Such accesses go through the bits, in little-endian order; padding reads as zeros and keeps
//! nothing. References other than null have no bits, so they cannot be taken apart.

use heapwright_logic::{FloatType, Sort};

use super::{Concrete, Value};
use crate::machine::layout::{self, Located};
use crate::machine::slot_memory::Slot as WholeSlot;
use crate::machine::{MachineError, ObjectId};
use crate::program::FieldLayout;

/// A part of an object that can be read and written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// A field or element.
    Whole(WholeSlot),
    /// Bytes that are no field or element.
    Bytes {
        /// The object.
        object: ObjectId,
        /// Where they begin.
        start: i64,
        /// How many they are.
        size: u32,
    },
}

impl Slot {
    /// The slot of a place that was found, if it is inside the object.
    pub fn new(object: ObjectId, located: Located) -> Option<Slot> {
        match located {
            Located::Slot(index) => Some(Slot::Whole(WholeSlot { object, index })),
            Located::Bytes { start, size } => Some(Slot::Bytes {
                object,
                start,
                size,
            }),
            Located::Outside => None,
        }
    }
}

impl Concrete<'_> {
    /// Reads a slot as a value of `sort`.
    pub(super) fn read(&self, slot: Slot, sort: Sort) -> Result<Value, MachineError> {
        let (object, bits) = match slot {
            Slot::Whole(slot) => {
                let value = self.memory.read(slot)?;
                if value.has_sort(sort) {
                    return Ok(value);
                }
                (slot.object, to_bits(value))
            }
            Slot::Bytes {
                object,
                start,
                size,
            } => {
                let mut bits = 0;
                for (index, place) in self.overlapping(object, start, size)? {
                    let part = to_bits(self.memory.read(WholeSlot { object, index })?);
                    let part = part.ok_or(MachineError::MixedAccess(object))?;
                    bits |= shifted(masked(part, place.size), start - i64::from(place.offset));
                }
                (object, Some(masked(bits, size)))
            }
        };
        let value = bits.and_then(|bits| from_bits(bits, sort));
        value.ok_or(MachineError::MixedAccess(object))
    }

    /// Writes a value of `sort` to a slot.
    pub(super) fn write(
        &mut self,
        slot: Slot,
        sort: Sort,
        value: Value,
    ) -> Result<(), MachineError> {
        if !value.has_sort(sort) {
            return Err(MachineError::IllSorted);
        }
        match slot {
            Slot::Whole(slot) => {
                let WholeSlot { object, index } = slot;
                let actual = self.slot_sort(self.memory.object(object)?.class, index)?;
                let stored = match value.has_sort(actual) {
                    true => Some(value),
                    false => to_bits(value).and_then(|bits| from_bits(bits, actual)),
                };
                let stored = stored.ok_or(MachineError::MixedAccess(object))?;
                self.memory.write(slot, stored)
            }
            Slot::Bytes {
                object,
                start,
                size,
            } => {
                let bits = to_bits(value).ok_or(MachineError::MixedAccess(object))?;
                for (index, place) in self.overlapping(object, start, size)? {
                    let slot = WholeSlot { object, index };
                    let distance = i64::from(place.offset) - start;
                    let mask = masked(shifted(masked(u64::MAX, size), distance), place.size);
                    let new = shifted(masked(bits, size), distance);
                    // What is overwritten completely may have been a reference.
                    let old = match mask == masked(u64::MAX, place.size) {
                        true => Some(0),
                        false => to_bits(self.memory.read(slot)?),
                    };
                    let sort = self.slot_sort(self.memory.object(object)?.class, index)?;
                    let merged = old.map(|old| (old & !mask) | (new & mask));
                    let merged = merged.and_then(|bits| from_bits(masked(bits, place.size), sort));
                    let merged = merged.ok_or(MachineError::MixedAccess(object))?;
                    self.memory.write(slot, merged)?;
                }
                Ok(())
            }
        }
    }

    fn overlapping(
        &self,
        object: ObjectId,
        start: i64,
        size: u32,
    ) -> Result<Vec<(u32, FieldLayout)>, MachineError> {
        let found = self.memory.object(object)?;
        let kind = layout::kind(self.program, found.class)?;
        let slots = found.contents.len();
        Ok(layout::overlapping(kind, slots, start, size))
    }
}

/// The bits of a number or of null; numbers of fewer bits are extended in some way.
fn to_bits(value: Value) -> Option<u64> {
    match value {
        Value::Bool(value) => Some(u64::from(value)),
        Value::Int(value) => Some(value as u64),
        Value::Single(bits) => Some(u64::from(bits)),
        Value::Double(bits) => Some(bits),
        Value::Null => Some(0),
        Value::Pointer(_) => None,
    }
}

/// The number of a sort that has these bits; null has none set.
fn from_bits(bits: u64, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(masked(bits, 1) != 0)),
        Sort::Machine(ty) => Some(Value::Int(ty.wrap(i128::from(bits)))),
        Sort::Float(FloatType::Single) => Some(Value::Single(bits as u32)),
        Sort::Float(FloatType::Double) => Some(Value::Double(bits)),
        Sort::Ref(_) if bits == 0 => Some(Value::Null),
        Sort::Int | Sort::Ref(_) => None,
    }
}

/// The lowest `size` bytes.
fn masked(bits: u64, size: u32) -> u64 {
    match size {
        0 => 0,
        1..8 => bits & ((1 << (8 * size)) - 1),
        _ => bits,
    }
}

/// Bits moved towards the low end by a number of bytes, or towards the high end if it is
/// negative.
fn shifted(bits: u64, bytes: i64) -> u64 {
    let amount = u32::try_from(bytes.unsigned_abs().saturating_mul(8)).unwrap_or(u32::MAX);
    let moved = match bytes < 0 {
        true => bits.checked_shl(amount),
        false => bits.checked_shr(amount),
    };
    moved.unwrap_or(0)
}
