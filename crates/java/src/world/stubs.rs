//! Stubs: objects for interfaces that the code under test only asks.
//!
//! As an input stands the simplest implementation: each method returns a value that is part of the
//! input, whatever it is given, or all of them throw an exception. In the program that is an object of
//! a class that is made up, with the answers in its fields; in a test it is a lambda expression or an
//! anonymous class.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{OBJECT, World, method_key};
use crate::classfile::{
    Access, Class, Field, FieldReference, Instruction, Invocation, Kind, Local, Method,
    MethodReference, StackOperation,
};
use crate::descriptor::{MethodDescriptor, Name, Type};
use crate::translate::{Assembler, made_up_class};
use crate::world::kind_of;

/// What the names of the classes end with. Nothing that is compiled from Java has such a name.
const ANSWERS: &str = "$$answers";
const THROWS: &str = "$$throws";

/// The exception that stubs throw.
pub const STUB_EXCEPTION: &str = "java.lang.IllegalStateException";

/// More methods than these make no test that people want to read.
const MOST: usize = 8;

/// A class of stubs.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct Stub {
    /// The class.
    pub class: Type,
    /// The methods that it implements, in order. The fields of its objects are the answers of those
    /// that return something, unless they throw.
    /// Not written down: [`World::stubs`] has them.
    #[serde(skip)]
    pub methods: Vec<Arc<Method>>,
    /// Whether its methods throw an exception.
    pub throws: bool,
}

impl World {
    /// The classes of stubs for an interface: one with answers, one that throws. None for those that
    /// only some classes may implement, and for methods with type parameters.
    pub fn stubs(&self, name: &Name) -> Vec<Stub> {
        let Some((interface, methods)) = self.open_methods(name) else {
            return Vec::new();
        };
        let mut stubs = Vec::new();
        for throws in [false, true] {
            let ending = if throws { THROWS } else { ANSWERS };
            let name: Name = format!("{name}{ending}").into();
            let made = match throws {
                false => answering(&name, &interface, &methods),
                true => throwing(&name, &interface, &methods),
            };
            // Asking for it first would be remembered as a failure; defining it again changes nothing.
            self.path.define(Arc::new(made));
            stubs.push(Stub {
                class: Type::Class(name),
                methods: methods.clone(),
                throws,
            });
        }
        stubs
    }

    /// An interface with its methods that have no body.
    fn open_methods(&self, name: &str) -> Option<(Arc<Class>, Vec<Arc<Method>>)> {
        let interface = self.path.load(name).ok()?;
        if !interface.access.is_interface() || interface.permitted_subclasses.is_some() {
            return None;
        }
        let object = self.path.load(OBJECT).ok()?;
        let above = self.with_hierarchy(|hierarchy| hierarchy.interfaces(&interface));
        let all = std::iter::once(interface.clone()).chain(above.ok()?);
        let mut open: BTreeMap<String, Arc<Method>> = BTreeMap::new();
        let mut closed = Vec::new();
        for class in all {
            let methods = class.methods.iter();
            for method in methods.filter(|method| !method.access.is_static()) {
                let key = method_key(method);
                let is_known = object.methods.iter().any(|known| method_key(known) == key);
                match method.access.is_abstract() {
                    true if is_known => {}
                    true => drop(open.entry(key).or_insert_with(|| method.clone())),
                    false => closed.push(key),
                }
            }
        }
        open.retain(|key, _| !closed.contains(key));
        let methods: Vec<Arc<Method>> = open.into_values().collect();
        let is_generic = |method: &Arc<Method>| {
            (method.signature.as_ref()).is_some_and(|text| text.starts_with('<'))
        };
        let is_possible =
            !methods.is_empty() && methods.len() <= MOST && !methods.iter().any(is_generic);
        is_possible.then_some((interface, methods))
    }
}

fn slots(descriptor: &MethodDescriptor) -> u16 {
    let slots: u16 = descriptor.parameters.iter().map(Type::slots).sum();
    slots.saturating_add(1)
}

/// Public and synthetic.
const METHOD: Access = Access(0x1001);

/// A class whose methods return what is in fields.
fn answering(name: &Name, interface: &Class, methods: &[Arc<Method>]) -> Class {
    let mut fields = Vec::new();
    let mut bodies = Vec::new();
    for (index, method) in methods.iter().enumerate() {
        let descriptor = method.descriptor.clone();
        let mut code = Assembler::default();
        if let Some(ty) = &descriptor.result {
            let field: Name = format!("answer{index}").into();
            code.push(Instruction::Load(Kind::Reference, Local(0)));
            code.push(Instruction::GetField(Arc::new(FieldReference {
                class: name.clone(),
                name: field.clone(),
                ty: ty.clone(),
            })));
            fields.push(Arc::new(Field {
                name: field,
                ty: ty.clone(),
                // Private and final.
                access: Access(0x12),
                constant: None,
                signature: None,
                annotations: Vec::new(),
            }));
        }
        code.push(Instruction::Return(descriptor.result.as_ref().map(kind_of)));
        let slots = slots(&descriptor);
        bodies.push(code.method(method.name.clone(), descriptor, METHOD, slots));
    }
    made_up_class(name.clone(), vec![interface.name.clone()], fields, bodies)
}

/// A class whose methods throw an exception.
fn throwing(name: &Name, interface: &Class, methods: &[Arc<Method>]) -> Class {
    let exception = Type::class(STUB_EXCEPTION);
    let constructor = Arc::new(MethodReference {
        class: exception.clone(),
        name: "<init>".into(),
        descriptor: Arc::new(MethodDescriptor {
            parameters: Vec::new(),
            result: None,
        }),
        is_interface: false,
    });
    let bodies = methods.iter().map(|method| {
        let mut code = Assembler::default();
        code.push(Instruction::New(exception.clone()));
        code.push(Instruction::Stack(StackOperation::Dup));
        code.push(Instruction::Invoke(
            Invocation::Special,
            constructor.clone(),
        ));
        code.push(Instruction::Throw);
        let descriptor = method.descriptor.clone();
        let slots = slots(&descriptor);
        code.method(method.name.clone(), descriptor, METHOD, slots)
    });
    let bodies = bodies.collect();
    made_up_class(
        name.clone(),
        vec![interface.name.clone()],
        Vec::new(),
        bodies,
    )
}
