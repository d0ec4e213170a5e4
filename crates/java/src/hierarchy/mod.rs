//! What depends on several classes: supertypes, the layout of objects, and which field or method a
//! reference means. Classes are loaded as they are needed.
//!
//! Access rules (may this class call that method?) are not checked: compilers do, and a program
//! that was compiled against other versions of its classes is not what tests are written for.

mod fields;
mod generics;
mod methods;

use crate::classfile::{Class, Field, Method};
use crate::classpath::{ClassPath, ClassPathError};
use crate::descriptor::{Name, Type};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use thiserror::Error;

pub use generics::{GenericType, TypeArgument};

/// The classes of a class path, as they are related. Cheap to copy.
#[derive(Debug, Clone, Copy)]
pub struct Hierarchy<'p> {
    path: &'p ClassPath,
}

/// A method in the class that declares it.
#[derive(Debug, Clone)]
pub struct DeclaredMethod {
    /// The class.
    pub class: Arc<Class>,
    /// The method.
    pub method: Arc<Method>,
}

/// A field in the class that declares it.
#[derive(Debug, Clone)]
pub struct DeclaredField {
    /// The class.
    pub class: Arc<Class>,
    /// The field.
    pub field: Arc<Field>,
}

/// Why classes do not fit together. On a real virtual machine the program gets a `LinkageError`,
/// whose class [`LinkError::exception`] tells.
#[derive(Debug, Clone, Error)]
pub enum LinkError {
    /// A class could not be loaded.
    #[error(transparent)]
    Load(#[from] ClassPathError),
    /// A class is its own superclass or superinterface.
    #[error("class {0} is its own supertype")]
    Circular(Name),
    /// A class has more supertypes than anybody writes.
    #[error("class {0} has more than {MOST_SUPERTYPES} supertypes")]
    TooManySupertypes(Name),
    /// A superclass is an interface, or an interface a class.
    #[error("{class} names {supertype} as a {expected}, which it is not")]
    WrongSupertype {
        /// The class.
        class: Name,
        /// What it extends or implements.
        supertype: Name,
        /// What that should be.
        expected: &'static str,
    },
    /// There is no such field.
    #[error("there is no field {0}")]
    NoSuchField(String),
    /// There is no such method.
    #[error("there is no method {0}")]
    NoSuchMethod(String),
    /// A method of a class was looked for in an interface, or the other way round.
    #[error("{0} is a reference to a method of {1}, but that is {2}")]
    WrongReference(String, &'static str, &'static str),
    /// A call leads to a method without a body.
    #[error("{method} has no implementation in {class}")]
    Abstract {
        /// The method that was called.
        method: String,
        /// The class of the receiver.
        class: Name,
    },
    /// A call leads to several default methods of which none is more specific.
    #[error("{method} has several implementations in the interfaces of {class}: {}", found.join(", "))]
    Conflict {
        /// The method that was called.
        method: String,
        /// The class of the receiver.
        class: Name,
        /// The interfaces that implement it.
        found: Vec<String>,
    },
}

impl LinkError {
    /// The exception that a Java virtual machine throws.
    pub fn exception(&self) -> &'static str {
        match self {
            LinkError::Load(error) => match error {
                ClassPathError::Malformed { .. } => "java.lang.ClassFormatError",
                _ => "java.lang.NoClassDefFoundError",
            },
            LinkError::Circular(_) => "java.lang.ClassCircularityError",
            LinkError::TooManySupertypes(_) => "java.lang.StackOverflowError",
            LinkError::NoSuchField(_) => "java.lang.NoSuchFieldError",
            LinkError::NoSuchMethod(_) => "java.lang.NoSuchMethodError",
            LinkError::Abstract { .. } => "java.lang.AbstractMethodError",
            LinkError::WrongSupertype { .. }
            | LinkError::WrongReference(..)
            | LinkError::Conflict { .. } => "java.lang.IncompatibleClassChangeError",
        }
    }
}

const OBJECT: &str = "java.lang.Object";

/// The most superclasses, and the most interfaces, that a class may have. Classes are entered with
/// their supertypes one inside of the other, which must not go as deep as somebody likes.
const MOST_SUPERTYPES: usize = 300;

impl<'p> Hierarchy<'p> {
    /// The hierarchy of the classes on a class path.
    pub fn new(path: &'p ClassPath) -> Self {
        Hierarchy { path }
    }

