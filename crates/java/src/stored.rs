//! Classes and methods in data that is written down: by their names.
//!
//! Who reads such data says [on which class path](with_classes) the names mean something. Serde has no
//! place for that, so it is known to the thread as long as data is read.

use std::cell::RefCell;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::classfile::Class;
use crate::classpath::ClassPath;
use crate::hierarchy::DeclaredMethod;

thread_local! {
    static CLASSES: RefCell<Option<Arc<ClassPath>>> = const { RefCell::new(None) };
}

/// Reads data whose classes are those of a class path.
pub fn with_classes<T>(classes: &Arc<ClassPath>, read: impl FnOnce() -> T) -> T {
    let before = CLASSES.replace(Some(Arc::clone(classes)));
    let result = read();
    CLASSES.set(before);
    result
}

/// How fields that are classes are written: `#[serde(with = "crate::stored::by_name")]`.
pub(crate) mod by_name {
    use super::*;

    pub fn serialize<S: Serializer>(class: &Arc<Class>, to: S) -> Result<S::Ok, S::Error> {
        class.name.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<Class>, D::Error> {
        let name = String::deserialize(from)?;
        class(&name).ok_or_else(|| D::Error::custom(format!("there is no class {name} any more")))
    }
}

fn class(name: &str) -> Option<Arc<Class>> {
    let classes = CLASSES.with_borrow(Clone::clone)?;
    classes.load(name).ok()
}

impl Serialize for DeclaredMethod {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let method = &self.method;
        (
            &self.class.name,
            &method.name,
            method.descriptor.descriptor(),
        )
            .serialize(to)
    }
}

impl<'de> Deserialize<'de> for DeclaredMethod {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<DeclaredMethod, D::Error> {
        let (owner, name, descriptor) = <(String, String, String)>::deserialize(from)?;
        let found = class(&owner).and_then(|class| {
            let mut methods = class.methods.iter();
            let method = methods.find(|method| {
                *method.name == *name && method.descriptor.descriptor() == descriptor
            });
            method
                .cloned()
                .map(|method| DeclaredMethod { class, method })
        });
        found.ok_or_else(|| D::Error::custom(format!("there is no {owner}#{name} any more")))
    }
}
