//! Memory as bytes, pointers into objects and pointers as numbers, where programs manage their own
//! memory.
//!
//! What depends on where objects happen to lie is not followed.

use std::cell::RefMut;
use std::rc::Rc;

use heapwright_ir::machine::byte_access::{Bytes, Numbers};
use heapwright_ir::machine::concrete::{
    Value as Concrete, arithmetic as exact, pointer_arithmetic, pointer_conversion,
};
use heapwright_ir::machine::slot_memory::{Located, Object};
use heapwright_ir::machine::{Address, MachineError};
use heapwright_ir::{Arithmetic, BinaryOp, ClassKind, Comparison, UnaryOp};
use heapwright_logic::{ClassId, IntType, Sort, TermId};

use super::partial_value::PartialValue;
use super::scalars::Scalars;
use super::{Partial, StructureStop};
use crate::input::candidates::fits;
use crate::path::arithmetic;

/// The most elements of an object that a symbolic index is told apart for.
const ELEMENTS: i128 = 64;

/// Numbers of a partial structure, as far as bytes need them.
pub(super) struct PartialNumbers<'s> {
    scalars: RefMut<'s, Scalars>,
}

impl Numbers<PartialValue> for PartialNumbers<'_> {
    fn sort(&self, value: PartialValue) -> Option<Sort> {
        match value {
            PartialValue::Term(term) => Some(self.scalars.terms.sort(term)),
            PartialValue::Open(_) => Some(Sort::Ref(ClassId::ANY)),
            PartialValue::Concrete(_) | PartialValue::Unknown => None,
        }
    }

    fn convert(&mut self, value: PartialValue, from: Sort, to: Sort) -> Option<PartialValue> {
        match value {
            PartialValue::Concrete(value) => {
                exact::unary(UnaryOp::Convert(to), from, value).map(PartialValue::Concrete)
            }
            PartialValue::Term(term) => {
                let terms = &mut self.scalars.terms;
                let term = arithmetic::unary(terms, UnaryOp::Convert(to), from, term)?;
                Some(PartialValue::of(terms, term))
            }
            PartialValue::Open(_) | PartialValue::Unknown => None,
        }
    }

    fn compute(
        &mut self,
        op: Arithmetic,
        a: PartialValue,
        b: PartialValue,
    ) -> Option<PartialValue> {
        let op = BinaryOp::Int(IntType::U64, op);
        if let (PartialValue::Concrete(a), PartialValue::Concrete(b)) = (a, b) {
            return exact::binary(op, a, b).map(PartialValue::Concrete);
        }
        let terms = &mut self.scalars.terms;
        let (a, b) = (a.term(terms)?, b.term(terms)?);
        let term = arithmetic::binary(terms, op, a, b)?;
        Some(PartialValue::of(terms, term))
    }
}

