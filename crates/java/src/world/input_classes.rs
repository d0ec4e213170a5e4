//! The classes that objects of inputs have.

use std::sync::Arc;

use super::input_fields::EMPTY;
use super::{OBJECT, STRING, World};
use crate::classfile::Class;
use crate::descriptor::{Name, Type, package_of};

/// What stands for the usual classes of the JDK.
const USUAL: [(&str, &[&str]); 14] = [
    (OBJECT, &[OBJECT, "java.lang.Integer", STRING]),
    ("java.lang.Comparable", &["java.lang.Integer", STRING]),
    (
        "java.lang.Number",
        &["java.lang.Integer", "java.lang.Long", "java.lang.Double"],
    ),
    ("java.lang.CharSequence", &[STRING]),
    ("java.io.Serializable", &["java.lang.Integer", STRING]),
    ("java.lang.Iterable", &["java.util.LinkedList"]),
    ("java.util.Collection", &["java.util.LinkedList"]),
    ("java.util.List", &["java.util.LinkedList"]),
    ("java.util.Queue", &["java.util.LinkedList"]),
    ("java.util.Deque", &["java.util.LinkedList"]),
    ("java.util.Map", &["java.util.HashMap", "java.util.TreeMap"]),
    ("java.util.SortedMap", &["java.util.TreeMap"]),
    ("java.util.Set", &["java.util.HashSet"]),
    ("java.util.HashSet", &["java.util.HashSet"]),
];

/// Classes of the JDK whose fields may have any value.
const VALUES: [&str; 13] = [
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Short",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Float",
    "java.lang.Double",
    "java.util.UUID",
    "java.util.concurrent.atomic.AtomicInteger",
    "java.util.concurrent.atomic.AtomicLong",
    "java.util.concurrent.atomic.AtomicReference",
    "java.util.AbstractMap$SimpleEntry",
];

impl World {
    /// The types of objects behind a reference of a type, and whether these are all.
    pub(super) fn candidates(&self, ty: &Type) -> (Vec<Type>, bool) {
        if let Some(known) = self.known_candidates.borrow().get(ty) {
            return known.clone();
        }
        let found = self.find_candidates(ty);
        let mut known = self.known_candidates.borrow_mut();
        known.insert(ty.clone(), found.clone());
        found
    }

    /// The classes with objects below one, as far as inputs have them.
    pub(crate) fn concrete_below(&self, name: &str) -> Vec<Name> {
        let (found, _) = self.find_candidates(&Type::class(name));
        let classes = found.into_iter().filter_map(|ty| match ty {
            Type::Class(name) => Some(name),
            _ => None,
        });
        classes.filter(|name| !self.is_made_up(name)).collect()
    }

    fn find_candidates(&self, ty: &Type) -> (Vec<Type>, bool) {
        let name = match ty {
            Type::Class(name) => name,
            Type::Array(element) => {
                let closed = match &**element {
                    Type::Primitive(_) => true,
                    element => self.candidates(element) == (vec![element.clone()], true),
                };
                return (vec![ty.clone()], closed);
            }
            Type::Primitive(_) => return (Vec::new(), true),
        };
        if self.is_made_up(name) {
            let is_function = self.implemented(name).is_some();
            return (is_function.then(|| ty.clone()).into_iter().collect(), false);
        }
        let (mut found, complete) = match self.is_own_class(name) {
            true => self.own_candidates(name),
            false => (self.usual_candidates(name), is_final_value(name)),
        };
        if found.is_empty() {
            found.extend(self.constant_function(name));
        }
        (found, complete)
    }

    /// A class of the user: itself and its subclasses.
    fn own_candidates(&self, name: &Name) -> (Vec<Type>, bool) {
        let mut names = vec![name.clone()];
        if self.is_user_class(name) {
            names.extend(self.path.package(package_of(name)).unwrap_or_default());
        }
        names.extend(self.tested.members.iter().cloned());
        names.extend(self.mentioned_classes().cloned());
        let (mut found, mut complete) = (Vec::new(), true);
        for candidate in names {
            if !self.path.may_be_below(&candidate, name) {
                continue;
            }
            let is_below = self.with_hierarchy(|h| h.is_subclass(&candidate, name));
            if !matches!(is_below, Ok(true)) {
                continue;
            }
            let Ok(class) = self.path.load(&candidate) else {
                continue;
            };
            if class.access.is_abstract() || class.access.is_interface() {
                continue;
            }
            match self.can_be_input(&class) {
                true if found.contains(&class.ty()) => {}
                true => {
                    // What the JDK's part of the objects is like, others decide.
                    complete &= self.inherited(&class).is_none();
                    found.push(class.ty());
                }
                false => complete = false,
            }
        }
        let complete = complete && !found.is_empty() && self.is_closed(name);
        (found, complete)
    }

