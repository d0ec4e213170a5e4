//! Constants of enums as inputs.
//!
//! They are objects that the initialiser of the enum makes, so that no input has objects like them.
//! A method with a parameter of such a type is run through a wrapper (see `entries`) that takes a
//! number there, and looks the constant up when the class is initialised.

use std::sync::Arc;

use heapwright_ir::{BlockId, Constant, Operand, Operation, Reg, Terminator};
use heapwright_logic::Sort;

use super::World;
use super::builder::Builder;
use crate::classfile::{Class, Field, FieldReference};
use crate::descriptor::{Name, Type};
use crate::hierarchy::LinkError;

/// A parameter of an entry that stands for a constant of an enum: a number instead of a reference.
/// Every number that is not the ordinal of a constant means null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumInput {
    /// The parameter of the wrapper.
    pub parameter: usize,
    /// The enum.
    pub class: Name,
    /// The names of its constants, by ordinal.
    pub constants: Vec<String>,
}

/// An enum with its constants.
pub(super) struct Enum {
    pub(super) class: Arc<Class>,
    pub(super) constants: Vec<Arc<Field>>,
}

impl Enum {
    pub(super) fn input(&self, parameter: usize) -> EnumInput {
        let names = self.constants.iter().map(|field| field.name.to_string());
        EnumInput {
            parameter,
            class: self.class.name.clone(),
            constants: names.collect(),
        }
    }
}

impl World {
    /// The enum that a type is.
    pub(super) fn as_enum(&self, ty: &Type) -> Option<Enum> {
        let Type::Class(name) = ty else {
            return None;
        };
        let class = self.path.load(name).ok()?;
        // The classes of constants with bodies are marked too, but their superclass is the enum.
        let is_enum =
            class.access.is_enum() && class.superclass.as_deref() == Some("java.lang.Enum");
        let constants = class.fields.iter().filter(|field| field.access.is_enum());
        let constants = constants.cloned().collect();
        is_enum.then_some(Enum { class, constants })
    }

    /// Emits the choice of a constant by its ordinal, which is a parameter. Runs on which a
    /// receiver is null are of no interest.
    pub(super) fn choose_constant(
        &mut self,
        builder: &mut Builder,
        found: &Enum,
        parameter: usize,
        is_receiver: bool,
    ) -> Result<Operand, LinkError> {
        let id = self.complete(&found.class.ty())?;
        let chosen = builder.register(Sort::Ref(id));
        let first = builder.next_block().0 + 1;
        let count = found.constants.len() as u32;
        let (default, end) = (BlockId(first + count), BlockId(first + count + 1));
        let cases = (0..count).map(|ordinal| (ordinal.into(), BlockId(first + ordinal)));
        builder.end(Terminator::Switch {
            value: Operand::Register(Reg(parameter as u32)),
            cases: cases.collect(),
            default,
        });
        for constant in &found.constants {
            let field = self.static_field(&FieldReference {
                class: found.class.name.clone(),
                name: constant.name.clone(),
                ty: constant.ty.clone(),
            })?;
            builder.emit(Operation::Load {
                to: chosen,
                object: Operand::Global(field.statics.global),
                class: field.statics.class,
                field: field.field,
            });
            builder.end(Terminator::Goto(end));
        }
        if is_receiver {
            let condition = Operand::Constant(Constant::Bool(false));
            builder.emit(Operation::Assume { condition });
        }
        builder.emit(Operation::Move {
            to: chosen,
            from: Operand::Constant(Constant::Null),
        });
        builder.end(Terminator::Goto(end));
        Ok(Operand::Register(chosen))
    }
}