impl Partial<'_> {
    fn bytes(&mut self) -> Bytes<'_, PartialValue, Rc<Object<PartialValue>>, PartialNumbers<'_>> {
        Bytes {
            memory: &mut self.memory,
            program: self.program,
            numbers: PartialNumbers {
                scalars: self.scalars.borrow_mut(),
            },
        }
    }

    /// Whether nothing is known about something in a place.
    fn is_unknown(&self, place: Located) -> Result<bool, StructureStop> {
        Ok(match place {
            Located::Slot(slot) => self.memory.read(slot)? == PartialValue::Unknown,
            Located::Bytes(root, span) => {
                let mut unknown = false;
                for leaf in self.memory.leaves(self.program, root, span)? {
                    unknown |= self.memory.read(leaf.slot)? == PartialValue::Unknown;
                }
                unknown
            }
            Located::Outside => false,
        })
    }

    pub(super) fn load_bytes(
        &mut self,
        place: Located,
        sort: Sort,
    ) -> Result<PartialValue, StructureStop> {
        if let Located::Slot(slot) = place {
            let value = self.memory.read(slot)?;
            let is_sort = match value {
                PartialValue::Concrete(value) => value.has_sort(sort),
                PartialValue::Term(term) => self.scalars.borrow().terms.sort(term) == sort,
                PartialValue::Open(_) => sort.is_ref(),
                PartialValue::Unknown => true,
            };
            if is_sort {
                return Ok(value);
            }
        }
        if self.is_unknown(place)? {
            return Ok(PartialValue::Unknown);
        }
        let read = self.bytes().read(place, sort);
        followed(read)
    }

    pub(super) fn store_bytes(
        &mut self,
        place: Located,
        sort: Sort,
        value: PartialValue,
    ) -> Result<(), StructureStop> {
        match place {
            Located::Slot(slot) if value == PartialValue::Unknown => {
                return Ok(self.memory.write(slot, value)?);
            }
            Located::Bytes(root, span)
                if value == PartialValue::Unknown || self.is_unknown(place)? =>
            {
                for leaf in self.memory.leaves(self.program, root, span)? {
                    self.memory.write(leaf.slot, PartialValue::Unknown)?;
                }
                return Ok(());
            }
            _ => {}
        }
        let written = self.bytes().write(place, sort, value);
        followed(written)
    }

    pub(super) fn copy(
        &mut self,
        to: Address,
        from: Address,
        count: i64,
    ) -> Result<(), StructureStop> {
        let done = self.bytes().copy(to, from, count);
        followed(done)
    }

    pub(super) fn fill(
        &mut self,
        to: Address,
        value: Option<PartialValue>,
        count: i64,
    ) -> Result<(), StructureStop> {
        if value == Some(PartialValue::Unknown) {
            return Err(StructureStop::Unknown);
        }
        let done = self.bytes().fill(to, value, count);
        followed(done)
    }

    /// Which element a symbolic index selects, of those that the object has; `None` outside. A
    /// pointer may lead behind the last one.
    pub(super) fn index(
        &mut self,
        address: Address,
        index: TermId,
        width: i128,
        is_pointer: bool,
    ) -> Result<Option<i128>, StructureStop> {
        let own = match is_pointer {
            // What is pointed to may be anywhere in the outermost object.
            true => self.memory.root(address)?,
            false => address,
        };
        let extent = i128::from(self.memory.extent(self.program, own.object)?);
        let offset = i128::from(own.offset);
        if width == 0 || offset % width != 0 || extent / width > ELEMENTS {
            return self.number(index, None);
        }
        let before = offset / width;
        let length = extent / width + i128::from(is_pointer);
        let cases = (-before..length - before).collect();
        match self.number(index, Some(cases))? {
            None if is_pointer => self.number(index, None),
            index => Ok(index),
        }
    }

    /// A pointer as one to something else.
    pub(super) fn cast_pointer(
        &mut self,
        pointer: PartialValue,
        class: ClassId,
    ) -> Result<PartialValue, StructureStop> {
        let address = match pointer {
            PartialValue::Concrete(Concrete::Pointer(address)) => address,
            PartialValue::Open(slot) => {
                let known = self.structure.slots.get(slot.0 as usize);
                let declared = known.map_or(ClassId::ANY, |slot| slot.class);
                let is_plain = [declared, class].contains(&ClassId::ANY)
                    || fits(self.program, declared, class)
                    || fits(self.program, class, declared)
                    || matches!(self.program.class(class).kind, ClassKind::Array { .. });
                if is_plain {
                    return Ok(pointer);
                }
                match self.referenced(pointer)? {
                    Some(address) => address,
                    None => return Ok(PartialValue::Concrete(Concrete::Null)),
                }
            }
            other => return Ok(other),
        };
        let adopted = self.bytes().adopt(address, class);
        followed(adopted)?;
        let place = self.memory.canonical(self.program, address, class)?;
        Ok(PartialValue::Concrete(Concrete::Pointer(place)))
    }

    /// A reference that is decided; other values as they are.
    fn resolved(&mut self, value: PartialValue) -> Result<PartialValue, StructureStop> {
        match value {
            PartialValue::Open(_) => {
                let place = self.referenced(value)?;
                let known = place.map_or(Concrete::Null, Concrete::Pointer);
                Ok(PartialValue::Concrete(known))
            }
            other => Ok(other),
        }
    }

    /// An operation on something that is or was a pointer; `None` for all others.
    pub(super) fn unary_on_pointer(
        &mut self,
        op: UnaryOp,
        sort: Sort,
        value: PartialValue,
    ) -> Result<Option<PartialValue>, StructureStop> {
        if value == PartialValue::Unknown {
            return Ok(Some(value));
        }
        if let (UnaryOp::Convert(Sort::Bool), Sort::Ref(_)) = (op, sort) {
            let null = PartialValue::Concrete(Concrete::Null);
            let op = BinaryOp::Compare(Comparison::Ne);
            return self.binary_on_pointers(op, value, null).map(|known| {
                let is_null = PartialValue::Concrete(Concrete::Bool(false));
                Some(known.unwrap_or(is_null))
            });
        }
        let value = match sort {
            Sort::Ref(_) => self.resolved(value)?,
            _ => value,
        };
        let PartialValue::Concrete(known) = value else {
            return Ok(None);
        };
        if let UnaryOp::Convert(to) = op
            && let Some(converted) = pointer_conversion(to, known)
        {
            return Ok(Some(PartialValue::Concrete(converted)));
        }
        match known {
            Concrete::Undefined => Ok(Some(value)),
            Concrete::Pointer(_) => Err(StructureStop::Unsupported),
            _ => Ok(None),
        }
    }

    /// An operation on what is or was a pointer; `None` for all others.
    pub(super) fn binary_on_pointers(
        &mut self,
        op: BinaryOp,
        a: PartialValue,
        b: PartialValue,
    ) -> Result<Option<PartialValue>, StructureStop> {
        if a == PartialValue::Unknown || b == PartialValue::Unknown {
            return Ok(Some(PartialValue::Unknown));
        }
        let undefined = PartialValue::Concrete(Concrete::Undefined);
        if a == undefined || b == undefined {
            return Ok(Some(undefined));
        }
        let is_pointer = |value: PartialValue| match value {
            PartialValue::Open(_) => true,
            PartialValue::Concrete(value) => {
                matches!(value, Concrete::Pointer(_) | Concrete::Wild(_))
            }
            PartialValue::Term(_) | PartialValue::Unknown => false,
        };
        if !is_pointer(a) && !is_pointer(b) {
            return Ok(None);
        }
        let is_sameness = matches!(op, BinaryOp::Compare(Comparison::Eq | Comparison::Ne));
        if is_sameness && a.is_reference() && b.is_reference() {
            return self.compare_references(op, a, b).map(Some);
        }
        let (a, b) = match (self.resolved(a), self.resolved(b)) {
            (Err(StructureStop::Unknown), _) | (_, Err(StructureStop::Unknown)) => {
                return Ok(Some(PartialValue::Unknown));
            }
            (a, b) => (a?, b?),
        };
        if let (PartialValue::Concrete(a), PartialValue::Concrete(b)) = (a, b)
            && let Some(known) = pointer_arithmetic(&self.memory, op, a, b)?
        {
            return Ok(Some(PartialValue::Concrete(known)));
        }
        Err(StructureStop::Unsupported)
    }
}

/// What cannot be said with terms ends the run.
fn followed<T>(done: Result<T, MachineError>) -> Result<T, StructureStop> {
    done.map_err(|error| match error {
        MachineError::MixedAccess(_) => StructureStop::Unsupported,
        error => error.into(),
    })
}
