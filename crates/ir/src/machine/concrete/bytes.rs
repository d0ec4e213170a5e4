//! Memory of the concrete domain as bytes, and pointers as numbers.

use heapwright_logic::{ClassId, Sort};

use super::{Concrete, Memory, Value};
use crate::instruction::{Arithmetic, BinaryOp, Comparison};
use crate::machine::byte_access::{Bytes, KnownNumbers};
use crate::machine::slot_memory::{Located, Object};
use crate::machine::{Address, MachineError};
use heapwright_logic::IntType;

impl Concrete<'_> {
    pub(super) fn bytes(&mut self) -> Bytes<'_, Value, Object<Value>, KnownNumbers> {
        Bytes {
            memory: &mut self.memory,
            program: self.program,
            numbers: KnownNumbers,
        }
    }

    /// Reads a slot as a value of `sort`.
    pub(super) fn read(&mut self, place: Located, sort: Sort) -> Result<Value, MachineError> {
        if let Located::Slot(slot) = place {
            let value = self.memory.read(slot)?;
            if value.has_sort(sort) {
                return Ok(value);
            }
        }
        self.bytes().read(place, sort)
    }

    /// Writes a value of `sort` to a slot.
    pub(super) fn write(
        &mut self,
        place: Located,
        sort: Sort,
        value: Value,
    ) -> Result<(), MachineError> {
        if !value.has_sort(sort) {
            return Err(MachineError::IllSorted);
        }
        self.bytes().write(place, sort, value)
    }

    /// A pointer as one to something else.
    pub(super) fn cast(&mut self, pointer: Value, class: ClassId) -> Result<Value, MachineError> {
        let Value::Pointer(address) = pointer else {
            return Ok(pointer);
        };
        self.bytes().adopt(address, class)?;
        let place = self.memory.canonical(self.program, address, class)?;
        Ok(Value::Pointer(place))
    }

    /// Operations on pointers; `None` for others.
    pub(super) fn on_pointers(
        &mut self,
        op: BinaryOp,
        a: Value,
        b: Value,
    ) -> Result<Option<Value>, MachineError> {
        if a == Value::Undefined || b == Value::Undefined {
            return Ok(Some(Value::Undefined));
        }
        // Two null pointers have an order, too.
        let is_pointer = |value| match value {
            Value::Pointer(_) | Value::Wild(_) => true,
            Value::Null => self.program.manual_memory,
            _ => false,
        };
        if !is_pointer(a) && !is_pointer(b) {
            return Ok(None);
        }
        if let Some(known) = pointer_arithmetic(&self.memory, op, a, b)? {
            return Ok(Some(known));
        }
        // What is left depends on where objects happen to lie.
        let [a, b] = [a, b].map(|value| match value {
            Value::Pointer(_) => self.location(value),
            Value::Wild(number) => Value::Int(number.into()),
            Value::Null => Value::Int(0),
            other => other,
        });
        Ok(super::arithmetic::binary(op, a, b))
    }
}

