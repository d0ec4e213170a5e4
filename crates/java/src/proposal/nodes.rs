//! Nodes: classes with fields of their own type, and what these fields are for.

use std::sync::Arc;

use super::names::{is_one_of, is_writable};
use crate::classfile::Class;
use crate::descriptor::{Primitive, Type};
use crate::hierarchy::{Hierarchy, LinkError};

const NEXT: [&str; 12] = [
    "next",
    "nxt",
    "succ",
    "successor",
    "following",
    "forward",
    "link",
    "rest",
    "tail",
    "below",
    "nextnode",
    "after",
];
const PREVIOUS: [&str; 10] = [
    "prev",
    "previous",
    "pred",
    "predecessor",
    "before",
    "backward",
    "back",
    "prior",
    "prevnode",
    "last",
];
const LEFT: [&str; 7] = ["left", "l", "lhs", "lc", "leftchild", "low", "less"];
const RIGHT: [&str; 7] = ["right", "r", "rhs", "rc", "rightchild", "high", "greater"];
const PARENT: [&str; 5] = ["parent", "up", "father", "mother", "above"];
const KEYS: [&str; 9] = [
    "key", "value", "val", "element", "elem", "data", "item", "info", "content",
];

/// A class whose objects are linked to each other.
#[derive(Debug, Clone)]
pub struct Node {
    /// The class.
    pub class: Arc<Class>,
    /// The fields that lead on: one in a list, several in a tree.
    pub forward: Vec<String>,
    /// The field that leads back in a list.
    pub backward: Option<String>,
    /// The field that leads up in a tree.
    pub parent: Option<String>,
    /// An integer that nodes of a tree with two children could be ordered by.
    pub key: Option<String>,
    /// The other fields of the class's own type.
    pub others: Vec<String>,
}

impl Node {
    /// What the fields of a class are for; nothing if the class is no node.
    pub fn of(hierarchy: Hierarchy<'_>, class: &Arc<Class>) -> Result<Option<Node>, LinkError> {
        let fields = hierarchy.instance_fields(class)?;
        let unique = |name: &str| {
            let same = fields.iter().filter(|one| *one.field.name == *name);
            same.count() == 1
        };
        let (mut own, mut unwritable) = (Vec::new(), Vec::new());
        let mut key: Option<String> = None;
        for declared in &fields {
            let name = &declared.field.name;
            let can_be_named = is_writable(name) && unique(name);
            match &declared.field.ty {
                Type::Class(ty) if *ty == class.name && can_be_named => own.push(name.to_string()),
                Type::Class(ty) if *ty == class.name => unwritable.push(name.to_string()),
                _ if !can_be_named => {}
                Type::Primitive(Primitive::Int | Primitive::Long) if key.is_none() => {
                    key = is_one_of(name, &KEYS).then(|| name.to_string());
                }
                _ => {}
            }
        }
        let find = |words: &[&str]| own.iter().find(|name| is_one_of(name, words)).cloned();
        let parent = find(&PARENT).filter(|_| own.len() > 1);
        let (left, right) = (find(&LEFT), find(&RIGHT));
        let next = find(&NEXT);
        let backward = find(&PREVIOUS).filter(|name| next.as_ref().is_some_and(|n| n != name));
        let forward: Vec<String> = match (left, right) {
            (Some(left), Some(right)) => vec![left, right],
            _ => {
                let leads_on = |name: &&String| {
                    Some(*name) != parent.as_ref() && Some(*name) != backward.as_ref()
                };
                own.iter().filter(leads_on).cloned().collect()
            }
        };
        if forward.is_empty() {
            return Ok(None);
        }
        let is_tree = forward.len() > 1;
        let backward = backward.filter(|name| !is_tree && !forward.contains(name));
        let parent = parent.filter(|_| is_tree);
        let said = |name: &&String| {
            forward.contains(name)
                || Some(*name) == backward.as_ref()
                || Some(*name) == parent.as_ref()
        };
        let mut others: Vec<String> = own.iter().filter(|name| !said(name)).cloned().collect();
        others.extend(unwritable);
        Ok(Some(Node {
            class: Arc::clone(class),
            key: key.filter(|_| forward.len() == 2),
            forward,
            backward,
            parent,
            others,
        }))
    }

    /// Whether nodes lead back to those that lead to them.
    pub fn leads_back(&self) -> bool {
        self.backward.is_some() || self.parent.is_some()
    }

    /// Whether nodes have more than one successor.
    pub fn is_tree(&self) -> bool {
        self.forward.len() > 1
    }
}
