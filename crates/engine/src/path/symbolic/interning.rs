//! Objects that are one with others of the same number ([`Interned`]): a box is made without asking
//! for its number, and two boxes are the same if their numbers are.
//!
//! [`Interned`]: heapwright_ir::machine::interned::Interned

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::interned::InternedNumber;
use heapwright_ir::machine::{Address, MachineError};
use heapwright_logic::TermId;

use super::{PathStop, Symbolic};
use crate::path::arithmetic::same_number;
use crate::path::symbolic_value::SymbolicValue;

impl Symbolic<'_> {
    /// The object that stands for a number, where the object is new.
    pub(super) fn intern(
        &mut self,
        object: SymbolicValue,
        number: SymbolicValue,
        range: (SymbolicValue, SymbolicValue),
    ) -> Result<SymbolicValue, PathStop> {
        let (
            SymbolicValue::Concrete(Concrete::Pointer(Address { object, .. })),
            (
                SymbolicValue::Concrete(Concrete::Int(first)),
                SymbolicValue::Concrete(Concrete::Int(last)),
            ),
        ) = (object, range)
        else {
            return Err(MachineError::IllSorted.into());
        };
        let term = number.term(&mut self.terms);
        let interned = InternedNumber {
            class: self.memory.object(object)?.class,
            number: term.ok_or(MachineError::IllSorted)?,
            range: (first, last),
        };
        let known = self.terms.as_int(interned.number);
        let object = self.interned.intern(object, interned, known);
        Ok(SymbolicValue::Concrete(Concrete::object(object)))
    }

    /// The numbers of two different objects that can be the same nevertheless, and the range.
    pub(super) fn interned_numbers(
        &self,
        one: Concrete,
        other: Concrete,
    ) -> Option<(TermId, TermId, (i128, i128))> {
        let (Concrete::Pointer(one), Concrete::Pointer(other)) = (one, other) else {
            return None;
        };
        let (first, second) = self.interned.numbers(one.object, other.object)?;
        Some((first.number, second.number, first.range))
    }

    /// When two different objects are the same nevertheless, if ever.
    pub(super) fn interned_together(&mut self, one: Concrete, other: Concrete) -> Option<TermId> {
        let (number, same, range) = self.interned_numbers(one, other)?;
        Some(same_number(&mut self.terms, number, same, range))
    }
}
