//! Methods: which one a reference means, and which one a call reaches.
//!
//! *Resolution* (JVMS 5.4.3.3, 5.4.3.4) goes from a reference to a declared method and needs no
//! object. *Selection* (JVMS 5.4.6) goes from there to the method that is executed for a receiver
//! of some class.

use super::{DeclaredMethod, Hierarchy, LinkError, OBJECT};
use crate::classfile::{Class, Invocation, Method, MethodReference};
use crate::descriptor::{MethodDescriptor, Type};
use std::fmt;
use std::sync::Arc;

/// The classes whose native methods take and give whatever a call says (JVMS 2.9.3).
const SIGNATURE_POLYMORPHIC: [&str; 2] = [
    "java.lang.invoke.MethodHandle",
    "java.lang.invoke.VarHandle",
];

impl Hierarchy<'_> {
    /// The method that a reference means, by the rule for classes or for interfaces.
    pub fn resolve_method(self, reference: &MethodReference) -> Result<DeclaredMethod, LinkError> {
        let class = match &reference.class {
            Type::Class(class) => self.load(class)?,
            // Arrays have the methods of Object; their `clone` is public, but the same.
            _ => self.load(OBJECT)?,
        };
        if class.access.is_interface() != reference.is_interface {
            let (expected, found) = match reference.is_interface {
                true => ("an interface", "a class"),
                false => ("a class", "an interface"),
            };
            return Err(LinkError::WrongReference(
                reference.to_string(),
                expected,
                found,
            ));
        }
        let found = self.lookup(&class, &reference.name, &reference.descriptor)?;
        found.ok_or_else(|| LinkError::NoSuchMethod(reference.to_string()))
    }

    /// The method with this name and descriptor that a class has, its own or inherited.
    pub fn lookup(
        self,
        class: &Arc<Class>,
        name: &str,
        descriptor: &MethodDescriptor,
    ) -> Result<Option<DeclaredMethod>, LinkError> {
        // The superclass of an interface is Object, of which only the public methods count.
        let is_interface = class.access.is_interface();
        for (height, ancestor) in self.superclasses(class)?.iter().enumerate() {
            let found = match polymorphic(ancestor, name) {
                Some(method) => Some(method),
                None => ancestor.method(name, descriptor).cloned(),
            };
            let counts = |method: &Arc<Method>| {
                !is_interface
                    || height == 0
                    || method.access.is_public() && !method.access.is_static()
            };
            if let Some(method) = found.filter(counts) {
                return Ok(Some(DeclaredMethod {
                    class: ancestor.clone(),
                    method,
                }));
            }
        }
        let candidates = self.inherited_from_interfaces(class, name, descriptor)?;
        let specific = self.maximally_specific(&candidates)?;
        let mut bodies = specific
            .iter()
            .filter(|found| !found.method.access.is_abstract());
        if let (Some(only), None) = (bodies.next(), bodies.next()) {
            return Ok(Some(only.clone()));
        }
        // The specification lets the machine choose among what is left; the first in the order
        // of the interfaces is what HotSpot takes.
        Ok(candidates.into_iter().next())
    }

    /// The method that is executed when a resolved method is called on an object of a class.
    pub fn select(
        self,
        receiver: &Arc<Class>,
        resolved: &DeclaredMethod,
    ) -> Result<DeclaredMethod, LinkError> {
        if resolved.method.access.is_private() {
            return Ok(resolved.clone());
        }
        let (name, descriptor) = (&*resolved.method.name, &*resolved.method.descriptor);
        let chain = self.superclasses(receiver)?;
        if let Some(found) = overriding(&chain, resolved) {
            return with_body(found, receiver, resolved);
        }
        let candidates = self.inherited_from_interfaces(receiver, name, descriptor)?;
        let specific = self.maximally_specific(&candidates)?;
        let bodies: Vec<_> = specific
            .into_iter()
            .filter(|found| !found.method.access.is_abstract())
            .collect();
        match bodies.as_slice() {
            [only] => Ok(only.clone()),
            [] => Err(no_implementation(receiver, resolved)),
            several => Err(LinkError::Conflict {
                method: resolved.to_string(),
                class: receiver.name.clone(),
                found: several
                    .iter()
                    .map(|found| found.class.name.to_string())
                    .collect(),
            }),
        }
    }

    /// The method that `invokespecial` in a class executes: constructors and the class's own private
    /// methods as resolved, and after `super.` the nearest one above the class.
    pub fn select_special(
        self,
        caller: &Arc<Class>,
        reference: &MethodReference,
    ) -> Result<DeclaredMethod, LinkError> {
        let resolved = self.resolve_method(reference)?;
        let names_superclass = match &reference.class {
            Type::Class(named) if !reference.is_interface => {
                **named != *caller.name && self.is_subclass(&caller.name, named)?
            }
            _ => false,
        };
        let start = match self.superclass(caller)? {
            Some(superclass)
                if names_superclass
                    && caller.access.has_super_semantics()
                    && !resolved.method.is_constructor() =>
            {
                superclass
            }
            _ => return with_body(resolved.clone(), &resolved.class, &resolved),
        };
        let found = self.lookup(&start, &resolved.method.name, &resolved.method.descriptor)?;
        let found = found.ok_or_else(|| no_implementation(&start, &resolved))?;
        with_body(found, &start, &resolved)
    }

    /// The method that a call executes. For calls that depend on the receiver, its class is
    /// `receiver`; `caller` is the class with the call.
    pub fn callee(
        self,
        invocation: Invocation,
        reference: &MethodReference,
        caller: &Arc<Class>,
        receiver: &Arc<Class>,
    ) -> Result<DeclaredMethod, LinkError> {
        match invocation {
            Invocation::Static => self.resolve_method(reference),
            Invocation::Special => self.select_special(caller, reference),
            Invocation::Virtual | Invocation::Interface => {
                self.select(receiver, &self.resolve_method(reference)?)
            }
        }
    }

    /// The methods with this name and descriptor in the interfaces of a class, as far as they are
    /// inherited: neither private nor static.
    fn inherited_from_interfaces(
        self,
        class: &Arc<Class>,
        name: &str,
        descriptor: &MethodDescriptor,
    ) -> Result<Vec<DeclaredMethod>, LinkError> {
        let mut found = Vec::new();
        for class in self.interfaces(class)? {
            if let Some(method) = class.method(name, descriptor).cloned()
                && !method.access.is_private()
                && !method.access.is_static()
            {
                found.push(DeclaredMethod { class, method });
            }
        }
        Ok(found)
    }

    /// Those of some methods of interfaces whose interface no other one of them extends.
    fn maximally_specific(
        self,
        candidates: &[DeclaredMethod],
    ) -> Result<Vec<DeclaredMethod>, LinkError> {
        let mut specific = Vec::new();
        for one in candidates {
            let mut is_overridden = false;
            for other in candidates {
                is_overridden |= one.class.name != other.class.name
                    && self.is_subclass(&other.class.name, &one.class.name)?;
            }
            if !is_overridden {
                specific.push(one.clone());
            }
        }
        Ok(specific)
    }
}

