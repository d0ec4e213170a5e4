//! What is known about the classes of the JDK, translated or not.
//!
//! Code of the JDK does not know the user's classes. It writes to their fields by calling methods
//! that override its own (`hashCode`, `compareTo`, `run`), or where it is asked to by reflection.
//! The packages that have nothing to do with reflection are listed here; for all others nothing is
//! promised.

use heapwright_ir::{FunctionId, Library};
use heapwright_logic::ClassId;
use rustc_hash::FxHashSet;

use super::World;
use super::loading::Pending;
use super::methods::{CLASS_OBJECT, COPY_OBJECT, method_key};
use crate::descriptor::{Name, Type, package_of};

/// Packages whose code writes to objects of the user by calling methods of theirs, and in no other
/// way, but for the classes and methods below.
const PACKAGES: [&str; 14] = [
    "java.io",
    "java.lang",
    "java.math",
    "java.nio",
    "java.text",
    "java.time",
    "java.time.chrono",
    "java.time.format",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.locks",
    "java.util.function",
    "java.util.regex",
    "java.util.stream",
];

/// Classes of these packages that run code of the user which is no method of an object, or that
/// look into objects.
const REFLECTIVE: [&str; 7] = [
    "java.io.ObjectInputStream",
    "java.io.ObjectStreamClass",
    "java.lang.ClassLoader",
    "java.lang.Module",
    "java.lang.ModuleLayer",
    "java.lang.Runtime",
    "java.util.ServiceLoader",
];

impl World {
    /// What is known about code of the JDK, as far as the program mentions it.
    pub fn library(&self) -> Library {
        let mut library = Library::default();
        let of_jdk = |name: &Name| !self.is_user_class(name);
        for (&id, ty) in &self.types {
            if matches!(ty, Type::Class(name) if of_jdk(name)) {
                library.classes.insert(id);
            }
        }
        for (name, statics) in &self.statics {
            if of_jdk(name) {
                library.classes.insert(statics.class);
            }
        }
        for fault in self.program.fault_objects.values() {
            library.classes.insert(fault.plain);
            let detailed = fault.detailed.iter().map(|(class, _)| *class);
            library.classes.extend(detailed);
        }
        for (&id, declared) in &self.methods {
            if !of_jdk(&declared.class.name) {
                continue;
            }
            library.functions.insert(id);
            if is_encapsulated(&declared.class.name, &declared.method.name) {
                library.encapsulated.insert(id);
            }
        }
        for (&id, pending) in &self.pending {
            match pending {
                Pending::Method(_) => {}
                Pending::ArrayCopy(..) => {
                    library.functions.insert(id);
                    library.encapsulated.insert(id);
                }
                Pending::ClassObject(_) | Pending::ObjectClone(_) | Pending::ArrayClone(_) => {
                    library.pure.insert(id);
                }
            }
        }
        library.callbacks = self.callbacks(&library.classes);
        library
    }

    /// The methods of classes that are not the JDK's which override one of the JDK's.
    fn callbacks(&self, of_jdk: &FxHashSet<ClassId>) -> FxHashSet<FunctionId> {
        let mut callbacks = FxHashSet::default();
        for (id, info) in (0..).map(ClassId).zip(&self.program.classes) {
            if of_jdk.contains(&id) || info.methods.is_empty() {
                continue;
            }
            let inherited = match self.types.get(&id) {
                Some(Type::Class(name)) => self.keys_of_jdk(name),
                _ => None,
            };
            for (key, &function) in &info.methods {
                // Where nothing is known about the class, it may override anything.
                let overrides = inherited.as_ref().is_none_or(|keys| keys.contains(key));
                if overrides && key != CLASS_OBJECT && key != COPY_OBJECT {
                    callbacks.insert(function);
                }
            }
        }
        callbacks
    }

    /// The names of all methods that the JDK's supertypes of a class declare; nothing if the class
    /// cannot be read.
    fn keys_of_jdk(&self, name: &Name) -> Option<FxHashSet<String>> {
        let class = self.path.load(name).ok()?;
        let (chain, interfaces) = self.with_hierarchy(|hierarchy| {
            let chain = hierarchy.superclasses(&class).ok()?;
            Some((chain, hierarchy.interfaces(&class).ok()?))
        })?;
        let above = chain.iter().chain(&interfaces);
        let above = above.filter(|class| !self.is_user_class(&class.name));
        Some(
            above
                .flat_map(|class| class.methods.iter().map(|method| method_key(method)))
                .collect(),
        )
    }
}

/// Whether a method of the JDK does not look into objects of classes that it does not know.
fn is_encapsulated(class: &str, method: &str) -> bool {
    let outermost = class.split('$').next().unwrap_or(class);
    let runs_user_code = match outermost {
        "java.lang.Class" => matches!(method, "newInstance" | "forName" | "forName0"),
        "java.lang.System" => matches!(method, "load" | "loadLibrary"),
        _ => false,
    };
    let is_atomic =
        package_of(class) == "java.util.concurrent.atomic" && !outermost.ends_with("FieldUpdater");
    (PACKAGES.contains(&package_of(class)) || is_atomic)
        && !REFLECTIVE.contains(&outermost)
        && !runs_user_code
}
