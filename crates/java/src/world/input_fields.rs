//! What holds of the fields of input objects.

use std::sync::Arc;

use heapwright_ir::{Constant, Content, FieldRule};
use heapwright_logic::{ClassId, Sort};

use super::native_bodies::default;
use super::{STRING, THROWABLE, World};
use crate::descriptor::{Name, Type};
use crate::hierarchy::LinkError;

/// Collections of the JDK whose default fields make an empty one.
pub(super) const EMPTY: [&str; 3] = [
    "java.util.LinkedList",
    "java.util.HashMap",
    "java.util.TreeMap",
];

/// Whether input objects of a type are empty, though others are not.
pub(super) fn is_restricted(ty: &Type) -> bool {
    matches!(ty, Type::Class(name) if EMPTY.contains(&&**name))
}

impl World {
    /// What holds of the fields of input objects of a class.
    pub(super) fn field_rules(&self, id: ClassId, ty: &Type) -> Vec<FieldRule> {
        let Type::Class(name) = ty else {
            return Vec::new();
        };
        let fields = &self.program.definitions.class(id).fields;
        let fields = (0..).zip(fields.iter());
        let is_exception = || {
            let class = self.path.load(name);
            class.is_ok_and(|class| self.is_throwable(&class))
        };
        if self.is_own_class(name) || is_exception() {
            return self
                .own_field_rules(name, fields.map(|(position, field)| (position, field.sort)));
        }
        let rule = |field: u32, name: &str, sort: Sort| {
            let content = match name {
                "value" => Content::Owned,
                _ => Content::Constant(default(sort)),
            };
            FieldRule { field, content }
        };
        match &**name {
            // One byte per character, and no hash code computed yet.
            STRING => (fields.map(|(at, field)| rule(at, &field.name, field.sort))).collect(),
            "java.util.HashSet" => fields
                .map(|(field, _)| FieldRule {
                    field,
                    content: Content::Present,
                })
                .collect(),
            name if EMPTY.contains(&name) => fields
                .map(|(at, field)| match &*field.name {
                    // What the constructor without parameters sets.
                    "loadFactor" => FieldRule {
                        field: at,
                        content: Content::Constant(Constant::Single(0.75_f32.to_bits())),
                    },
                    _ => FieldRule {
                        field: at,
                        content: Content::Constant(default(field.sort)),
                    },
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Inner classes have an object around them; what a tested class of the JDK inherits from
    /// others has its default value, and what a class of the user inherits from the JDK is as a
    /// constructor leaves it.
    fn own_field_rules(
        &self,
        name: &Name,
        sorts: impl Iterator<Item = (u32, Sort)>,
    ) -> Vec<FieldRule> {
        let Ok(class) = self.path.load(name) else {
            return Vec::new();
        };
        let declared = Ok::<_, LinkError>(Arc::clone(&class));
        let declared = declared
            .and_then(|class| self.with_hierarchy(|hierarchy| hierarchy.instance_fields(&class)));
        let inherited = self.inherited(&class);
        let mut rules = Vec::new();
        for ((position, sort), declared) in sorts.zip(declared.unwrap_or_default()) {
            if let Some(rule) = self.exception_rule(&class, position, sort, &declared) {
                rules.push(rule);
                continue;
            }
            let content = if declared.field.access.is_synthetic()
                && declared.field.name.starts_with("this$")
            {
                Content::Present
            } else if !self.is_own_class(&declared.class.name) && &*declared.class.name != THROWABLE
            {
                let content = match &inherited {
                    Some(inherited) => self.inherited_content(inherited, &declared, sort),
                    None => Some(Content::Constant(default(sort))),
                };
                match content {
                    Some(content) => content,
                    None => continue,
                }
            } else {
                continue;
            };
            rules.push(FieldRule {
                field: position,
                content,
            });
        }
        rules
    }
}
