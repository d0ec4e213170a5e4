//! Constants of enums as inputs.
//!
//! They are objects of the program: each is a global with a class of its own below the enum, which
//! the initialiser of the enum fills. So a field of an input can be one of them, by its class (see
//! `InputRules::singletons`), once the enum is initialised.
//!
//! A method with a parameter of such a type is run through a wrapper (see `entries`) that takes a
//! number there, and looks the constant up when the class is initialised.

use std::sync::Arc;

use heapwright_ir::{BlockId, Constant, GlobalId, Operand, Operation, Reg, Terminator};
use heapwright_logic::{ClassId, Sort};

use super::World;
use super::builder::Builder;
use crate::classfile::{Class, Field, FieldReference, Instruction, Pc};
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

/// A constant of an enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumConstant {
    /// The enum.
    pub declaring: Name,
    /// The name of the constant.
    pub field: Name,
    /// The class of its object, which has no other objects.
    pub class: ClassId,
    /// The object.
    pub global: GlobalId,
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
    /// The constant of an enum that is the only object of a class.
    pub fn enum_constant(&self, class: ClassId) -> Option<&EnumConstant> {
        let mut known = self
            .enum_constants
            .values()
            .flatten()
            .flat_map(|all| all.iter());
        known.find(|constant| constant.class == class)
    }

    /// The constants of an enum in order, with their objects; none if the type is no enum, or if
    /// its initialiser does not make one object for each constant.
    pub(crate) fn constants_of(&mut self, ty: &Type) -> Option<Arc<[EnumConstant]>> {
        let Type::Class(name) = ty else {
            return None;
        };
        if let Some(known) = self.enum_constants.get(name) {
            return known.clone();
        }
        let constants = self.make_constants(ty).map(Arc::from);
        self.enum_constants.insert(name.clone(), constants.clone());
        constants
    }

    fn make_constants(&mut self, ty: &Type) -> Option<Vec<EnumConstant>> {
        let found = self.as_enum(ty)?;
        let made = self.made_by_initialiser(&found.class);
        if made.len() != found.constants.len() {
            return None;
        }
        let mut constants = Vec::new();
        for (field, (_, base)) in found.constants.iter().zip(made) {
            let name = format!("{}.{}", found.class.name, field.name);
            let above = self.complete(&base).ok()?;
            let class = self.add_class(name.clone());
            let fields = self.program.definitions.class(above).fields.clone();
            let definition = self.program.definitions.class_mut(class);
            definition.fields = fields;
            definition.superclass = Some(above);
            let methods = self.program.class(above).methods.clone();
            self.info(class, |info| {
                info.instantiable = true;
                info.methods = methods;
            });
            self.types.insert(class, base);
            self.completed.insert(class);
            constants.push(EnumConstant {
                declaring: found.class.name.clone(),
                field: field.name.clone(),
                class,
                global: self.add_global(name, class),
            });
        }
        Some(constants)
    }

    /// The instructions of the initialiser of an enum that make constants, with the classes of
    /// these: the enum itself, or a class for a constant with a body.
    fn made_by_initialiser(&self, class: &Class) -> Vec<(Pc, Type)> {
        let initialiser = class
            .methods
            .iter()
            .find(|method| &*method.name == "<clinit>");
        let code = initialiser.and_then(|method| method.code.as_ref());
        let instructions = code.map_or(&[][..], |code| &code.instructions);
        let made = instructions.iter().filter_map(|(pc, instruction)| {
            let Instruction::New(ty @ Type::Class(name)) = instruction else {
                return None;
            };
            let is_constant = *name == class.name
                || (self.path.load(name))
                    .is_ok_and(|made| made.superclass.as_ref() == Some(&class.name));
            is_constant.then(|| (*pc, ty.clone()))
        });
        made.collect()
    }

    /// The object that an instruction of the initialiser of an enum makes, if that is a constant.
    pub(crate) fn constant_made_at(&mut self, class: &Arc<Class>, pc: Pc) -> Option<GlobalId> {
        let constants = self.constants_of(&class.ty())?;
        let made = self.made_by_initialiser(class);
        let index = made.iter().position(|(at, _)| *at == pc)?;
        Some(constants.get(index)?.global)
    }

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
