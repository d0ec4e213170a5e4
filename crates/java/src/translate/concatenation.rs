//! Concatenation of strings (`StringConcatFactory`): a method that appends to a builder.

use std::sync::Arc;

use super::dynamic::{Assembler, made_up_class};
use super::emitter::Emitter;
use crate::classfile::{
    self, Access, CONSTRUCTOR, DynamicCall, Instruction, Invocation, JavaString, Local,
    MethodReference, StackOperation,
};
use crate::descriptor::{MethodDescriptor, Name, Primitive, Type};
use crate::world::{OBJECT, STRING, Trouble, kind_of};

const BUILDER: &str = "java.lang.StringBuilder";

/// Stands for an argument in the recipe.
const ARGUMENT: u16 = 1;

/// Stands for a constant in the recipe.
const CONSTANT: u16 = 2;

impl Emitter<'_> {
    pub(super) fn concatenation(&mut self, call: &DynamicCall) -> Result<(), Trouble> {
        let (name, is_new) = self.call_site_class("Concatenation");
        if is_new {
            let class = concatenation_class(&name, call)?;
            self.world.class_path().define(Arc::new(class));
        }
        self.call_made_up(&name, call)
    }
}

fn concatenation_class(name: &Name, call: &DynamicCall) -> Result<classfile::Class, Trouble> {
    use classfile::Constant as Java;
    let malformed = || Trouble::Malformed("the concatenation is given something else");
    let Some((Java::String(recipe), constants)) = call.bootstrap.arguments.split_first() else {
        return Err(malformed());
    };
    let mut constants = constants.iter();
    let mut code = Assembler::default();
    code.push(Instruction::New(Type::class(BUILDER)));
    code.push(Instruction::Stack(StackOperation::Dup));
    code.push(builder_call(
        Invocation::Special,
        CONSTRUCTOR,
        Vec::new(),
        None,
    ));
    let mut parameters = call.descriptor.parameters.iter();
    let mut slot = 0;
    let mut text = Vec::new();
    for &unit in recipe.units() {
        if unit != ARGUMENT && unit != CONSTANT {
            text.push(unit);
            continue;
        }
        append_text(&mut code, &mut text);
        if unit == CONSTANT {
            let constant = constants.next().ok_or_else(malformed)?.clone();
            let ty = match &constant {
                Java::String(_) => Type::class(STRING),
                _ => return Err(Trouble::Unsupported("a constant in a concatenation".into())),
            };
            code.push(Instruction::Constant(constant));
            code.push(append(ty));
            continue;
        }
        let ty = parameters.next().ok_or_else(malformed)?;
        code.push(Instruction::Load(kind_of(ty), Local(slot)));
        slot += ty.slots();
        code.push(append(match ty {
            Type::Primitive(Primitive::Byte | Primitive::Short) => Type::Primitive(Primitive::Int),
            Type::Primitive(_) => ty.clone(),
            Type::Class(name) if **name == *STRING => ty.clone(),
            _ => Type::class(OBJECT),
        }));
    }
    append_text(&mut code, &mut text);
    let string = Some(Type::class(STRING));
    code.push(builder_call(
        Invocation::Virtual,
        "toString",
        Vec::new(),
        string,
    ));
    code.push(Instruction::Return(Some(classfile::Kind::Reference)));
    let descriptor = call.descriptor.clone();
    let method = code.method("concatenate".into(), descriptor, Access(0x1009), slot);
    let (interfaces, fields) = (Vec::new(), Vec::new());
    Ok(made_up_class(
        name.clone(),
        interfaces,
        fields,
        vec![method],
    ))
}

fn append_text(code: &mut Assembler, text: &mut Vec<u16>) {
    if !text.is_empty() {
        let text = JavaString::new(std::mem::take(text));
        code.push(Instruction::Constant(classfile::Constant::String(text)));
        code.push(append(Type::class(STRING)));
    }
}

/// Appends a value of a type to the builder on the stack.
pub(crate) fn append(ty: Type) -> Instruction {
    let result = Some(Type::class(BUILDER));
    builder_call(Invocation::Virtual, "append", vec![ty], result)
}

/// Calls a method of a builder.
pub(crate) fn builder_call(
    invocation: Invocation,
    name: &str,
    parameters: Vec<Type>,
    result: Option<Type>,
) -> Instruction {
    Instruction::Invoke(
        invocation,
        Arc::new(MethodReference {
            class: Type::class(BUILDER),
            name: name.into(),
            descriptor: Arc::new(MethodDescriptor { parameters, result }),
            is_interface: false,
        }),
    )
}
