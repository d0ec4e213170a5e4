//! Lambda expressions and method references (`LambdaMetafactory`).
//!
//! Each call site gets a class of its own that implements the interface: its fields are what the
//! lambda expression captured, its method calls the method behind the expression. The class is
//! made of bytecode, so that everything else treats it like any other.

use std::sync::Arc;

use heapwright_ir::{Operand, Operation};

use super::dynamic::{Assembler, made_up_class};
use super::emitter::Emitter;
use super::state::Reference;
use crate::classfile::{
    self, Access, Conversion, DynamicCall, Field, FieldReference, Instruction, Invocation, Kind,
    Local, MethodHandle, MethodReference, StackOperation,
};
use crate::descriptor::{MethodDescriptor, Name, Primitive, Type};
use crate::world::{Trouble, kind_of, kind_sort};

impl Emitter<'_> {
    pub(super) fn lambda(&mut self, call: &DynamicCall) -> Result<(), Trouble> {
        let (name, is_new) = self.call_site_class("Lambda");
        let captured = &call.descriptor.parameters;
        if is_new {
            let class = lambda_class(&name, call)?;
            self.world.class_path().define(Arc::new(class));
        }
        let ty = Type::Class(name.clone());
        let class = self.world.complete(&ty)?;
        let mut values = Vec::new();
        for ty in captured.iter().rev() {
            values.push(self.pop(kind_of(ty))?);
        }
        let to = self.temporary(kind_sort(Kind::Reference));
        self.emit(Operation::New { to, class });
        for (index, (value, ty)) in (0..).zip(values.iter().rev().zip(captured)) {
            let sort = self.world.sort(ty);
            let value = self.sorted(value, sort);
            self.emit(Operation::Store {
                object: Operand::Register(to),
                class,
                field: index,
                value,
            });
        }
        self.push(Operand::Register(to), Kind::Reference, Reference::Of(ty));
        Ok(())
    }
}

/// What the factory is told beyond the method and its types (`altMetafactory`).
const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

fn malformed() -> Trouble {
    Trouble::Malformed("the lambda factory is given something else")
}

/// The class of a call site.
fn lambda_class(name: &Name, call: &DynamicCall) -> Result<classfile::Class, Trouble> {
    use classfile::Constant as Java;
    let [
        Java::MethodType(erased),
        Java::MethodHandle(body),
        Java::MethodType(actual),
        extra @ ..,
    ] = call.bootstrap.arguments.as_slice()
    else {
        return Err(malformed());
    };
    let Some(Type::Class(interface)) = &call.descriptor.result else {
        return Err(malformed());
    };
    let (mut interfaces, mut forms) = (vec![interface.clone()], vec![erased.clone()]);
    let mut extra = extra.iter();
    let flags = match extra.next() {
        Some(Java::Int(flags)) => *flags,
        _ => 0,
    };
    if flags & SERIALIZABLE != 0 {
        interfaces.push("java.io.Serializable".into());
    }
    for kind in [MARKERS, BRIDGES] {
        let Some(Java::Int(count)) = (flags & kind != 0).then(|| extra.next()).flatten() else {
            continue;
        };
        for _ in 0..*count {
            match extra.next() {
                Some(Java::Class(Type::Class(marker))) => interfaces.push(marker.clone()),
                Some(Java::MethodType(bridge)) => forms.push(bridge.clone()),
                _ => return Err(malformed()),
            }
        }
    }
    let fields = (call.descriptor.parameters.iter().enumerate()).map(|(index, ty)| {
        Arc::new(Field {
            name: captured_name(index),
            ty: ty.clone(),
            // Synthetic, private and final.
            access: Access(0x1012),
            constant: None,
            signature: None,
            annotations: Vec::new(),
        })
    });
    let mut methods = Vec::new();
    for form in &forms {
        methods.push(lambda_method(name, call, body, form, actual)?);
    }
    let mut seen: Vec<Name> = Vec::new();
    interfaces.retain(|interface| {
        let is_new = !seen.contains(interface);
        seen.push(interface.clone());
        is_new
    });
    let fields = fields.collect();
    Ok(made_up_class(name.clone(), interfaces, fields, methods))
}

fn captured_name(index: usize) -> Name {
    format!("captured{index}").into()
}

