//! The messages of exceptions that the virtual machine makes.
//!
//! Most code does not look at them, and a message such as `Index 5 out of bounds for length 3`
//! would write out a number, which is a path for every number of digits. So the exception of a
//! fault is an object of a class that is made up, below the exception: it knows the numbers, and
//! its `getMessage` writes them out when it is called.
//!
//! What virtual machines say about null and about casts differs from one to the next, and so does
//! what their own functions say. There `getMessage` is a native method that nobody knows, which
//! ends the path.

use std::sync::Arc;

use heapwright_ir::{FaultKind, FaultObject};
use heapwright_logic::ClassId;

use super::methods::CLASS_OBJECT;
use super::{OBJECT, STRING, World};
use crate::classfile::{
    Access, CONSTRUCTOR, Class, Constant, Field, FieldReference, Instruction, Invocation,
    JavaString, Kind, Local, Method, MethodReference, StackOperation,
};
use crate::descriptor::{MethodDescriptor, Name, Primitive, Type};
use crate::hierarchy::LinkError;
use crate::translate::{Assembler, append, builder_call, made_up_class};
use crate::world::CLASS;

const BUILDER: &str = "java.lang.StringBuilder";

/// The names of the fields for what is known.
const DETAILS: [&str; 2] = ["first", "second"];

/// What a message consists of.
enum Part {
    Text(&'static str),
    /// A number that the exception knows.
    Number(usize),
    /// The name of the class of an object that the exception knows.
    ClassName(usize),
}

/// The messages of those faults whose messages are the same everywhere, with the types of what has
/// to be known.
fn message(kind: FaultKind) -> Option<(Vec<Type>, Vec<Part>)> {
    let number = || Type::Primitive(Primitive::Int);
    Some(match kind {
        FaultKind::DivisionByZero => (Vec::new(), vec![Part::Text("/ by zero")]),
        FaultKind::OutOfBounds => (
            vec![number(), number()],
            vec![
                Part::Text("Index "),
                Part::Number(0),
                Part::Text(" out of bounds for length "),
                Part::Number(1),
            ],
        ),
        FaultKind::NegativeLength => (vec![number()], vec![Part::Number(0)]),
        FaultKind::BadElement => (vec![Type::class(OBJECT)], vec![Part::ClassName(0)]),
        _ => return None,
    })
}

impl World {
    /// Makes up the classes for the objects of a fault.
    pub(super) fn enter_fault(
        &mut self,
        kind: FaultKind,
        exception: ClassId,
        name: &str,
    ) -> Result<(), LinkError> {
        // Nothing is said about a stack that is too small.
        if kind == FaultKind::StackOverflow {
            return Ok(());
        }
        let plain = made_up(&format!("{name}$$Fault").into(), name, &[], silent());
        let plain = self.complete_fault(plain, exception)?;
        let mut detailed = None;
        if let Some((types, parts)) = message(kind) {
            let class: Name = format!("{name}$$KnownFault").into();
            let made = made_up(&class, name, &types, speaking(&class, &types, &parts));
            let id = self.complete_fault(made, exception)?;
            let all = self.program.definitions.class(id).fields.len();
            let own = all.saturating_sub(types.len())..all;
            detailed = Some((id, own.map(|field| field as u32).collect()));
        }
        let object = FaultObject { plain, detailed };
        self.program.fault_objects.insert(kind, object);
        Ok(())
    }

    /// The class of the exceptions of a fault that do not say what happened, for functions that
    /// throw them themselves; another one if there is none.
    pub(super) fn silent_exception(&self, kind: FaultKind, other: ClassId) -> ClassId {
        let known = self.program.fault_objects.get(&kind);
        known.map_or(other, |known| known.plain)
    }

    /// Whether objects of a class are those of a fault, which have fields that Java does not know.
    pub(crate) fn is_fault_class(&self, class: ClassId) -> bool {
        let mut known = self.program.fault_objects.values();
        known.any(|known| {
            let detailed = known.detailed.as_ref().map(|(detailed, _)| *detailed);
            known.plain == class || detailed == Some(class)
        })
    }

