//! Concrete values.

use std::fmt;

use heapwright_logic::{FloatType, Sort};

use crate::instruction::Constant;
use crate::machine::{Address, ObjectId};

/// A concrete scalar or reference. Floats are kept as bits, so that values can be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// The null reference.
    Null,
    /// A reference to an object or into it.
    Pointer(Address),
    /// A truth value.
    Bool(bool),
    /// An integer, in the range of its type.
    Int(i128),
    /// IEEE binary32 bits.
    Single(u32),
    /// IEEE binary64 bits.
    Double(u64),
    /// Nobody has given it a value, so nothing may depend on it.
    Undefined,
    /// A byte of the value that begins some bytes before, in memory without a type.
    Tail,
    /// One byte of a pointer that was taken apart, counted from the lowest.
    Fragment(Address, u8),
    /// A pointer that leads to no object, made from a number other than zero.
    Wild(i64),
}

impl Value {
    /// A reference to the beginning of an object.
    pub fn object(object: ObjectId) -> Value {
        Value::Pointer(Address { object, offset: 0 })
    }

    /// What fields and elements of a sort hold at first.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int | Sort::Machine(_) => Value::Int(0),
            Sort::Float(FloatType::Single) => Value::Single(0),
            Sort::Float(FloatType::Double) => Value::Double(0),
            Sort::Ref(_) => Value::Null,
        }
    }

    /// Whether the value belongs to a sort (for references: is a reference at all).
    pub fn has_sort(self, sort: Sort) -> bool {
        match (self, sort) {
            (Value::Null | Value::Pointer(_) | Value::Wild(_), Sort::Ref(_)) => true,
            // Languages with pointers as numbers keep what they lead to.
            (Value::Pointer(_), Sort::Machine(ty)) => ty.bits() == 64,
            (Value::Fragment(..), Sort::Machine(ty)) => ty.bits() == 8,
            (Value::Undefined, _) => true,
            (Value::Bool(_), Sort::Bool) => true,
            (Value::Int(_), Sort::Int) => true,
            (Value::Int(value), Sort::Machine(ty)) => ty.contains(value),
            (Value::Single(_), Sort::Float(FloatType::Single)) => true,
            (Value::Double(_), Sort::Float(FloatType::Double)) => true,
            _ => false,
        }
    }
}

impl From<Constant> for Value {
    fn from(constant: Constant) -> Self {
        match constant {
            Constant::Bool(value) => Value::Bool(value),
            Constant::Int(ty, value) => Value::Int(ty.wrap(value)),
            Constant::Single(bits) => Value::Single(bits),
            Constant::Double(bits) => Value::Double(bits),
            Constant::Null => Value::Null,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Pointer(address) if address.offset == 0 => write!(f, "@{}", address.object.0),
            Value::Pointer(address) => write!(f, "@{}+{}", address.object.0, address.offset),
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::Single(bits) => write!(f, "{:?}f", f32::from_bits(*bits)),
            Value::Double(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Value::Undefined => f.write_str("undefined"),
            Value::Tail => f.write_str("…"),
            Value::Fragment(address, byte) => {
                write!(f, "{}[{byte}]", Value::Pointer(*address))
            }
            Value::Wild(number) => write!(f, "@{number:#x}"),
        }
    }
}
