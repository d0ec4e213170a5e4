//! Constants. Strings and class objects are globals that are filled when they are used first.

use heapwright_ir::{Callee, Constant, FunctionId, Operand, Operation};
use heapwright_logic::IntType;

use super::emitter::Emitter;
use super::state::Reference;
use crate::classfile::{self, Kind};
use crate::descriptor::Type;
use crate::world::{CLASS, STRING, Trouble};

impl Emitter<'_> {
    pub(super) fn constant(&mut self, constant: &classfile::Constant) -> Result<(), Trouble> {
        use classfile::Constant as Java;
        let (value, kind) = match constant {
            Java::Null => {
                let null = Operand::Constant(Constant::Null);
                self.push(null, Kind::Reference, Reference::Null);
                return Ok(());
            }
            Java::Int(value) => (Constant::Int(IntType::I32, (*value).into()), Kind::Int),
            Java::Long(value) => (Constant::Int(IntType::I64, (*value).into()), Kind::Long),
            Java::Float(bits) => (Constant::Single(*bits), Kind::Float),
            Java::Double(bits) => (Constant::Double(*bits), Kind::Double),
            Java::String(text) => {
                let (global, filler) = self.world.literal(text)?;
                self.call_filler(filler);
                let ty = Reference::Of(Type::class(STRING));
                self.push(Operand::Global(global), Kind::Reference, ty);
                return Ok(());
            }
            Java::Class(ty) => return self.class_constant(ty),
            Java::MethodHandle(_) | Java::MethodType(_) => {
                return Err(Trouble::Unsupported("constants of method handles".into()));
            }
            Java::Dynamic(dynamic) => {
                let what = format!("the dynamic constant `{}`", dynamic.name);
                return Err(Trouble::Unsupported(what));
            }
        };
        self.push(Operand::Constant(value), kind, Reference::Unknown);
        Ok(())
    }

    /// Pushes a class object.
    pub(super) fn class_constant(&mut self, ty: &Type) -> Result<(), Trouble> {
        let (global, filler) = self.world.class_object(ty)?;
        self.call_filler(filler);
        let class = Reference::Of(Type::class(CLASS));
        self.push(Operand::Global(global), Kind::Reference, class);
        Ok(())
    }

    /// Calls a function that prepares something: it takes nothing and gives nothing.
    pub(super) fn call_filler(&mut self, function: FunctionId) {
        self.emit(Operation::Call {
            to: None,
            callee: Callee::Static(function),
            args: Vec::new(),
        });
    }
}