/// The method that implements the interface, with one of its erased types.
fn lambda_method(
    name: &Name,
    call: &DynamicCall,
    body: &MethodHandle,
    erased: &Arc<MethodDescriptor>,
    actual: &MethodDescriptor,
) -> Result<classfile::Method, Trouble> {
    if erased.parameters.len() != actual.parameters.len() {
        return Err(malformed());
    }
    let mut code = Assembler::default();
    let (target, invocation) = match body {
        MethodHandle::InvokeStatic(method) => (method, Invocation::Static),
        MethodHandle::InvokeVirtual(method) => (method, Invocation::Virtual),
        MethodHandle::InvokeInterface(method) => (method, Invocation::Interface),
        MethodHandle::InvokeSpecial(method) | MethodHandle::NewInvokeSpecial(method) => {
            (method, Invocation::Special)
        }
        _ => {
            let what = "a lambda expression for a field";
            return Err(Trouble::Unsupported(what.into()));
        }
    };
    let creates = matches!(body, MethodHandle::NewInvokeSpecial(_));
    let mut wanted = Vec::new();
    if creates {
        code.push(Instruction::New(target.class.clone()));
        code.push(Instruction::Stack(StackOperation::Dup));
    } else if invocation != Invocation::Static {
        wanted.push(target.class.clone());
    }
    wanted.extend(target.descriptor.parameters.iter().cloned());
    let mut wanted = wanted.iter();
    for (index, ty) in call.descriptor.parameters.iter().enumerate() {
        code.push(Instruction::Load(Kind::Reference, Local(0)));
        code.push(Instruction::GetField(Arc::new(FieldReference {
            class: name.clone(),
            name: captured_name(index),
            ty: ty.clone(),
        })));
        adapt(&mut code, ty, wanted.next().ok_or_else(malformed)?);
    }
    let mut slot = 1;
    for (erased, actual) in erased.parameters.iter().zip(&actual.parameters) {
        code.push(Instruction::Load(kind_of(erased), Local(slot)));
        slot += erased.slots();
        if erased.is_reference() && erased != actual {
            code.push(Instruction::CheckCast(actual.clone()));
        }
        adapt(&mut code, actual, wanted.next().ok_or_else(malformed)?);
    }
    code.push(Instruction::Invoke(invocation, target.clone()));
    let given = match creates {
        true => Some(target.class.clone()),
        false => target.descriptor.result.clone(),
    };
    match (&given, &erased.result) {
        (Some(given), None) => code.push(Instruction::Stack(match given.slots() {
            2 => StackOperation::Pop2,
            _ => StackOperation::Pop,
        })),
        (Some(given), Some(erased)) => {
            let actual = actual.result.as_ref().unwrap_or(erased);
            adapt(&mut code, given, actual);
        }
        (None, None) => {}
        (None, Some(_)) => return Err(malformed()),
    }
    code.push(Instruction::Return(erased.result.as_ref().map(kind_of)));
    let access = Access(0x1001);
    Ok(code.method(call.name.clone(), erased.clone(), access, slot))
}

/// Converts what is on the stack: boxes, unboxes or widens it.
fn adapt(code: &mut Assembler, from: &Type, to: &Type) {
    match (from, to) {
        (Type::Primitive(from), Type::Primitive(to)) => widen(code, *from, *to),
        (Type::Primitive(from), _) => {
            let (name, _) = wrapper(*from);
            let boxed = Type::class(name);
            code.push(Instruction::Invoke(
                Invocation::Static,
                Arc::new(MethodReference {
                    class: boxed.clone(),
                    name: "valueOf".into(),
                    descriptor: Arc::new(MethodDescriptor {
                        parameters: vec![Type::Primitive(*from)],
                        result: Some(boxed),
                    }),
                    is_interface: false,
                }),
            ));
        }
        (_, Type::Primitive(to)) => {
            let held = unboxed(from).unwrap_or(*to);
            let (name, method) = wrapper(held);
            let boxed = Type::class(name);
            if *from != boxed {
                code.push(Instruction::CheckCast(boxed.clone()));
            }
            code.push(Instruction::Invoke(
                Invocation::Virtual,
                Arc::new(MethodReference {
                    class: boxed,
                    name: method.into(),
                    descriptor: Arc::new(MethodDescriptor {
                        parameters: Vec::new(),
                        result: Some(Type::Primitive(held)),
                    }),
                    is_interface: false,
                }),
            ));
            widen(code, held, *to);
        }
        _ => {}
    }
}

fn widen(code: &mut Assembler, from: Primitive, to: Primitive) {
    let (from, kind) = (
        kind_of(&Type::Primitive(from)),
        kind_of(&Type::Primitive(to)),
    );
    if from != kind {
        code.push(Instruction::Convert(Conversion { from, to }));
    }
}

const WRAPPERS: [(Primitive, &str, &str); 8] = [
    (Primitive::Boolean, "java.lang.Boolean", "booleanValue"),
    (Primitive::Byte, "java.lang.Byte", "byteValue"),
    (Primitive::Char, "java.lang.Character", "charValue"),
    (Primitive::Short, "java.lang.Short", "shortValue"),
    (Primitive::Int, "java.lang.Integer", "intValue"),
    (Primitive::Long, "java.lang.Long", "longValue"),
    (Primitive::Float, "java.lang.Float", "floatValue"),
    (Primitive::Double, "java.lang.Double", "doubleValue"),
];

/// The class that holds values of a primitive type, and the method that gives them back.
pub(super) fn wrapper(primitive: Primitive) -> (&'static str, &'static str) {
    let row = WRAPPERS.iter().find(|row| row.0 == primitive);
    row.map_or(("", ""), |row| (row.1, row.2))
}

/// The primitive type that objects of a class hold.
fn unboxed(ty: &Type) -> Option<Primitive> {
    let row = WRAPPERS.iter().find(|row| *ty == Type::class(row.1));
    row.map(|row| row.0)
}
