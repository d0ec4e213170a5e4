//! Methods that say something about an object without changing it.

use std::sync::Arc;

use heapwright_java::classfile::Class;
use heapwright_java::classpath::ClassPath;
use heapwright_java::descriptor::{Primitive, Type};
use heapwright_java::hierarchy::LinkError;
use heapwright_java::target::{TargetMethod, callable_methods};
use heapwright_java::world::Predicate;

use super::same_method;

/// More assertions than these tell a reader nothing.
const MOST: usize = 4;

/// Methods whose results are shown first.
const FIRST: [&str; 2] = ["size", "isEmpty"];

/// The public methods of a class without parameters that return a truth value or an integer, those
/// that say most first: a predicate that says whether objects are valid, whatever its access.
/// Whether they change something is found out when they are run.
pub fn of(
    path: &ClassPath,
    class: &Arc<Class>,
    predicate: Option<&Predicate>,
) -> Result<Vec<TargetMethod>, LinkError> {
    let mut callable = callable_methods(path, class)?;
    let predicate = predicate.and_then(|predicate| as_method(class, predicate));
    if let Some(predicate) = &predicate {
        callable.retain(|one| !same_method(one, predicate));
        callable.push(predicate.clone());
    }
    let is_predicate =
        |one: &TargetMethod| (predicate.as_ref()).is_some_and(|known| same_method(one, known));
    let mut found: Vec<TargetMethod> = (callable.into_iter())
        .filter(|one| {
            let method = &one.declared.method;
            let result = method.descriptor.result.as_ref();
            let is_scalar = matches!(
                result,
                Some(Type::Primitive(
                    Primitive::Boolean | Primitive::Int | Primitive::Long
                ))
            );
            // Hash codes are numbers that nobody wants to read.
            is_scalar && method.descriptor.parameters.is_empty() && &*method.name != "hashCode"
        })
        .collect();
    found.sort_by_key(|one| {
        let name = &*one.declared.method.name;
        match (is_predicate(one), FIRST.contains(&name)) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }
    });
    found.truncate(MOST);
    Ok(found)
}

/// A predicate as a method that an object of a class is asked by; nothing for static ones.
pub fn as_method(class: &Arc<Class>, predicate: &Predicate) -> Option<TargetMethod> {
    let declared = predicate.declared.clone();
    (!declared.method.access.is_static()).then(|| TargetMethod {
        class: Arc::clone(class),
        declared,
    })
}
