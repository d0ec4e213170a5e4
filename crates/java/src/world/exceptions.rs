//! Exceptions as inputs: such as a constructor makes that assigns its parameters.
//!
//! The stack trace and the suppressed exceptions are left out of the objects, and the cause is that
//! of an exception without one: the exception itself.

use std::sync::Arc;

use heapwright_ir::{Content, FieldRule};
use heapwright_logic::Sort;

use super::native_bodies::default;
use super::{THROWABLE, World};
use crate::classfile::Class;
use crate::emit::{DETAIL_MESSAGE, MessageSource, message_source};
use crate::hierarchy::DeclaredField;

impl World {
    /// What the messages of exceptions of a class are, if tests can make such exceptions.
    pub(super) fn exception_messages(&self, class: &Arc<Class>) -> Option<MessageSource> {
        if let Some(known) = self.known_exceptions.borrow().get(&class.name) {
            return *known;
        }
        let found = self.find_messages(class);
        let mut known = self.known_exceptions.borrow_mut();
        known.insert(class.name.clone(), found);
        found
    }

    fn find_messages(&self, class: &Arc<Class>) -> Option<MessageSource> {
        if !self.is_throwable(class) || class.access.is_abstract() || class.access.is_synthetic() {
            return None;
        }
        let is_open = self.is_user_class(&class.name)
            || class.name.starts_with("java.") && class.access.is_public();
        let inner = class.as_inner_class();
        let is_hidden = inner.is_some_and(|inner| inner.access.is_private())
            || class.enclosing_method.is_some()
            || !is_open;
        let chain = self.with_hierarchy(|hierarchy| hierarchy.superclasses(class));
        let is_plain = chain.is_ok_and(|chain| {
            chain.iter().all(|above| {
                let has_fields = above.fields.iter().any(|field| !field.access.is_static());
                self.is_user_class(&above.name) || &*above.name == THROWABLE || !has_fields
            })
        });
        match is_plain && !is_hidden {
            true => self.with_hierarchy(|hierarchy| message_source(hierarchy, class)),
            false => None,
        }
    }

    /// What holds of a field of an exception, if it is one that all exceptions have.
    pub(super) fn exception_rule(
        &self,
        class: &Arc<Class>,
        position: u32,
        sort: Sort,
        declared: &DeclaredField,
    ) -> Option<FieldRule> {
        if &*declared.class.name != THROWABLE {
            return None;
        }
        let content = match &*declared.field.name {
            "cause" => Content::Itself,
            DETAIL_MESSAGE if self.exception_messages(class)? == MessageSource::Parameter => {
                return None;
            }
            _ => Content::Constant(default(sort)),
        };
        Some(FieldRule {
            field: position,
            content,
        })
    }
}
