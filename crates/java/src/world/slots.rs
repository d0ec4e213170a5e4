//! `Unsafe`: fields and elements by numbers.
//!
//! Such a number is the position in the list of fields or elements, which is all that the JDK's own
//! code needs: what it computes numbers from says so (`objectFieldOffset`, `arrayIndexScale`).
//! Nothing else runs at the same time, so that comparing and writing are two steps.

use heapwright_ir::machine::intrinsic::{LOAD_SLOT, STORE_SLOT};
use heapwright_ir::{
    Arithmetic, BinaryOp, BlockId, Callee, Comparison, Constant, Operand, Operation, Terminator,
};
use heapwright_logic::{ClassId, Sort};

use super::builder::Builder;
use super::native_bodies::call;
use crate::hierarchy::DeclaredMethod;

/// What a method of `Unsafe` does with a field or an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotAccess {
    /// Reads it.
    Get,
    /// Writes it.
    Put,
    /// Writes it, and gives what was there.
    GetAndSet,
    /// Changes it, and gives what was there.
    GetAndCompute(Arithmetic),
    /// Writes it if it has a value, and says whether it had.
    CompareAndSet,
    /// Writes it if it has a value, and gives the one that it had.
    CompareAndExchange,
}

/// The values that there are methods for.
const VALUES: [&str; 9] = [
    "Reference",
    "Int",
    "Long",
    "Boolean",
    "Byte",
    "Short",
    "Char",
    "Float",
    "Double",
];

/// What a native method of `Unsafe` does, if it is of this kind. Those that are not native call
/// these.
pub(super) fn slot_access(declared: &DeclaredMethod) -> Option<SlotAccess> {
    if &*declared.class.name != "jdk.internal.misc.Unsafe"
        || !declared.method.access.is_native_method()
    {
        return None;
    }
    let name = &*declared.method.name;
    let plain = name.strip_suffix("Volatile").unwrap_or(name);
    let kinds = [
        ("get", 2, SlotAccess::Get),
        ("put", 3, SlotAccess::Put),
        ("compareAndSet", 4, SlotAccess::CompareAndSet),
        ("compareAndExchange", 4, SlotAccess::CompareAndExchange),
    ];
    let found = kinds.iter().find(|(verb, parameters, _)| {
        let value = plain.strip_prefix(verb);
        value.is_some_and(|value| VALUES.contains(&value))
            && declared.method.descriptor.parameters.len() == *parameters
    });
    found.map(|(_, _, access)| *access)
}

/// A field or an element by its number.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberedSlot {
    pub(super) object: Operand,
    pub(super) position: Operand,
    /// The sort of what is there.
    pub(super) sort: Sort,
}

/// Emits an access with the values that it takes, and gives its result.
pub(super) fn access_slot(
    builder: &mut Builder,
    access: SlotAccess,
    slot: NumberedSlot,
    values: &[Operand],
) -> Option<Operand> {
    let place = [slot.object, slot.position];
    let load = Callee::Intrinsic(LOAD_SLOT.to_owned());
    let store = |builder: &mut Builder, value: Operand| {
        let args = place.into_iter().chain([value]).collect();
        call(
            builder,
            Callee::Intrinsic(STORE_SLOT.to_owned()),
            args,
            None,
        )
    };
    // Nothing is known about a reference that is read.
    let sort = match slot.sort {
        Sort::Ref(_) => Sort::Ref(ClassId::ANY),
        other => other,
    };
    match (access, values) {
        (SlotAccess::Get, _) => call(builder, load, place.to_vec(), Some(sort)),
        (SlotAccess::Put, &[value]) => store(builder, value),
        (SlotAccess::GetAndSet, &[value]) => {
            let found = call(builder, load, place.to_vec(), Some(sort));
            store(builder, value);
            found
        }
        (SlotAccess::GetAndCompute(operation), &[value]) => {
            let op = match sort {
                Sort::Machine(ty) => BinaryOp::Int(ty, operation),
                Sort::Float(ty) => BinaryOp::Float(ty, operation),
                _ => BinaryOp::Bool(operation),
            };
            let a = call(builder, load, place.to_vec(), Some(sort))?;
            let to = builder.register(sort);
            let b = value;
            builder.emit(Operation::Binary { to, op, a, b });
            store(builder, Operand::Register(to));
            Some(a)
        }
        (SlotAccess::CompareAndSet | SlotAccess::CompareAndExchange, &[expected, value]) => {
            let found = call(builder, load, place.to_vec(), Some(sort))?;
            let same = builder.register(Sort::Bool);
            builder.emit(Operation::Binary {
                to: same,
                op: BinaryOp::Compare(Comparison::Eq),
                a: found,
                b: expected,
            });
            let block = builder.next_block();
            let end = BlockId(block.0 + 3);
            builder.end(Terminator::Branch {
                condition: Operand::Register(same),
                then: BlockId(block.0 + 1),
                otherwise: BlockId(block.0 + 2),
            });
            let exchange = access == SlotAccess::CompareAndExchange;
            let to = builder.register(if exchange { sort } else { Sort::Bool });
            store(builder, value);
            for done in [true, false] {
                let from = match exchange {
                    true => found,
                    false => Operand::Constant(Constant::Bool(done)),
                };
                builder.emit(Operation::Move { to, from });
                builder.end(Terminator::Goto(end));
            }
            Some(Operand::Register(to))
        }
        _ => None,
    }
}