    /// Whether no other program has further classes below one. Anybody can implement an interface
    /// or extend an abstract class, unless its constructors are private, or it is sealed and all that
    /// it permits is closed too; that nobody extends a class with objects of its own is an
    /// assumption.
    fn is_closed(&self, name: &str) -> bool {
        let Ok(class) = self.path.load(name) else {
            return false;
        };
        let mut constructors = class
            .methods
            .iter()
            .filter(|method| method.is_constructor());
        let is_private = !class.access.is_interface()
            && constructors.all(|constructor| constructor.access.is_private());
        let is_open = (class.access.is_abstract() || class.access.is_interface()) && !is_private;
        match &class.permitted_subclasses {
            _ if class.access.is_enum() => false,
            Some(permitted) => permitted.iter().all(|below| self.is_closed(below)),
            None => !is_open,
        }
    }

    /// Whether a class of the user has objects, and anybody can extend it.
    pub(super) fn is_extensible(&self, ty: &Type) -> bool {
        let Type::Class(name) = ty else {
            return false;
        };
        let Ok(class) = self.path.load(name) else {
            return false;
        };
        let access = class.access;
        let mut constructors = class
            .methods
            .iter()
            .filter(|method| method.is_constructor());
        self.is_own_class(name)
            && !access.is_final()
            && !access.is_abstract()
            && !access.is_interface()
            && !access.is_synthetic()
            && !access.is_enum()
            && class.permitted_subclasses.is_none()
            && class.enclosing_method.is_none()
            && constructors.any(|constructor| !constructor.access.is_private())
    }

    /// A class of the JDK: the usual ones, and what the code under test asks for.
    fn usual_candidates(&self, name: &Name) -> Vec<Type> {
        let row = USUAL.iter().find(|row| row.0 == &**name);
        let mut found: Vec<Type> = match row {
            Some((_, usual)) => usual.iter().map(|usual| Type::class(usual)).collect(),
            None if is_value(name) || self.is_exception(name) => vec![Type::Class(name.clone())],
            None => Vec::new(),
        };
        let ancestor = Type::Class(name.clone());
        // What is caught matters where something is thrown.
        let is_thrown = self.is_exception(name);
        let caught = self.tested.caught.iter().filter(|_| is_thrown);
        for ty in self.tested.mentioned.iter().chain(caught) {
            let fits = self.with_hierarchy(|hierarchy| hierarchy.is_subtype(ty, &ancestor));
            let fits = matches!(fits, Ok(true)) && !found.contains(ty);
            let possible = match ty {
                Type::Class(name) if self.is_own_class(name) => {
                    let class = self.path.load(name);
                    class.is_ok_and(|class| {
                        !class.access.is_abstract()
                            && !class.access.is_interface()
                            && self.can_be_input(&class)
                    })
                }
                Type::Class(name) => is_value(name) || self.is_exception(name),
                _ => true,
            };
            if fits && possible {
                found.push(ty.clone());
            }
        }
        found
    }

    /// Whether a class has no class file: it stands for a lambda expression, for example.
    fn is_made_up(&self, name: &str) -> bool {
        name.contains("$$") && matches!(self.path.class_file(name), Ok(None))
    }

    /// Whether tests can make exceptions of a class.
    fn is_exception(&self, name: &str) -> bool {
        let class = self.path.load(name);
        class.is_ok_and(|class| self.exception_messages(&class).is_some())
    }

    fn mentioned_classes(&self) -> impl Iterator<Item = &Name> {
        self.tested.mentioned.iter().filter_map(|ty| match ty {
            Type::Class(name) => Some(name),
            _ => None,
        })
    }

    /// Whether objects of a class make sense with any fields, and tests can make them: no constants
    /// of enums, lambda expressions, anonymous and local classes, and no subclasses of classes of
    /// the JDK whose constructors leave what nobody knows in their fields, but for exceptions.
    fn can_be_input(&self, class: &Arc<Class>) -> bool {
        let Ok(chain) = self.with_hierarchy(|hierarchy| hierarchy.superclasses(class)) else {
            return false;
        };
        if self.is_throwable(class) {
            return self.exception_messages(class).is_some();
        }
        let is_own = self.is_own_class(&class.name);
        let home = |above: &Class| self.is_own_class(&above.name);
        let is_tested = !self.is_user_class(&class.name);
        let is_known = self.inherited(class).is_some();
        is_own
            && class.enclosing_method.is_none()
            && !class.access.is_synthetic()
            && chain.iter().all(|above| {
                let has_fields = above.fields.iter().any(|field| !field.access.is_static());
                &*above.name != "java.lang.Enum"
                    && (home(above) || is_tested || !has_fields || is_known)
            })
    }
}

/// Whether a class of the JDK has objects that make sense with what the rules leave open.
fn is_value(name: &str) -> bool {
    name == STRING
        || name == OBJECT
        || VALUES.contains(&name)
        || EMPTY.contains(&name)
        || name == "java.util.HashSet"
}

/// Whether a class of the JDK has no subclasses, and its objects are all there.
fn is_final_value(name: &str) -> bool {
    VALUES.iter().take(9).any(|value| *value == name)
}
