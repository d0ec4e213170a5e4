//! What scripts of calls need to know: the classes that belong together, their functions, and what
//! stands for functions.

use std::sync::Arc;

use heapwright_ir::FunctionId;

use super::{World, method_key};
use crate::classfile::{Class, Method};
use crate::descriptor::{Name, Type};
use crate::hierarchy::{DeclaredMethod, GenericType, Hierarchy, LinkError};

impl World {
    /// The outermost class around a class, and all classes that are nested in it.
    pub fn family(&self, class: &Arc<Class>) -> Result<Vec<Arc<Class>>, LinkError> {
        let outermost = self.with_hierarchy(|hierarchy| hierarchy.outermost(class))?;
        Ok(self.nested_classes(&outermost))
    }

    /// The functions of the methods of a class that have a body in its source, translated.
    pub fn functions_of(&mut self, class: &Arc<Class>) -> Vec<FunctionId> {
        let bodies = class.methods.iter().filter(|method| method.code.is_some());
        let mut functions = Vec::new();
        for method in bodies.cloned().collect::<Vec<_>>() {
            let declared = DeclaredMethod {
                class: Arc::clone(class),
                method,
            };
            if !super::scope::is_generated(&declared) {
                functions.push(self.loaded(&declared));
            }
        }
        functions
    }

    /// The name that virtual calls of a method have.
    pub fn virtual_name(method: &Method) -> String {
        method_key(method)
    }

    /// The classes with objects that can stand where a class is expected, as far as is known.
    pub fn implementations(&self, name: &str) -> Vec<Name> {
        self.concrete_below(name)
    }

    /// Whether a class comes from the class path and not from the JDK.
    pub fn is_of_user(&self, name: &str) -> bool {
        self.is_user_class(name)
    }

    /// Whether objects of a type can stand where another one is expected.
    pub fn is_below(&self, ty: &Type, ancestor: &Type) -> bool {
        let is_below = self.with_hierarchy(|hierarchy| hierarchy.is_subtype(ty, ancestor));
        matches!(is_below, Ok(true))
    }

    /// What a class gives the type parameters of one of its supertypes, in terms of its own ones.
    pub fn supertype_arguments(&self, class: &str, supertype: &str) -> Option<Vec<GenericType>> {
        self.with_hierarchy(|hierarchy: Hierarchy<'_>| hierarchy.type_arguments(class, supertype))
    }
}