    /// A class that was made up passes for the exception.
    fn complete_fault(&mut self, class: Class, exception: ClassId) -> Result<ClassId, LinkError> {
        let ty = class.ty();
        self.path.define(Arc::new(class));
        let id = self.complete(&ty)?;
        let own = self
            .program
            .class(exception)
            .methods
            .get(CLASS_OBJECT)
            .copied();
        self.info(id, |info| {
            if let Some(own) = own {
                info.methods.insert(CLASS_OBJECT.to_owned(), own);
            }
        });
        if let Some(ty) = self.types.get(&exception).cloned() {
            self.types.insert(id, ty);
        }
        Ok(id)
    }
}

fn made_up(name: &Name, exception: &str, types: &[Type], method: Method) -> Class {
    let fields = types.iter().zip(DETAILS).map(|(ty, name)| {
        Arc::new(Field {
            name: name.into(),
            ty: ty.clone(),
            // Synthetic and private.
            access: Access(0x1002),
            constant: None,
            signature: None,
            annotations: Vec::new(),
        })
    });
    let fields = fields.collect();
    let class = made_up_class(name.clone(), Vec::new(), fields, vec![method]);
    Class {
        superclass: Some(exception.into()),
        ..class
    }
}

fn get_message() -> Arc<MethodDescriptor> {
    Arc::new(MethodDescriptor {
        parameters: Vec::new(),
        result: Some(Type::class(STRING)),
    })
}

/// `getMessage`, native.
fn silent() -> Method {
    let method = Assembler::default().method("getMessage".into(), get_message(), Access(0x1101), 1);
    Method {
        code: None,
        ..method
    }
}

/// `getMessage`, which puts a message together.
fn speaking(class: &Name, types: &[Type], parts: &[Part]) -> Method {
    let mut code = Assembler::default();
    code.push(Instruction::New(Type::class(BUILDER)));
    code.push(Instruction::Stack(StackOperation::Dup));
    let (special, none) = (Invocation::Special, Vec::new());
    code.push(builder_call(special, CONSTRUCTOR, none, None));
    let load = |code: &mut Assembler, index: usize| {
        let (Some(ty), Some(name)) = (types.get(index), DETAILS.get(index)) else {
            return;
        };
        code.push(Instruction::Load(Kind::Reference, Local(0)));
        code.push(Instruction::GetField(Arc::new(FieldReference {
            class: class.clone(),
            name: (*name).into(),
            ty: ty.clone(),
        })));
    };
    for part in parts {
        match part {
            Part::Text(text) => {
                let text = Constant::String(JavaString::from(*text));
                code.push(Instruction::Constant(text));
                code.push(append(Type::class(STRING)));
            }
            Part::Number(index) => {
                load(&mut code, *index);
                code.push(append(Type::Primitive(Primitive::Int)));
            }
            Part::ClassName(index) => {
                load(&mut code, *index);
                code.push(call(OBJECT, "getClass", CLASS));
                code.push(call(CLASS, "getName", STRING));
                code.push(append(Type::class(STRING)));
            }
        }
    }
    let (is_virtual, none) = (Invocation::Virtual, Vec::new());
    let string = Some(Type::class(STRING));
    code.push(builder_call(is_virtual, "toString", none, string));
    code.push(Instruction::Return(Some(Kind::Reference)));
    // Public and synthetic.
    code.method("getMessage".into(), get_message(), Access(0x1001), 1)
}

/// A call of a method without parameters.
fn call(class: &str, name: &str, result: &str) -> Instruction {
    Instruction::Invoke(
        Invocation::Virtual,
        Arc::new(MethodReference {
            class: Type::class(class),
            name: name.into(),
            descriptor: Arc::new(MethodDescriptor {
                parameters: Vec::new(),
                result: Some(Type::class(result)),
            }),
            is_interface: false,
        }),
    )
}
