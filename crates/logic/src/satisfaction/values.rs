//! Values as integers.
//!
//! To the parser of heaps every unknown is an integer: a reference is 0 for null and its
//! address plus one otherwise, a truth value 0 or 1, a float its bits. Equality of values is
//! then equality of integers, and one solver serves all sorts.

use crate::definitions::Definitions;
use crate::eval::canonical;
use crate::heap::{Heap, Loc, Value};
use crate::sort::{FloatType, Sort};

/// The integer that stands for a value.
pub(super) fn encode(value: Value) -> i128 {
    match canonical(value) {
        Value::Null => 0,
        Value::Ref(loc) => i128::from(loc.0) + 1,
        Value::Bool(value) => i128::from(value),
        Value::Int(value) => value,
        Value::Single(bits) => i128::from(bits),
        Value::Double(bits) => i128::from(bits),
    }
}

/// The value of a sort that an integer stands for, if there is one.
///
/// Machine integers are decoded whatever their range, because arguments are put in for
/// parameters as they are.
pub(super) fn decode(code: i128, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => match code {
            0 => Some(Value::Bool(false)),
            1 => Some(Value::Bool(true)),
            _ => None,
        },
        Sort::Int | Sort::Machine(_) => Some(Value::Int(code)),
        Sort::Float(FloatType::Single) => u32::try_from(code).ok().map(Value::Single),
        Sort::Float(FloatType::Double) => u64::try_from(code).ok().map(Value::Double),
        Sort::Ref(_) if code == 0 => Some(Value::Null),
        Sort::Ref(_) => u32::try_from(code - 1).ok().map(|loc| Value::Ref(Loc(loc))),
    }
}

/// Whether a variable or field of the sort can hold the value in this heap. A dangling
/// reference may be of any class.
pub(super) fn fits(definitions: &Definitions, heap: &Heap, value: Value, sort: Sort) -> bool {
    match (value, sort) {
        (Value::Ref(loc), Sort::Ref(class)) => {
            (heap.cells.get(&loc)).is_none_or(|cell| definitions.is_subclass(cell.class, class))
        }
        _ => value.has_sort(sort),
    }
}
