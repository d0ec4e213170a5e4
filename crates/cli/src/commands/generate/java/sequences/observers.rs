//! Methods that say something about an object without changing it.

use std::sync::Arc;

use heapwright_engine::sequences::Observation;
use heapwright_java::classfile::Class;
use heapwright_java::classpath::ClassPath;
use heapwright_java::descriptor::{Primitive, Type};
use heapwright_java::hierarchy::{DeclaredMethod, LinkError};
use heapwright_java::target::{TargetMethod, callable_methods};
use heapwright_java::world::USUAL_NAMES;
use heapwright_logic::Value;

/// More assertions than these tell a reader nothing.
const MOST: usize = 4;

/// Methods whose results are shown first.
const FIRST: [&str; 2] = ["size", "isEmpty"];

/// The public methods of a class without parameters that return a truth value or an integer, those
/// that say most first. Whether they change something is found out when they are run.
pub fn of(path: &ClassPath, class: &Arc<Class>) -> Result<Vec<TargetMethod>, LinkError> {
    let mut callable = callable_methods(path, class)?;
    // Tests are in the package of the class, so a predicate need not be public.
    let others = class.methods.iter().map(|method| TargetMethod {
        class: Arc::clone(class),
        declared: DeclaredMethod {
            class: Arc::clone(class),
            method: Arc::clone(method),
        },
    });
    callable.extend(others.filter(|one| {
        let access = one.declared.method.access;
        let is_ours = !access.is_public() && !access.is_private() && !access.is_static();
        is_ours && is_invariant(one)
    }));
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
        match (is_invariant(one), FIRST.contains(&name)) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }
    });
    found.truncate(MOST);
    Ok(found)
}

/// Whether a predicate says that an object is not in order any more.
pub fn is_broken(method: &TargetMethod, observed: &Observation) -> bool {
    let (no, yes) = (Value::Bool(false), Some(Value::Bool(true)));
    is_invariant(method) && observed.value == no && observed.before == yes
}

/// Whether a method says whether an object is in order.
fn is_invariant(method: &TargetMethod) -> bool {
    let method = &method.declared.method;
    let is_predicate = method.descriptor.result == Some(Type::Primitive(Primitive::Boolean));
    is_predicate && USUAL_NAMES.contains(&&*method.name)
}
