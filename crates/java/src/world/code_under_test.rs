//! The code under test, as far as the rules for inputs depend on it.

use std::sync::Arc;

use super::World;
use super::scope::is_enum_method;
use crate::classfile::{Class, Instruction};
use crate::descriptor::{Name, Type};
use crate::hierarchy::LinkError;
use crate::target::TargetMethod;

/// The code under test, as far as the rules for inputs depend on it.
#[derive(Debug, Default)]
pub(super) struct CodeUnderTest {
    /// The classes in the packages of tested classes of the user, and those nested in tested
    /// classes of the JDK.
    pub(super) members: Vec<Name>,
    /// What the code casts to or asks for.
    pub(super) mentioned: Vec<Type>,
    /// The exceptions that it catches.
    pub(super) caught: Vec<Type>,
}

impl World {
    /// Notes that a method is to be tested.
    pub(super) fn note_code_under_test(&mut self, target: &TargetMethod) -> Result<(), LinkError> {
        self.known_candidates.borrow_mut().clear();
        for class in [&target.class, &target.declared.class] {
            let outermost = self.with_hierarchy(|hierarchy| hierarchy.outermost(class))?;
            let family = self.nested_classes(&outermost);
            let members = match self.is_user_class(&outermost.name) {
                true => self.path.package(outermost.package())?,
                false => family.iter().map(|class| class.name.clone()).collect(),
            };
            for name in members {
                if !self.tested.members.contains(&name) {
                    self.tested.members.push(name);
                }
            }
            for ty in family.iter().flat_map(|class| mentioned_types(class)) {
                if !self.tested.mentioned.contains(&ty) {
                    self.tested.mentioned.push(ty);
                }
            }
            for ty in family.iter().flat_map(|class| caught_types(class)) {
                if !self.tested.caught.contains(&ty) {
                    self.tested.caught.push(ty);
                }
            }
        }
        Ok(())
    }

    /// A class and all that are nested in it, however deep, sorted.
    pub(super) fn nested_classes(&self, outermost: &Arc<Class>) -> Vec<Arc<Class>> {
        let mut found = vec![outermost.clone()];
        let mut next = 0;
        while let Some(class) = found.get(next).cloned() {
            next += 1;
            for inner in &class.inner_classes {
                let is_new = found.iter().all(|known| known.name != inner.name);
                if is_new
                    && is_nested_in(&inner.name, &outermost.name)
                    && let Ok(class) = self.path.load(&inner.name)
                {
                    found.push(class);
                }
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }

    /// Whether a class comes from the class path and not from the JDK.
    pub(crate) fn is_user_class(&self, name: &str) -> bool {
        !matches!(self.path.jdk().contains(name), Ok(true))
    }

    /// Whether a class is one whose objects inputs may have any form of.
    pub(super) fn is_own_class(&self, name: &str) -> bool {
        (self.tested.members.iter()).any(|member| &**member == name) || self.is_user_class(name)
    }
}

fn is_nested_in(name: &str, outermost: &str) -> bool {
    let rest = name.strip_prefix(outermost);
    rest.is_some_and(|rest| rest.starts_with('$'))
}

/// What the code of a class catches.
fn caught_types(class: &Class) -> Vec<Type> {
    let bodies = class
        .methods
        .iter()
        .filter_map(|method| method.code.as_ref());
    let handlers = bodies.flat_map(|code| &code.handlers);
    let caught = handlers.filter_map(|handler| handler.class.clone());
    caught.map(Type::Class).collect()
}

/// What the code of a class casts to, asks for with `instanceof`, or compares with in a pattern.
fn mentioned_types(class: &Class) -> Vec<Type> {
    use crate::classfile::Constant as Java;
    let written = (class.methods.iter()).filter(|method| !is_enum_method(class, method));
    let bodies = written.filter_map(|method| method.code.as_ref());
    let instructions = bodies.flat_map(|code| &code.instructions);
    let mut found = Vec::new();
    for (_, instruction) in instructions {
        match instruction {
            Instruction::CheckCast(ty) | Instruction::InstanceOf(ty) => found.push(ty.clone()),
            Instruction::InvokeDynamic(call) => {
                let arguments = call.bootstrap.arguments.iter();
                found.extend(arguments.filter_map(|argument| match argument {
                    Java::Class(ty) => Some(ty.clone()),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    found.retain(Type::is_reference);
    found
}
