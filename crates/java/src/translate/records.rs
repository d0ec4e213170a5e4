//! The methods of records that compilers leave to `ObjectMethods`: `equals`, `hashCode` and
//! `toString`, as methods that look at one component after the other.

use std::sync::Arc;

use super::concatenation::{append, builder_call};
use super::dynamic::{Assembler, made_up_class};
use super::emitter::Emitter;
use crate::classfile::{
    self, Access, Binary, CONSTRUCTOR, Comparison, Condition, DynamicCall, FieldReference,
    Instruction, Invocation, JavaString, Kind, Local, MethodHandle, MethodReference, Pc,
    StackOperation,
};
use crate::descriptor::{MethodDescriptor, Name, Primitive, Type};
use crate::world::{OBJECT, STRING, Trouble};

impl Emitter<'_> {
    pub(super) fn record_method(&mut self, call: &DynamicCall) -> Result<(), Trouble> {
        let (name, is_new) = self.call_site_class("Record");
        if is_new {
            let class = record_class(&name, call, self.declared.class.simple_name())?;
            self.world.class_path().define(Arc::new(class));
        }
        self.call_made_up(&name, call)
    }
}

fn malformed() -> Trouble {
    Trouble::Malformed("the methods of a record are given something else")
}

fn record_class(
    name: &Name,
    call: &DynamicCall,
    simple_name: &str,
) -> Result<classfile::Class, Trouble> {
    use classfile::Constant as Java;
    let [Java::Class(record), Java::String(_), getters @ ..] = call.bootstrap.arguments.as_slice()
    else {
        return Err(malformed());
    };
    let mut fields = Vec::new();
    for getter in getters {
        match getter {
            Java::MethodHandle(handle) => match &**handle {
                MethodHandle::GetField(field) => fields.push(field.clone()),
                _ => return Err(malformed()),
            },
            _ => return Err(malformed()),
        }
    }
    let code = match &*call.name {
        "toString" => to_string(&fields, simple_name),
        "hashCode" => hash_code(&fields),
        "equals" => equals(&fields, record),
        _ => return Err(malformed()),
    };
    // Public, static and synthetic.
    let method = code.method(
        call.name.clone(),
        call.descriptor.clone(),
        Access(0x1009),
        2,
    );
    let (interfaces, fields) = (Vec::new(), Vec::new());
    Ok(made_up_class(
        name.clone(),
        interfaces,
        fields,
        vec![method],
    ))
}

/// `Point[x=1, y=2]`
fn to_string(fields: &[Arc<FieldReference>], simple_name: &str) -> Assembler {
    let mut code = Assembler::default();
    code.push(Instruction::New(Type::class("java.lang.StringBuilder")));
    code.push(Instruction::Stack(StackOperation::Dup));
    code.push(builder_call(
        Invocation::Special,
        CONSTRUCTOR,
        Vec::new(),
        None,
    ));
    let mut text = format!("{simple_name}[");
    for (index, field) in fields.iter().enumerate() {
        let comma = if index > 0 { ", " } else { "" };
        text = format!("{text}{comma}{}=", field.name);
        append_text(&mut code, &text);
        text.clear();
        get(&mut code, 0, field);
        code.push(append(match &field.ty {
            Type::Primitive(Primitive::Byte | Primitive::Short) => Type::Primitive(Primitive::Int),
            Type::Primitive(_) => field.ty.clone(),
            Type::Class(name) if **name == *STRING => field.ty.clone(),
            _ => Type::class(OBJECT),
        }));
    }
    append_text(&mut code, &format!("{text}]"));
    let string = Some(Type::class(STRING));
    code.push(builder_call(
        Invocation::Virtual,
        "toString",
        Vec::new(),
        string,
    ));
    code.push(Instruction::Return(Some(Kind::Reference)));
    code
}

/// 31 times what was there, plus the hash code of the next component.
fn hash_code(fields: &[Arc<FieldReference>]) -> Assembler {
    let mut code = Assembler::default();
    code.push(Instruction::Constant(classfile::Constant::Int(0)));
    for field in fields {
        code.push(Instruction::Constant(classfile::Constant::Int(31)));
        code.push(Instruction::Binary(Binary::Multiply, Kind::Int));
        get(&mut code, 0, field);
        let (class, parameter) = match &field.ty {
            Type::Primitive(primitive) => (super::lambda::wrapper(*primitive).0, field.ty.clone()),
            _ => ("java.util.Objects", Type::class(OBJECT)),
        };
        let int = Type::Primitive(Primitive::Int);
        code.push(static_call(class, "hashCode", vec![parameter], int));
        code.push(Instruction::Binary(Binary::Add, Kind::Int));
    }
    code.push(Instruction::Return(Some(Kind::Int)));
    code
}

/// Of the same class, and all components equal: numbers as their classes compare them.
fn equals(fields: &[Arc<FieldReference>], record: &Type) -> Assembler {
    let mut code = Assembler::default();
    // The last two instructions return false; each test that fails goes there.
    let tests = 3 + 6 * fields.len() + 2;
    let fail = Pc(u16::try_from(tests).unwrap_or(u16::MAX));
    code.push(Instruction::Load(Kind::Reference, Local(1)));
    code.push(Instruction::InstanceOf(record.clone()));
    code.push(Instruction::If(Condition::Zero(Comparison::Equal), fail));
    for field in fields {
        get(&mut code, 0, field);
        get(&mut code, 1, field);
        let (class, name, parameter, result, different) = match &field.ty {
            Type::Primitive(primitive) => (
                super::lambda::wrapper(*primitive).0,
                "compare",
                field.ty.clone(),
                Primitive::Int,
                Comparison::NotEqual,
            ),
            _ => (
                "java.util.Objects",
                "equals",
                Type::class(OBJECT),
                Primitive::Boolean,
                Comparison::Equal,
            ),
        };
        let parameters = vec![parameter.clone(), parameter];
        code.push(static_call(
            class,
            name,
            parameters,
            Type::Primitive(result),
        ));
        code.push(Instruction::If(Condition::Zero(different), fail));
    }
    for result in [1, 0] {
        code.push(Instruction::Constant(classfile::Constant::Int(result)));
        code.push(Instruction::Return(Some(Kind::Int)));
    }
    code
}

/// Pushes a component of a record: two instructions.
fn get(code: &mut Assembler, local: u16, field: &Arc<FieldReference>) {
    code.push(Instruction::Load(Kind::Reference, Local(local)));
    code.push(Instruction::GetField(field.clone()));
}

fn append_text(code: &mut Assembler, text: &str) {
    let text = JavaString::from(text);
    code.push(Instruction::Constant(classfile::Constant::String(text)));
    code.push(append(Type::class(STRING)));
}

fn static_call(class: &str, name: &str, parameters: Vec<Type>, result: Type) -> Instruction {
    let result = Some(result);
    Instruction::Invoke(
        Invocation::Static,
        Arc::new(MethodReference {
            class: Type::class(class),
            name: name.into(),
            descriptor: Arc::new(MethodDescriptor { parameters, result }),
            is_interface: false,
        }),
    )
}