/// What can be computed with pointers without knowing where objects lie. Objects lie at multiples
/// of 8.
pub fn pointer_arithmetic<V, H>(
    memory: &crate::machine::slot_memory::SlotMemory<V, H>,
    op: BinaryOp,
    a: Value,
    b: Value,
) -> Result<Option<Value>, MachineError>
where
    H: crate::machine::slot_memory::Holder<V>,
{
    let rooted = |value: Value| -> Result<Value, MachineError> {
        Ok(match value {
            Value::Pointer(address) => Value::Pointer(memory.root(address)?),
            Value::Null => Value::Int(0),
            Value::Wild(number) => Value::Int(number.into()),
            other => other,
        })
    };
    let (a, b) = (rooted(a)?, rooted(b)?);
    Ok(match (op, a, b) {
        (BinaryOp::Compare(comparison), Value::Pointer(a), Value::Pointer(b)) => {
            match (comparison, a.object == b.object) {
                (Comparison::Eq, _) => Some(Value::Bool(a == b)),
                (Comparison::Ne, _) => Some(Value::Bool(a != b)),
                (_, true) => {
                    let op = BinaryOp::Compare(comparison);
                    let offset = |address: Address| Value::Int(address.offset.into());
                    super::arithmetic::binary(op, offset(a), offset(b))
                }
                _ => None,
            }
        }
        (BinaryOp::Compare(comparison), Value::Pointer(_), Value::Int(number))
        | (BinaryOp::Compare(comparison), Value::Int(number), Value::Pointer(_)) => {
            match comparison {
                // Nothing lies at the beginning or at the end of memory.
                Comparison::Eq if is_nowhere(number) => Some(Value::Bool(false)),
                Comparison::Ne if is_nowhere(number) => Some(Value::Bool(true)),
                _ => None,
            }
        }
        (BinaryOp::Compare(_), Value::Int(_), Value::Int(_)) => super::arithmetic::binary(op, a, b),
        (BinaryOp::Int(ty, Arithmetic::Sub), Value::Pointer(a), Value::Pointer(b))
            if a.object == b.object =>
        {
            Some(Value::Int(ty.wrap(i128::from(a.offset - b.offset))))
        }
        (BinaryOp::Int(ty, op), Value::Pointer(address), Value::Int(number)) => {
            with_number(ty, op, address, number)
        }
        (
            BinaryOp::Int(
                ty,
                op @ (Arithmetic::Add | Arithmetic::And | Arithmetic::Or | Arithmetic::Xor),
            ),
            Value::Int(number),
            Value::Pointer(address),
        ) => with_number(ty, op, address, number),
        _ => None,
    })
}

fn is_nowhere(number: i128) -> bool {
    (-4096..4096).contains(&number) || number >= i128::from(u64::MAX) - 4096
}

/// Bits of an address that are those of its offset.
const LOW: i64 = 7;

fn with_number(ty: IntType, op: Arithmetic, address: Address, number: i128) -> Option<Value> {
    let offset = address.offset;
    let signed = IntType::I64.wrap(number) as i64;
    let moved = |offset: i64| Some(Value::Pointer(Address { offset, ..address }));
    let is_low = (0..=LOW).contains(&signed);
    match op {
        Arithmetic::Add => moved(offset.checked_add(signed)?),
        Arithmetic::Sub => moved(offset.checked_sub(signed)?),
        Arithmetic::And if is_low => Some(Value::Int(ty.wrap((offset & signed).into()))),
        Arithmetic::And if (0..=LOW).contains(&!signed) => moved(offset & signed),
        Arithmetic::Or if is_low => moved(offset | signed),
        Arithmetic::Xor if is_low => moved(offset ^ signed),
        Arithmetic::Rem if [1, 2, 4, 8].contains(&signed) => {
            Some(Value::Int(ty.wrap(offset.rem_euclid(signed).into())))
        }
        _ => None,
    }
}

/// A conversion from or to a pointer; `None` for others.
pub fn pointer_conversion(to: Sort, value: Value) -> Option<Value> {
    match (to, value) {
        (_, Value::Undefined) => Some(value),
        (Sort::Ref(_), Value::Null | Value::Pointer(_) | Value::Wild(_)) => Some(value),
        (Sort::Ref(_), Value::Int(0)) => Some(Value::Null),
        (Sort::Ref(_), Value::Int(number)) => Some(Value::Wild(number as i64)),
        (Sort::Machine(ty), Value::Pointer(_)) if ty.bits() == 64 => Some(value),
        (Sort::Machine(_), Value::Null) => Some(Value::Int(0)),
        (Sort::Machine(ty), Value::Wild(number)) => Some(Value::Int(ty.wrap(number.into()))),
        (Sort::Machine(ty), Value::Fragment(..)) if ty.bits() == 8 => Some(value),
        (Sort::Bool, Value::Pointer(_) | Value::Wild(_)) => Some(Value::Bool(true)),
        (Sort::Bool, Value::Null) => Some(Value::Bool(false)),
        _ => None,
    }
}

impl Memory {
    /// The number of bytes from an address to the end of the outermost object.
    pub(super) fn room(
        &self,
        program: &crate::Program,
        address: Address,
    ) -> Result<Option<i64>, MachineError> {
        let root = self.root(address)?;
        let extent = self.extent(program, root.object)?;
        Ok((root.offset >= 0).then(|| extent - root.offset))
    }
}
