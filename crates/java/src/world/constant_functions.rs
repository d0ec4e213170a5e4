//! Functions as inputs.
//!
//! An interface with one method that has no body can be implemented by a lambda expression. As an
//! input stands the simplest one: it returns the same value whatever it is given, a value that is
//! part of the input. In the program that is an object of a class that is made up, with the value
//! in a field.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{OBJECT, World, method_key};
use crate::classfile::{Access, Class, Field, FieldReference, Instruction, Kind, Local, Method};
use crate::descriptor::{Name, Type};
use crate::translate::{Assembler, made_up_class};
use crate::world::kind_of;

/// What the names of such classes end with. Nothing that is compiled from Java has such a name.
const ENDING: &str = "$$returns";

/// The field with the value.
const RESULT: &str = "result";

/// What a constant function implements.
#[derive(Debug, Clone)]
pub(crate) struct Functional {
    /// The interface.
    pub(crate) interface: Arc<Class>,
    /// Its method without a body.
    pub(crate) method: Arc<Method>,
}

impl World {
    /// The class of constant functions for an interface, if there can be any.
    pub(super) fn constant_function(&self, interface: &Name) -> Option<Type> {
        let name: Name = format!("{interface}{ENDING}").into();
        let functional = self.functional(interface)?;
        // Asking for it first would be remembered as a failure; defining it again changes nothing.
        self.path.define(Arc::new(class(&name, &functional)));
        Some(Type::Class(name))
    }

    /// What the objects of a class implement, if it is one of constant functions.
    pub(crate) fn implemented(&self, class: &str) -> Option<Functional> {
        self.functional(class.strip_suffix(ENDING)?)
    }

    /// An interface with its only method that has no body.
    fn functional(&self, name: &str) -> Option<Functional> {
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
        let mut open = open.into_values();
        let (Some(method), None) = (open.next(), open.next()) else {
            return None;
        };
        // A lambda expression has no type parameters.
        let is_generic = (method.signature.as_ref()).is_some_and(|text| text.starts_with('<'));
        (!is_generic).then_some(Functional { interface, method })
    }
}

fn class(name: &Name, functional: &Functional) -> Class {
    let descriptor = functional.method.descriptor.clone();
    let mut code = Assembler::default();
    let mut fields = Vec::new();
    if let Some(ty) = &descriptor.result {
        code.push(Instruction::Load(Kind::Reference, Local(0)));
        code.push(Instruction::GetField(Arc::new(FieldReference {
            class: name.clone(),
            name: RESULT.into(),
            ty: ty.clone(),
        })));
        fields.push(Arc::new(Field {
            name: RESULT.into(),
            ty: ty.clone(),
            // Private and final.
            access: Access(0x12),
            constant: None,
            signature: None,
            annotations: Vec::new(),
        }));
    }
    code.push(Instruction::Return(descriptor.result.as_ref().map(kind_of)));
    let slots: u16 = descriptor.parameters.iter().map(Type::slots).sum();
    // Public and synthetic.
    let access = Access(0x1001);
    let name_of_method = functional.method.name.clone();
    let method = code.method(name_of_method, descriptor, access, slots.saturating_add(1));
    let interfaces = vec![functional.interface.name.clone()];
    made_up_class(name.clone(), interfaces, fields, vec![method])
}
