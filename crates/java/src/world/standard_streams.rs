//! `System.out` and `System.err`: what a program prints goes nowhere. `System.in`: a path that reads
//! from it ends there.
//!
//! A virtual machine makes these streams when it starts. Here each is an object of a class that is
//! made up, below `PrintStream`, whose methods do to their arguments what printing would (objects
//! are turned into text, formats are read) and write nothing.

use std::sync::Arc;

use heapwright_ir::GlobalId;

use super::{World, kind_of};
use crate::classfile::{
    Access, Class, Constant, Instruction, Invocation, Kind, Local, Method, MethodReference,
    StackOperation,
};
use crate::descriptor::{MethodDescriptor, Name, Primitive, Type};
use crate::hierarchy::LinkError;
use crate::translate::{Assembler, made_up_class};

const PRINT_STREAM: &str = "java.io.PrintStream";

/// The class of both streams. Nothing that is compiled from Java has such a name.
const STANDARD: &str = "java.io.PrintStream$$Standard";

const INPUT_STREAM: &str = "java.io.InputStream";

/// The class of the stream that is read from.
const INPUT: &str = "java.io.InputStream$$Standard";

/// The methods that print.
const PRINTING: [&str; 8] = [
    "print", "println", "printf", "format", "append", "write", "flush", "close",
];

impl World {
    /// The positions of `in`, `out` and `err` among the static fields of `System`, with their streams.
    pub(super) fn standard_streams(
        &mut self,
        class: &Arc<Class>,
    ) -> Result<Vec<(u32, GlobalId)>, LinkError> {
        if &*class.name != "java.lang.System" {
            return Ok(Vec::new());
        }
        let print_stream = self.path.load(PRINT_STREAM)?;
        self.path.define(Arc::new(standard(&print_stream)));
        let output = self.complete(&Type::Class(STANDARD.into()))?;
        let input_stream = self.path.load(INPUT_STREAM)?;
        self.path.define(Arc::new(unreadable(&input_stream)));
        let input = self.complete(&Type::Class(INPUT.into()))?;
        let own = class.fields.iter().filter(|field| field.access.is_static());
        let streams = (1..).zip(own);
        let streams = streams.filter(|(_, field)| matches!(&*field.name, "in" | "out" | "err"));
        let streams: Vec<(u32, Name)> = streams
            .map(|(index, field)| (index, field.name.clone()))
            .collect();
        let streams = streams.into_iter().map(|(index, name)| {
            let class = if &*name == "in" { input } else { output };
            let global = self.add_global(format!("System.{name}"), class);
            (index, global)
        });
        Ok(streams.collect())
    }
}

/// The class below `PrintStream`.
fn standard(print_stream: &Class) -> Class {
    let methods = print_stream.methods.iter().filter(|method| {
        let is_open = !method.access.is_static() && !method.access.is_private();
        is_open && PRINTING.contains(&&*method.name)
    });
    let methods = methods.map(|method| silent(method)).collect();
    let mut class = made_up_class(STANDARD.into(), Vec::new(), Vec::new(), methods);
    class.superclass = Some(PRINT_STREAM.into());
    class
}

/// The class below `InputStream`, all of whose methods are native and known to nobody.
fn unreadable(input_stream: &Class) -> Class {
    let methods = input_stream.methods.iter().filter(|method| {
        let is_open = !method.access.is_static() && !method.access.is_private();
        is_open && !method.is_constructor()
    });
    let methods = methods.map(|method| Method {
        // Public, native and synthetic.
        access: Access(0x1101),
        code: None,
        ..silent(method)
    });
    let mut class = made_up_class(INPUT.into(), Vec::new(), Vec::new(), methods.collect());
    class.superclass = Some(INPUT_STREAM.into());
    class
}

/// A method that prints, without printing.
fn silent(method: &Method) -> Method {
    let descriptor = &method.descriptor;
    let mut code = Assembler::default();
    match &*method.name {
        "printf" | "format" => {
            let mut local = 1;
            for ty in &descriptor.parameters {
                code.push(Instruction::Load(kind_of(ty), Local(local)));
                local += ty.slots();
            }
            call(&mut code, "format", descriptor.parameters.clone());
        }
        _ => match &descriptor.parameters[..] {
            [ty @ Type::Class(_)] => {
                code.push(Instruction::Load(kind_of(ty), Local(1)));
                call(&mut code, "valueOf", vec![Type::class(super::OBJECT)]);
            }
            [ty @ Type::Array(_), ..] => {
                code.push(Instruction::Load(kind_of(ty), Local(1)));
                code.push(Instruction::ArrayLength);
                code.push(Instruction::Stack(StackOperation::Pop));
            }
            _ => {}
        },
    }
    let result = descriptor.result.as_ref();
    match result {
        Some(Type::Primitive(Primitive::Boolean)) => {
            code.push(Instruction::Constant(Constant::Int(0)));
        }
        Some(_) => code.push(Instruction::Load(Kind::Reference, Local(0))),
        None => {}
    }
    code.push(Instruction::Return(result.map(kind_of)));
    let slots: u16 = descriptor.parameters.iter().map(Type::slots).sum();
    // Public and synthetic.
    let access = Access(0x1001);
    let locals = slots.saturating_add(1);
    code.method(method.name.clone(), descriptor.clone(), access, locals)
}

/// A call of a static method of `String` whose text nobody wants.
fn call(code: &mut Assembler, name: &str, parameters: Vec<Type>) {
    let string = Type::class("java.lang.String");
    let reference = MethodReference {
        class: string.clone(),
        name: name.into(),
        descriptor: Arc::new(MethodDescriptor {
            parameters,
            result: Some(string),
        }),
        is_interface: false,
    };
    code.push(Instruction::Invoke(Invocation::Static, Arc::new(reference)));
    code.push(Instruction::Stack(StackOperation::Pop));
}
