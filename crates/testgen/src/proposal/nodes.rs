//! Nodes: classes with fields of their own type, and what these fields are for.

use std::sync::Arc;

use super::names::{is_link, is_one_of, variable};
use super::record::{Container, Content, Record};

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
    pub record: Arc<Record>,
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
    pub fn of(record: &Arc<Record>) -> Option<Node> {
        let fields = &record.fields;
        let unique = |name: &str| fields.iter().filter(|one| one.name == name).count() == 1;
        let (mut own, mut unwritable) = (Vec::new(), Vec::new());
        let mut key: Option<String> = None;
        for field in fields {
            let name = &field.name;
            let can_be_named = field.is_writable && unique(name);
            match &field.content {
                Content::Reference(to) if *to == record.name && can_be_named => {
                    own.push(name.clone());
                }
                Content::Reference(to) if *to == record.name => unwritable.push(name.clone()),
                _ if !can_be_named => {}
                Content::Integer if record.ordered_by.as_ref() == Some(name) => {
                    key = Some(name.clone());
                }
                Content::Integer if key.is_none() && record.ordered_by.is_none() => {
                    key = is_one_of(name, &KEYS).then(|| name.clone());
                }
                _ => {}
            }
        }
        let find = |words: &[&str]| own.iter().find(|name| is_link(name, words)).cloned();
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
            return None;
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
        Some(Node {
            record: Arc::clone(record),
            key: key.filter(|_| forward.len() == 2),
            forward,
            backward,
            parent,
            others,
        })
    }

    /// How a node is written that a variable leads to, with these fields: as it is, or in as many
    /// ways as there are structs that nodes are inside of, each with a variable for that one.
    pub fn cells(&self, x: &str, fields: &str, taken: &[&str]) -> Vec<(Option<String>, String)> {
        let Record {
            written,
            containers,
            ..
        } = &*self.record;
        if containers.is_empty() {
            return vec![(None, format!("{x} -> {written}({fields})"))];
        }
        let cell = |container: &Container| {
            let (outer, field) = (&container.written, &container.field);
            let mut avoided = taken.to_vec();
            avoided.push(x);
            let around = variable(&outer.to_lowercase(), &avoided);
            let text = format!(
                "{x} -> {outer}.{field}({fields}, outer: {around}) * {around} -> {outer}({field}: {x})"
            );
            (Some(around), text)
        };
        containers.iter().map(cell).collect()
    }

    /// Whether the code links nodes to themselves: then a list of them comes back to where it began.
    pub fn is_circular(&self) -> bool {
        let links = &self.record.self_links;
        let mut fields = self.forward.iter().chain(&self.backward);
        fields.any(|field| links.contains(field))
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
