//! Calls that ask for fields by class and name. Where both are constants, which they are in the
//! JDK, no reflective object is needed.

use std::sync::Arc;

use heapwright_ir::{Callee, Constant, Operand, Operation};
use heapwright_logic::{IntType, Sort};

use super::emitter::Emitter;
use super::state::{Entry, Reference};
use crate::classfile::{CONSTRUCTOR, Instruction, Invocation, Kind, MethodReference};
use crate::descriptor::{MethodDescriptor, Type};
use crate::world::{CLASS, Trouble, VAR_HANDLE};

/// The method of `MethodHandles` that looks into a class as the class itself would.
const PRIVATE_LOOKUP: &str = "privateLookupIn";

impl Emitter<'_> {
    /// `Unsafe.objectFieldOffset(C.class, "field")`: the position of the field. The arguments are
    /// in reverse order.
    pub(super) fn field_offset(&mut self, reference: &MethodReference, args: &[Operand]) -> bool {
        if reference.class != Type::class("jdk.internal.misc.Unsafe")
            || &*reference.name != "objectFieldOffset"
        {
            return false;
        }
        let [Operand::Global(field), Operand::Global(class)] = args else {
            return false;
        };
        let field = self.world.literal_text(*field).map(ToString::to_string);
        let offset = field.and_then(|field| self.world.field_position(*class, &field));
        let Some(offset) = offset else {
            return false;
        };
        let offset = Constant::Int(IntType::I64, offset.into());
        self.push(Operand::Constant(offset), Kind::Long, Reference::Unknown);
        true
    }

    /// `unsafe.objectFieldOffset(C.class.getDeclaredField("field"))`, for which no reflective object
    /// is needed: the first call leaves a mark on the stack that the second one replaces.
    pub(super) fn reflective_field(
        &mut self,
        reference: &MethodReference,
        next: Option<&Instruction>,
    ) -> bool {
        if is_offset_of(reference) {
            let Some(Reference::Field(position)) = self.stack.last().map(|e| e.reference.clone())
            else {
                return false;
            };
            let below = self.stack.len().saturating_sub(2);
            self.stack.truncate(below);
            let offset = Constant::Int(IntType::I64, position.into());
            self.push(Operand::Constant(offset), Kind::Long, Reference::Unknown);
            return true;
        }
        let follows = matches!(next, Some(Instruction::Invoke(_, next)) if is_offset_of(next));
        if !follows || &*reference.name != "getDeclaredField" {
            return false;
        }
        let [.., class, field] = self.stack.as_slice() else {
            return false;
        };
        let (Operand::Global(class), Operand::Global(field)) = (class.operand, field.operand)
        else {
            return false;
        };
        let field = self.world.literal_text(field).map(ToString::to_string);
        let Some(position) = field.and_then(|field| self.world.field_position(class, &field))
        else {
            return false;
        };
        let below = self.stack.len().saturating_sub(2);
        self.stack.truncate(below);
        let null = Operand::Constant(Constant::Null);
        self.push(null, Kind::Reference, Reference::Field(position));
        true
    }

    /// `MethodHandles.lookup()`, which asks the virtual machine for the class that calls it, and
    /// `MethodHandles.privateLookupIn(C.class, lookup)`, which asks for the modules of two classes.
    pub(super) fn lookup(&mut self, reference: &MethodReference) -> Result<bool, Trouble> {
        if reference.class != Type::class("java.lang.invoke.MethodHandles") {
            return Ok(false);
        }
        let class = match &*reference.name {
            "lookup" => self.declared.class.ty(),
            PRIVATE_LOOKUP => match self.class_looked_into() {
                Some(class) => {
                    self.pop(Kind::Reference)?;
                    self.pop(Kind::Reference)?;
                    class
                }
                None => return Ok(false),
            },
            _ => return Ok(false),
        };
        let lookup = Type::class("java.lang.invoke.MethodHandles$Lookup");
        self.new_object(&lookup)?;
        self.stack.extend(self.stack.last().cloned());
        self.class_constant(&class)?;
        let constructor = MethodReference {
            class: lookup,
            name: CONSTRUCTOR.into(),
            descriptor: Arc::new(MethodDescriptor {
                parameters: vec![Type::class(CLASS)],
                result: None,
            }),
            is_interface: false,
        };
        self.invoke(Invocation::Special, &constructor, None)?;
        Ok(true)
    }

    /// The class below a lookup on the stack, if it is one of the JDK and so is the code: the JDK
    /// looks only into those of its own classes that it may look into.
    fn class_looked_into(&self) -> Option<Type> {
        let [.., class, _] = self.stack.as_slice() else {
            return None;
        };
        let Operand::Global(class) = class.operand else {
            return None;
        };
        let class = self.world.type_of_class_object(class)?;
        let is_own = |name: &str| !self.world.is_user_class(name);
        let is_inside = matches!(&class, Type::Class(name) if is_own(name))
            && is_own(&self.declared.class.name);
        is_inside.then_some(class)
    }

    /// `lookup.findVarHandle(C.class, "field", F.class)` and
    /// `MethodHandles.arrayElementVarHandle(F[].class)`. The arguments are in reverse order.
    pub(super) fn make_var_handle(
        &mut self,
        reference: &MethodReference,
        args: &[Operand],
    ) -> Result<bool, Trouble> {
        let Type::Class(class) = &reference.class else {
            return Ok(false);
        };
        let (class, field) = match (&**class, &*reference.name, args) {
            (
                "java.lang.invoke.MethodHandles$Lookup",
                "findVarHandle",
                [_, Operand::Global(field), Operand::Global(class)],
            )
            | (
                "jdk.internal.invoke.MhUtil",
                "findVarHandle",
                [_, Operand::Global(field), Operand::Global(class), _],
            ) => (*class, *field),
            // The class that the lookup was made by, which is the one that calls.
            ("jdk.internal.invoke.MhUtil", "findVarHandle", [_, Operand::Global(field), _])
                if !self.looks_elsewhere() =>
            {
                let own = self.declared.class.ty();
                (self.world.class_object(&own)?.0, *field)
            }
            ("java.lang.invoke.MethodHandles", "arrayElementVarHandle", [_]) => {
                return self.push_var_handle(0);
            }
            _ => return Ok(false),
        };
        let field = self.world.literal_text(field).map(ToString::to_string);
        match field.and_then(|field| self.world.field_position(class, &field)) {
            Some(position) => self.push_var_handle(position),
            None => Ok(false),
        }
    }

    /// Whether the code makes lookups of other classes as well.
    fn looks_elsewhere(&self) -> bool {
        let code = self.declared.method.code.iter();
        let mut instructions = code.flat_map(|code| &code.instructions);
        instructions.any(|(_, instruction)| {
            matches!(instruction, Instruction::Invoke(_, called) if &*called.name == PRIVATE_LOOKUP)
        })
    }

    fn push_var_handle(&mut self, position: u32) -> Result<bool, Trouble> {
        let (class, field) = self.world.field_handle()?;
        let to = self.temporary(Sort::Ref(class));
        self.emit(Operation::New { to, class });
        let object = Operand::Register(to);
        let value = Operand::Constant(Constant::Int(IntType::I64, position.into()));
        self.emit(Operation::Store {
            object,
            class,
            field,
            value,
        });
        let handle = Reference::Of(Type::class(VAR_HANDLE));
        self.push(object, Kind::Reference, handle);
        Ok(true)
    }

    /// A call of a method of `VarHandle`, whose descriptor is that of the call site. The arguments
    /// are in reverse order.
    pub(super) fn use_var_handle(
        &mut self,
        reference: &MethodReference,
        receiver: Option<&Entry>,
        args: &[Operand],
    ) -> Result<bool, Trouble> {
        let Some(receiver) = receiver.filter(|_| reference.class == Type::class(VAR_HANDLE)) else {
            return Ok(false);
        };
        let descriptor = &reference.descriptor;
        let Some(function) = self.world.handle_access(&reference.name, descriptor)? else {
            return Ok(false);
        };
        self.require_object(receiver);
        let args = [receiver.operand]
            .into_iter()
            .chain(args.iter().rev().copied());
        let args = args.collect();
        self.call(Callee::Static(function), args, descriptor.result.as_ref());
        Ok(true)
    }
}
/// `Unsafe.objectFieldOffset(Field)`
fn is_offset_of(reference: &MethodReference) -> bool {
    reference.class == Type::class("jdk.internal.misc.Unsafe")
        && &*reference.name == "objectFieldOffset"
        && reference.descriptor.parameters.len() == 1
}
