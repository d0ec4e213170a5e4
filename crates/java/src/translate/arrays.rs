//! Arrays.

use heapwright_ir::{ClassKind, Constant, Operand, Operation};
use heapwright_logic::{ClassId, Sort};

use super::emitter::Emitter;
use super::fields::untyped;
use super::state::{Entry, Reference};
use crate::classfile::{Element, Kind};
use crate::descriptor::{Primitive, Type};
use crate::world::{OBJECT, Trouble, kind_sort};

impl Emitter<'_> {
    pub(super) fn array_load(&mut self, element: Element) -> Result<(), Trouble> {
        let index = self.pop(Kind::Int)?.operand;
        let array = self.pop(Kind::Reference)?;
        let element = element_type(element, &array.reference);
        let (array, sort) = self.array(&array, &element)?;
        let to = self.temporary(untyped(sort));
        self.emit(Operation::LoadElement { to, array, index });
        self.push_sorted(to, sort, Reference::Of(element));
        Ok(())
    }

    pub(super) fn array_store(&mut self, element: Element) -> Result<(), Trouble> {
        let value = self.pop(element_kind(element))?;
        let index = self.pop(Kind::Int)?.operand;
        let array = self.pop(Kind::Reference)?;
        let element = element_type(element, &array.reference);
        let (array, sort) = self.array(&array, &element)?;
        let value = self.sorted(&value, sort);
        self.emit(Operation::StoreElement {
            array,
            index,
            value,
        });
        Ok(())
    }

    pub(super) fn array_length(&mut self) -> Result<(), Trouble> {
        let array = self.pop(Kind::Reference)?;
        let operand = match &array.reference {
            Reference::Of(Type::Array(element)) => self.array(&array, element)?.0,
            _ => array.operand,
        };
        let to = self.temporary(kind_sort(Kind::Int));
        self.emit(Operation::Length { to, array: operand });
        self.push(Operand::Register(to), Kind::Int, Reference::Unknown);
        Ok(())
    }

    pub(super) fn new_array(&mut self, element: &Type) -> Result<(), Trouble> {
        let length = self.pop(Kind::Int)?.operand;
        let ty = element.clone().array_of();
        let class = self.world.complete(&ty)?;
        let to = self.temporary(kind_sort(Kind::Reference));
        self.emit(Operation::NewArray { to, class, length });
        self.push(Operand::Register(to), Kind::Reference, Reference::Of(ty));
        if let Some(entry) = self.stack.last_mut() {
            entry.not_null = true;
        }
        Ok(())
    }

    /// The inner arrays are made by a function per type and number of dimensions, because that
    /// takes loops.
    pub(super) fn multi_new_array(&mut self, ty: &Type, dimensions: u8) -> Result<(), Trouble> {
        let mut lengths = Vec::new();
        for _ in 0..dimensions {
            lengths.push(self.pop(Kind::Int)?.operand);
        }
        lengths.reverse();
        let function = self.world.nested_array(ty, dimensions)?;
        let to = self.temporary(kind_sort(Kind::Reference));
        self.emit(Operation::Call {
            to: Some(to),
            callee: heapwright_ir::Callee::Static(function),
            args: lengths,
        });
        let reference = Reference::Of(ty.clone());
        self.push(Operand::Register(to), Kind::Reference, reference);
        Ok(())
    }

    /// An array in a register of its class, and the sort of its elements.
    fn array(&mut self, array: &Entry, element: &Type) -> Result<(Operand, Sort), Trouble> {
        let class = self.world.complete(&element.clone().array_of())?;
        let sort = match self.world.program().class(class).kind {
            ClassKind::Array { element } => element,
            ClassKind::Struct { .. } => return Err(Trouble::Malformed("not an array")),
        };
        Ok((self.narrow(array.operand, class), sort))
    }

    /// A reference in a register of a class.
    pub(super) fn narrow(&mut self, reference: Operand, class: ClassId) -> Operand {
        if let Operand::Constant(Constant::Null) | Operand::Global(_) = reference {
            return reference;
        }
        let to = self.temporary(Sort::Ref(class));
        self.emit(Operation::Move {
            to,
            from: reference,
        });
        Operand::Register(to)
    }
}

/// The type of the elements that an instruction reads or writes.
fn element_type(element: Element, array: &Reference) -> Type {
    let primitive = match element {
        Element::Int => Primitive::Int,
        Element::Long => Primitive::Long,
        Element::Float => Primitive::Float,
        Element::Double => Primitive::Double,
        Element::Char => Primitive::Char,
        Element::Short => Primitive::Short,
        Element::ByteOrBoolean => match array {
            Reference::Of(Type::Array(element))
                if **element == Type::Primitive(Primitive::Boolean) =>
            {
                Primitive::Boolean
            }
            _ => Primitive::Byte,
        },
        Element::Reference => {
            return match array {
                Reference::Of(Type::Array(element)) if element.is_reference() => {
                    (**element).clone()
                }
                _ => Type::class(OBJECT),
            };
        }
    };
    Type::Primitive(primitive)
}

fn element_kind(element: Element) -> Kind {
    match element {
        Element::Long => Kind::Long,
        Element::Float => Kind::Float,
        Element::Double => Kind::Double,
        Element::Reference => Kind::Reference,
        Element::Int | Element::ByteOrBoolean | Element::Char | Element::Short => Kind::Int,
    }
}
