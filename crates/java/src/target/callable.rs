//! What a test can call of a class, without looking into it.

use std::sync::Arc;

use super::TargetMethod;
use super::resolve::visible_methods;
use crate::classfile::{Access, Class};
use crate::classpath::ClassPath;
use crate::hierarchy::{DeclaredMethod, LinkError};
use crate::world::OBJECT;

/// The constructors of a class that its users call: the public ones, or if there is none, those
/// that are not private.
pub fn callable_constructors(class: &Arc<Class>) -> Vec<TargetMethod> {
    let constructors = class.methods.iter().filter(|method| {
        method.is_constructor() && method.code.is_some() && !method.access.is_synthetic()
    });
    let all = constructors.map(|method| TargetMethod {
        class: class.clone(),
        declared: DeclaredMethod {
            class: class.clone(),
            method: Arc::clone(method),
        },
    });
    most_visible(all.collect())
}

/// The methods of objects of a class that its users call, inherited ones included but for those of
/// `java.lang.Object`: the public ones, or if there is none, those that are not private.
pub fn callable_methods(
    path: &ClassPath,
    class: &Arc<Class>,
) -> Result<Vec<TargetMethod>, LinkError> {
    let methods = visible_methods(path, class)?.into_iter().filter(|one| {
        let method = &one.method;
        let is_called = method.code.is_some() && !method.access.is_static();
        is_called && !method.name.starts_with('<') && *one.class.name != *OBJECT
    });
    let all = methods.map(|declared| TargetMethod {
        class: class.clone(),
        declared,
    });
    Ok(most_visible(all.collect()))
}

/// The methods that objects of a class or interface offer to its users, those without a body
/// included but for those of `java.lang.Object`: the public ones, or if there is none, those that are
/// not private.
pub fn offered_methods(
    path: &ClassPath,
    class: &Arc<Class>,
) -> Result<Vec<TargetMethod>, LinkError> {
    let methods = visible_methods(path, class)?.into_iter().filter(|one| {
        let method = &one.method;
        !method.access.is_static() && !method.name.starts_with('<') && *one.class.name != *OBJECT
    });
    let all = methods.map(|declared| TargetMethod {
        class: class.clone(),
        declared,
    });
    Ok(most_visible(all.collect()))
}

/// The static methods of a class that its users call.
pub fn offered_functions(class: &Arc<Class>) -> Vec<TargetMethod> {
    let methods = class.methods.iter().filter(|method| {
        let access = method.access;
        let is_called = access.is_static() && method.code.is_some() && !access.is_private();
        is_called && !access.is_synthetic() && !method.name.starts_with('<')
    });
    let all = methods.map(|method| TargetMethod {
        class: class.clone(),
        declared: DeclaredMethod {
            class: class.clone(),
            method: Arc::clone(method),
        },
    });
    most_visible(all.collect())
}

fn most_visible(all: Vec<TargetMethod>) -> Vec<TargetMethod> {
    let access = |one: &TargetMethod| -> Access { one.declared.method.access };
    let is_public = |one: &TargetMethod| access(one).is_public();
    let (public, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_public);
    match public.is_empty() {
        true => others
            .into_iter()
            .filter(|one| !access(one).is_private())
            .collect(),
        false => public,
    }
}