/// The method of the first class of a chain (a class and its superclasses) that can override a
/// resolved method (JVMS 5.4.5), or is the resolved method; none if the chain has none, which
/// happens for methods of interfaces only.
///
/// A method that is visible in its package only is overridden inside of the package, or by a chain
/// of methods of which each overrides the next. So the links are collected from the resolved method
/// downwards, and the last one found is the one nearest to the receiver.
fn overriding(chain: &[Arc<Class>], resolved: &DeclaredMethod) -> Option<DeclaredMethod> {
    let place = chain
        .iter()
        .position(|class| class.name == resolved.class.name);
    let below = chain
        .get(..place.unwrap_or(chain.len()))
        .unwrap_or_default();
    let mut links = vec![resolved.clone()];
    for class in below.iter().rev() {
        let method = class.method(&resolved.method.name, &resolved.method.descriptor);
        if let Some(method) = method.cloned() {
            let method = DeclaredMethod {
                class: class.clone(),
                method,
            };
            if links.iter().any(|link| overrides_directly(&method, link)) {
                links.push(method);
            }
        }
    }
    let is_of_class = place.is_some();
    links.pop().filter(|_| is_of_class || !links.is_empty())
}

/// Whether a method overrides one of a superclass that is not private, without others between.
fn overrides_directly(method: &DeclaredMethod, above: &DeclaredMethod) -> bool {
    let access = method.method.access;
    !access.is_private()
        && !access.is_static()
        && (!above.method.access.is_package_private()
            || method.class.package() == above.class.package())
}

/// A method that is to be executed.
fn with_body(
    found: DeclaredMethod,
    receiver: &Arc<Class>,
    resolved: &DeclaredMethod,
) -> Result<DeclaredMethod, LinkError> {
    match found.method.access.is_abstract() {
        true => Err(no_implementation(receiver, resolved)),
        false => Ok(found),
    }
}

/// The method of a class that stands for all descriptors.
fn polymorphic(class: &Class, name: &str) -> Option<Arc<Method>> {
    if !SIGNATURE_POLYMORPHIC.contains(&&*class.name) {
        return None;
    }
    let mut methods = class.methods.iter().filter(|method| *method.name == *name);
    let (only, None) = (methods.next()?, methods.next()) else {
        return None;
    };
    let takes_anything = *only.descriptor.parameters == [Type::class(OBJECT).array_of()];
    let is_native = only.access.is_native_method() && only.access.is_varargs_method();
    (takes_anything && is_native).then(|| only.clone())
}

fn no_implementation(receiver: &Class, resolved: &DeclaredMethod) -> LinkError {
    LinkError::Abstract {
        method: resolved.to_string(),
        class: receiver.name.clone(),
    }
}

/// The method as a target: `java.util.List#get(int)`.
impl fmt::Display for DeclaredMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}#{}{}",
            self.class.name, self.method.name, self.method.descriptor
        )
    }
}
