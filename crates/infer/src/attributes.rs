//! Numbers of subtrees.

use heapwright_logic::{ClassId, Value};

use crate::shape::{FieldKey, Tree};

/// A number that every place has; that of an empty place is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Attribute {
    /// The number of objects of a class.
    Count(ClassId),
    /// The number of objects on the longest way down.
    Height,
    /// The number of objects on the shortest way down to an empty place.
    Least,
    /// The number of objects whose truth value is this, on the way down that has most of them.
    Marked(FieldKey, bool),
    /// A number in a field; for an empty place this.
    Level(FieldKey, i8),
    /// A truth value in a field; for an empty place this.
    Flag(FieldKey, bool),
    /// The level of what a field owns.
    Ahead(FieldKey, i8, usize),
}

impl Attribute {
    /// The numbers of all places.
    pub fn values(self, tree: &Tree<'_>) -> Vec<i128> {
        let count = tree.nodes.len();
        let mut values = vec![self.empty(); count];
        // Every place stands behind its owner.
        for place in (0..count).rev() {
            let Some(node) = tree.nodes.get(place) else {
                continue;
            };
            let Some(class) = node.class else { continue };
            let own: Vec<i128> = (node.children.iter())
                .filter_map(|(_, child)| values.get(*child).copied())
                .collect();
            let value = match self {
                Attribute::Count(counted) => {
                    own.iter().sum::<i128>() + i128::from(counted == class)
                }
                Attribute::Height => own.iter().max().copied().unwrap_or(0) + 1,
                Attribute::Least => own.iter().min().copied().unwrap_or(0) + 1,
                Attribute::Marked(field, truth) => {
                    let is_marked =
                        field.0 == class && tree.field(place, field.1) == Some(Value::Bool(truth));
                    own.iter().max().copied().unwrap_or(0) + i128::from(is_marked)
                }
                Attribute::Level(field, _) | Attribute::Flag(field, _) => {
                    match tree.field(place, field.1).filter(|_| field.0 == class) {
                        Some(Value::Int(number)) => number,
                        Some(Value::Bool(truth)) => i128::from(truth),
                        _ => self.empty(),
                    }
                }
                Attribute::Ahead(field, empty, child) => {
                    let level = Attribute::Level(field, empty);
                    let child = tree.child(place, child).and_then(|child| {
                        let node = tree.nodes.get(child)?;
                        match node.class {
                            Some(class) if class == field.0 => tree.field(child, field.1),
                            _ => None,
                        }
                    });
                    match child {
                        Some(Value::Int(number)) => number,
                        _ => level.empty(),
                    }
                }
            };
            if let Some(known) = values.get_mut(place) {
                *known = value;
            }
        }
        values
    }

    /// The number of an empty place.
    pub fn empty(self) -> i128 {
        match self {
            Attribute::Level(_, empty) | Attribute::Ahead(_, empty, _) => i128::from(empty),
            Attribute::Flag(_, empty) => i128::from(empty),
            _ => 0,
        }
    }
}
