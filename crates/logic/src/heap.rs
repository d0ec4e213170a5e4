//! Concrete heaps, stacks, models and their witnesses.

use std::collections::BTreeMap;
use std::fmt;

use crate::sort::{ClassId, Sort};
use crate::term::VarId;

/// The address of an object.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct Loc(pub u32);

/// A concrete value. Floats are kept as bits, so that values can be compared and hashed.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Value {
    /// The null reference.
    Null,
    /// A reference; it dangles if the heap has no cell there.
    Ref(Loc),
    /// A truth value.
    Bool(bool),
    /// An integer of any sort.
    Int(i128),
    /// IEEE binary32 bits.
    Single(u32),
    /// IEEE binary64 bits.
    Double(u64),
}

impl Value {
    /// The value that a variable has when nothing constrains it.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int | Sort::Machine(_) => Value::Int(0),
            Sort::Float(crate::FloatType::Single) => Value::Single(0),
            Sort::Float(crate::FloatType::Double) => Value::Double(0),
            Sort::Ref(_) => Value::Null,
        }
    }

    /// Whether the value belongs to a sort (for references: is null or a location at all).
    pub fn has_sort(self, sort: Sort) -> bool {
        match (self, sort) {
            (Value::Null | Value::Ref(_), Sort::Ref(_)) => true,
            (Value::Bool(_), Sort::Bool) => true,
            (Value::Int(_), Sort::Int) => true,
            (Value::Int(value), Sort::Machine(ty)) => ty.contains(value),
            (Value::Single(_), Sort::Float(crate::FloatType::Single)) => true,
            (Value::Double(_), Sort::Float(crate::FloatType::Double)) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Ref(loc) => loc.fmt(f),
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::Single(bits) => write!(f, "{:?}f", f32::from_bits(*bits)),
            Value::Double(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
        }
    }
}

/// One object.
#[derive(Clone, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct Cell {
    /// Its class.
    pub class: ClassId,
    /// Its contents, in field order.
    pub fields: Vec<Value>,
}

/// A finite set of objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Heap {
    /// The cells by address.
    pub cells: BTreeMap<Loc, Cell>,
}

/// The values of free variables.
pub type Stack = BTreeMap<VarId, Value>;

/// Position of a step in a [`Derivation`].
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct StepId(pub u32);

/// One step of a derivation: a disjunct taken, and what its quantified variables stand for.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Step {
    /// Index of the disjunct in its formula or predicate.
    pub disjunct: u32,
    /// Values of the disjunct's `exists`, in order.
    pub exists: Vec<Value>,
    /// One step per predicate instance of the disjunct, in order.
    pub children: Vec<StepId>,
}

/// Why a heap satisfies a formula: which disjuncts were taken, with ghost values.
///
/// Kept flat, because derivations of long lists are deeper than any call stack.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Derivation {
    /// All steps; the first one is for the formula itself.
    pub steps: Vec<Step>,
}

/// A stack and heap that satisfy a formula, with the reason why.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// Values of the formula's free variables.
    pub stack: Stack,
    /// The cells.
    pub heap: Heap,
    /// The derivation that the satisfaction checker can verify.
    pub derivation: Derivation,
}
