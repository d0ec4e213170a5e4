//! Which functions are code under test, as coverage tools count it.

use heapwright_ir::FunctionId;

use super::World;
use crate::classfile::{Annotation, Class, Instruction, Kind, Local, Method, MethodHandle};
use crate::descriptor::{Primitive, Type, package_of};
use crate::hierarchy::DeclaredMethod;
use crate::target::TargetMethod;

impl World {
    /// Whether a function is part of the code under test: of the same package for classes of the
    /// user, of the same outermost class for those of the JDK. What compilers made does not count,
    /// but for the bodies of lambda expressions.
    pub fn in_scope(&self, target: &TargetMethod, function: FunctionId) -> bool {
        let Some(declared) = self.methods.get(&function) else {
            return false;
        };
        let function = self.program.functions.get(function.index());
        if function.is_none_or(|function| function.synthetic) || is_generated(declared) {
            return false;
        }
        let (class, tested) = (&declared.class, &target.class);
        match (
            self.is_user_class(&class.name),
            self.is_user_class(&tested.name),
        ) {
            (true, true) => package_of(&class.name) == package_of(&tested.name),
            (false, false) => self.with_hierarchy(|hierarchy| {
                let outermost = (hierarchy.outermost(class), hierarchy.outermost(tested));
                matches!(outermost, (Ok(a), Ok(b)) if a.name == b.name)
            }),
            _ => false,
        }
    }
}

/// Whether a method has no source of its own: JaCoCo leaves the same ones out.
pub(super) fn is_generated(declared: &DeclaredMethod) -> bool {
    let (class, method) = (&declared.class, &declared.method);
    let is_lambda = method.name.starts_with("lambda$");
    class.access.is_synthetic()
        || method.access.is_synthetic() && !is_lambda
        || is_marked(&class.annotations)
        || is_marked(&method.annotations)
        || is_enum_method(class, method)
        || is_record_method(class, method)
        || is_empty_constructor(class, method)
}

/// Annotations such as Lombok's `Generated`.
fn is_marked(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|annotation| {
        let name = annotation.ty.to_string();
        let simple = name.rsplit(['.', '$']).next();
        simple.is_some_and(|simple| simple.contains("Generated"))
    })
}

/// `values` and `valueOf` of an enum.
pub(super) fn is_enum_method(class: &Class, method: &Method) -> bool {
    let parameters = method.descriptor.parameters.as_slice();
    let result = method.descriptor.result.as_ref();
    class.access.is_enum()
        && match &*method.name {
            "values" => parameters.is_empty() && result == Some(&class.ty().array_of()),
            "valueOf" => parameters == [Type::class(super::STRING)] && result == Some(&class.ty()),
            _ => false,
        }
}

/// What a record has without anybody writing it: accessors that only read their field, and methods
/// that are left to `ObjectMethods`.
fn is_record_method(class: &Class, method: &Method) -> bool {
    if class.record.is_none() {
        return false;
    }
    let instructions = method.code.as_ref().map(|code| code.instructions.iter());
    let instructions: Vec<_> = (instructions.into_iter().flatten())
        .map(|(_, instruction)| instruction)
        .collect();
    let this = &Instruction::Load(Kind::Reference, Local(0));
    let is_left = |call: &crate::classfile::DynamicCall| match &*call.bootstrap.method {
        MethodHandle::InvokeStatic(bootstrap) => {
            bootstrap.class == Type::class("java.lang.runtime.ObjectMethods")
                && call.name == method.name
        }
        _ => false,
    };
    match instructions.as_slice() {
        [
            first,
            Instruction::GetField(field),
            Instruction::Return(Some(_)),
        ] => *first == this && field.name == method.name,
        [
            first,
            Instruction::InvokeDynamic(call),
            Instruction::Return(_),
        ] => *first == this && is_left(call),
        [
            first,
            Instruction::Load(..),
            Instruction::InvokeDynamic(call),
            Instruction::Return(_),
        ] => *first == this && is_left(call),
        _ => false,
    }
}

/// A private constructor that only calls that of the superclass: of an enum, or of a class that is
/// not meant to have objects.
fn is_empty_constructor(class: &Class, method: &Method) -> bool {
    let for_enum = [Type::class(super::STRING), Type::Primitive(Primitive::Int)];
    let parameters = method.descriptor.parameters.as_slice();
    let expected: &[Type] = match class.access.is_enum() {
        true => &for_enum,
        false => &[],
    };
    let instructions = method
        .code
        .as_ref()
        .map_or(0, |code| code.instructions.len());
    method.is_constructor()
        && method.access.is_private()
        && parameters == expected
        && instructions == 3 + expected.len()
}
