//! Fields: the layout of objects, and field resolution.

use super::{DeclaredField, Hierarchy, LinkError};
use crate::classfile::{Class, FieldReference};
use std::sync::Arc;

impl Hierarchy<'_> {
    /// The fields of an object of a class: the superclass's first, then the class's own, each in
    /// the order of declaration. A field of a superclass is there even if it is private or hidden
    /// by one of the same name.
    pub fn instance_fields(self, class: &Arc<Class>) -> Result<Vec<DeclaredField>, LinkError> {
        let mut fields = Vec::new();
        for class in self.superclasses(class)?.into_iter().rev() {
            for field in class
                .fields
                .iter()
                .filter(|field| !field.access.is_static())
            {
                fields.push(DeclaredField {
                    class: class.clone(),
                    field: field.clone(),
                });
            }
        }
        Ok(fields)
    }

    /// The field that a reference means (JVMS 5.4.3.2): declared in the class, in one of its
    /// interfaces, or in its superclass by the same rule.
    pub fn resolve_field(self, reference: &FieldReference) -> Result<DeclaredField, LinkError> {
        let class = self.load(&reference.class)?;
        for class in self.superclasses(&class)? {
            let declared = |class: &Arc<Class>| {
                let field = class.field(&reference.name, &reference.ty)?.clone();
                Some(DeclaredField {
                    class: class.clone(),
                    field,
                })
            };
            if let Some(field) = declared(&class) {
                return Ok(field);
            }
            // The interfaces of the superclass come again later; that they come here already
            // makes no difference, because interfaces have static fields only and a name that is
            // ambiguous does not compile.
            if let Some(field) = self.interfaces(&class)?.iter().find_map(declared) {
                return Ok(field);
            }
        }
        Err(LinkError::NoSuchField(reference.to_string()))
    }
}
