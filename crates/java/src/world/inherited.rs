//! Classes of the user that extend classes of the JDK with fields of their own.

use std::sync::Arc;

use heapwright_ir::{Constant, Content};
use heapwright_logic::{Sort, Value};

use super::World;
use super::native_bodies::default;
use crate::classfile::Class;
use crate::emit::{Inherited, Source, left_by};
use crate::hierarchy::DeclaredField;

impl World {
    /// What the JDK leaves in the fields that a class of the user inherits from it: as the simplest
    /// constructor of the superclass makes them. None if there are no such fields, or if nobody
    /// knows. Other contents are possible, so nothing is proved with such objects.
    pub(crate) fn inherited(&self, class: &Arc<Class>) -> Option<Arc<Inherited>> {
        if let Some(known) = self.known_inherited.borrow().get(&class.name) {
            return known.clone();
        }
        let found = self.find_inherited(class).map(Arc::new);
        let mut known = self.known_inherited.borrow_mut();
        known.insert(class.name.clone(), found.clone());
        found
    }

    fn find_inherited(&self, class: &Arc<Class>) -> Option<Inherited> {
        if !self.is_user_class(&class.name) || self.is_throwable(class) {
            return None;
        }
        let chain = self.with_hierarchy(|hierarchy| hierarchy.superclasses(class));
        let chain = chain.ok()?;
        let mut above = (chain.iter()).filter(|above| !self.is_user_class(&above.name));
        let has_fields = |above: &Arc<Class>| {
            let mut fields = above.fields.iter();
            fields.any(|field| !field.access.is_static())
        };
        if !above.clone().any(has_fields) {
            return None;
        }
        // The nearest one calls the constructors of those above it.
        let nearest = above.next()?;
        self.with_hierarchy(|hierarchy| left_by(hierarchy, nearest))
    }

    /// What holds of a field that a class of the JDK declares, in an input of a subclass; `None` if
    /// anything may be in it.
    pub(super) fn inherited_content(
        &self,
        inherited: &Inherited,
        field: &DeclaredField,
        sort: Sort,
    ) -> Option<Content> {
        Some(match inherited.source(field) {
            None => Content::Constant(default(sort)),
            Some(Source::Constant(value)) => Content::Constant(match (value, sort) {
                (Value::Bool(value), _) => Constant::Bool(value),
                (Value::Int(value), Sort::Machine(ty)) => Constant::Int(ty, value),
                (Value::Single(bits), _) => Constant::Single(bits),
                (Value::Double(bits), _) => Constant::Double(bits),
                _ => default(sort),
            }),
            Some(Source::Itself) => Content::Itself,
            Some(Source::Array(length)) => Content::Array(length),
            Some(Source::Fresh) => Content::Owned,
            Some(Source::Parameter(_)) if inherited.is_present(field) => Content::Present,
            Some(Source::Parameter(_) | Source::Other) => return None,
        })
    }
}