    /// The class path.
    pub fn class_path(self) -> &'p ClassPath {
        self.path
    }

    /// Loads a class.
    pub fn load(self, name: &str) -> Result<Arc<Class>, LinkError> {
        Ok(self.path.load(name)?)
    }

    /// The direct superclass.
    pub fn superclass(self, class: &Class) -> Result<Option<Arc<Class>>, LinkError> {
        let Some(name) = &class.superclass else {
            return Ok(None);
        };
        let superclass = self.path.load(name)?;
        if superclass.access.is_interface() {
            let (class, supertype) = (class.name.clone(), name.clone());
            return Err(LinkError::WrongSupertype {
                class,
                supertype,
                expected: "superclass",
            });
        }
        Ok(Some(superclass))
    }

    /// The class itself and its superclasses, up to Object.
    pub fn superclasses(self, class: &Arc<Class>) -> Result<Vec<Arc<Class>>, LinkError> {
        let mut chain = vec![class.clone()];
        let mut seen = FxHashSet::from_iter([class.name.clone()]);
        let mut current = class.clone();
        while let Some(superclass) = self.superclass(&current)? {
            if !seen.insert(superclass.name.clone()) {
                return Err(LinkError::Circular(superclass.name.clone()));
            }
            if chain.len() > MOST_SUPERTYPES {
                return Err(LinkError::TooManySupertypes(class.name.clone()));
            }
            chain.push(superclass.clone());
            current = superclass;
        }
        Ok(chain)
    }

    /// All interfaces of a class: its own before those of its superclass, each before the
    /// interfaces that it extends, none twice. An interface does not count as its own.
    pub fn interfaces(self, class: &Arc<Class>) -> Result<Vec<Arc<Class>>, LinkError> {
        let mut found: Vec<Arc<Class>> = Vec::new();
        let mut seen = FxHashSet::default();
        for class in self.superclasses(class)? {
            let mut waiting = self.direct_interfaces(&class)?;
            waiting.reverse();
            while let Some(interface) = waiting.pop() {
                if found.len() > MOST_SUPERTYPES {
                    return Err(LinkError::TooManySupertypes(class.name.clone()));
                }
                if seen.insert(interface.name.clone()) {
                    let above = self.direct_interfaces(&interface)?;
                    waiting.extend(above.into_iter().rev());
                    found.push(interface);
                }
            }
        }
        if seen.contains(&class.name) {
            return Err(LinkError::Circular(class.name.clone()));
        }
        Ok(found)
    }

    /// The class that a class is nested in, however deep, or the class itself.
    pub fn outermost(self, class: &Arc<Class>) -> Result<Arc<Class>, LinkError> {
        let mut seen = FxHashSet::default();
        let mut current = class.clone();
        while seen.insert(current.name.clone()) {
            let member = current
                .as_inner_class()
                .and_then(|inner| inner.outer.clone());
            let local = current.enclosing_method.as_ref();
            let Some(outer) = member.or_else(|| local.map(|local| local.class.clone())) else {
                return Ok(current);
            };
            current = self.path.load(&outer)?;
        }
        Err(LinkError::Circular(current.name.clone()))
    }

    fn direct_interfaces(self, class: &Class) -> Result<Vec<Arc<Class>>, LinkError> {
        let load = |name: &Name| {
            let interface = self.path.load(name)?;
            if !interface.access.is_interface() {
                let (class, supertype) = (class.name.clone(), name.clone());
                let expected = "superinterface";
                return Err(LinkError::WrongSupertype {
                    class,
                    supertype,
                    expected,
                });
            }
            Ok(interface)
        };
        class.interfaces.iter().map(load).collect()
    }

    /// Whether a class is another one, or inherits from it, or implements it.
    pub fn is_subclass(self, class: &str, ancestor: &str) -> Result<bool, LinkError> {
        if class == ancestor || ancestor == OBJECT {
            return Ok(true);
        }
        let class = self.load(class)?;
        if self
            .superclasses(&class)?
            .iter()
            .any(|one| *one.name == *ancestor)
        {
            return Ok(true);
        }
        Ok(self
            .interfaces(&class)?
            .iter()
            .any(|one| *one.name == *ancestor))
    }

    /// Whether a value of a type can be used as one of another (JVMS `instanceof`): the question
    /// of casts, of stores into arrays, and of exception handlers. Primitive types only fit
    /// themselves.
    pub fn is_subtype(self, ty: &Type, ancestor: &Type) -> Result<bool, LinkError> {
        match (ty, ancestor) {
            (Type::Class(class), Type::Class(ancestor)) => self.is_subclass(class, ancestor),
            (Type::Array(_), Type::Class(ancestor)) => {
                Ok([OBJECT, "java.lang.Cloneable", "java.io.Serializable"].contains(&&**ancestor))
            }
            // Descriptors limit how deep this goes.
            (Type::Array(element), Type::Array(ancestor)) => self.is_subtype(element, ancestor),
            _ => Ok(ty == ancestor),
        }
    }
}
