//! What can hold at the objects of a kind.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{ClassId, Value};

use crate::attributes::Attribute;
use crate::observed::key;
use crate::shape::{Kind, Tree};

/// How the keys below an owned place are, compared with the key of the owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// All smaller.
    Less,
    /// None greater.
    AtMost,
    /// All greater.
    Greater,
    /// None smaller.
    AtLeast,
}

/// A condition on an object. Fields are indices into its class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Condition {
    /// The keys below an owned place, in the same field, compared with that of the object.
    Ordered {
        /// The field with the key.
        key: usize,
        /// The owning field.
        child: usize,
        /// How the keys below it are.
        relation: Relation,
    },
    /// A number is one of the subtree, plus something.
    IsOwn(usize, Attribute, i8),
    /// A number is one of a subtree below, plus something.
    IsChild(usize, usize, Attribute, i8),
    /// A truth value says whether an owned place is empty, or whether it is not.
    SaysEmpty(usize, usize, bool),
    /// A field is always the same.
    Constant(usize, Value),
    /// A reference is never null.
    NotNull(usize),
    /// A truth value of an owned place is always the same.
    ChildFlag(usize, Attribute, bool),
    /// Two truth values, of the object and of an owned place, do not occur together.
    Forbidden(Attribute, bool, usize, bool),
    /// The number of the object minus that of an owned place, at least and at most.
    Step(Attribute, usize, Option<i8>, Option<i8>),
    /// The same, where the place is not empty.
    StepToNext(Attribute, usize, Option<i8>, Option<i8>),
    /// The number of the object minus the one two places below.
    StepAhead(Attribute, usize, Attribute, Option<i8>, Option<i8>),
    /// The difference of the numbers of two owned places, at least and at most.
    Siblings(Attribute, usize, usize, Option<i8>, Option<i8>),
    /// Which owned places are empty at the same time.
    Patterns(BTreeSet<Vec<bool>>),
    /// A number is not smaller than this.
    AtLeast(usize, i8),
}

/// A condition for the objects of a class at places of a kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Constraint {
    /// The kind.
    pub kind: Kind,
    /// The class.
    pub class: ClassId,
    /// The condition.
    pub condition: Condition,
}

/// A tree with its numbers, which are found when they are asked for.
pub struct Measured<'t, 's> {
    /// The tree.
    pub tree: &'t Tree<'s>,
    values: BTreeMap<Attribute, Vec<i128>>,
}

impl<'t, 's> Measured<'t, 's> {
    /// Nothing measured yet.
    pub fn new(tree: &'t Tree<'s>) -> Measured<'t, 's> {
        Measured {
            tree,
            values: BTreeMap::new(),
        }
    }

    /// The number of a place.
    pub fn of(&mut self, attribute: Attribute, place: usize) -> i128 {
        let tree = self.tree;
        let values = self.values.entry(attribute);
        let values = values.or_insert_with(|| attribute.values(tree));
        values.get(place).copied().unwrap_or(0)
    }

    /// The number of what a field of a place owns.
    fn of_child(&mut self, attribute: Attribute, place: usize, field: usize) -> i128 {
        match self.tree.child(place, field) {
            Some(child) => self.of(attribute, child),
            None => attribute.empty(),
        }
    }

    /// Whether a constraint holds everywhere.
    pub fn holds(&mut self, constraint: &Constraint) -> bool {
        for place in 0..self.tree.nodes.len() {
            let is_meant = self.tree.nodes.get(place).is_some_and(|node| {
                node.kind == constraint.kind && node.class == Some(constraint.class)
            });
            if is_meant && !self.holds_at(&constraint.condition, place) {
                return false;
            }
        }
        true
    }

    fn holds_at(&mut self, condition: &Condition, place: usize) -> bool {
        let tree = self.tree;
        let number = |field: usize| match tree.field(place, field) {
            Some(Value::Int(number)) => Some(number),
            _ => None,
        };
        let within = |difference: i128, least: &Option<i8>, most: &Option<i8>| {
            least.is_none_or(|least| difference >= i128::from(least))
                && most.is_none_or(|most| difference <= i128::from(most))
        };
        match condition {
            Condition::Ordered {
                key: field,
                child,
                relation,
            } => {
                let (Some(own), Some(child)) = (number(*field), tree.child(place, *child)) else {
                    return true;
                };
                ordered(tree, place, *field, child, *relation, own)
            }
            Condition::IsOwn(field, attribute, offset) => {
                number(*field) == Some(self.of(*attribute, place) + i128::from(*offset))
            }
            Condition::IsChild(field, child, attribute, offset) => {
                let below = self.of_child(*attribute, place, *child);
                number(*field) == Some(below + i128::from(*offset))
            }
            Condition::SaysEmpty(field, child, truth) => {
                let empty = self.is_empty(place, *child);
                tree.field(place, *field) == Some(Value::Bool(empty == *truth))
            }
            Condition::Constant(field, value) => tree.field(place, *field) == Some(*value),
            Condition::NotNull(field) => tree.field(place, *field) != Some(Value::Null),
            Condition::ChildFlag(child, flag, truth) => {
                self.of_child(*flag, place, *child) == i128::from(*truth)
            }
            Condition::Forbidden(flag, own, child, below) => {
                self.of(*flag, place) != i128::from(*own)
                    || self.of_child(*flag, place, *child) != i128::from(*below)
            }
            Condition::Step(attribute, child, least, most) => {
                let below = self.of_child(*attribute, place, *child);
                within(self.of(*attribute, place) - below, least, most)
            }
            Condition::StepToNext(attribute, child, least, most) => {
                let below = self.of_child(*attribute, place, *child);
                let difference = self.of(*attribute, place) - below;
                self.is_empty(place, *child) || within(difference, least, most)
            }
            Condition::StepAhead(level, child, ahead, least, most) => {
                let below = self.of_child(*ahead, place, *child);
                within(self.of(*level, place) - below, least, most)
            }
            Condition::Siblings(attribute, one, other, least, most) => {
                let one = self.of_child(*attribute, place, *one);
                let other = self.of_child(*attribute, place, *other);
                within(one - other, least, most)
            }
            Condition::Patterns(patterns) => patterns.contains(&tree.pattern(place)),
            Condition::AtLeast(field, least) => {
                number(*field).is_some_and(|number| number >= i128::from(*least))
            }
        }
    }

    fn is_empty(&self, place: usize, field: usize) -> bool {
        let child = self.tree.child(place, field);
        let child = child.and_then(|child| self.tree.nodes.get(child));
        child.is_none_or(|child| child.class.is_none())
    }
}

/// Whether the keys of a kind at a place and below are as they should be, compared with a key.
fn ordered(
    tree: &Tree<'_>,
    owner: usize,
    field: usize,
    place: usize,
    relation: Relation,
    own: i128,
) -> bool {
    let (Some(top), Some(node)) = (tree.nodes.get(owner), tree.nodes.get(place)) else {
        return true;
    };
    if node.class.is_none() {
        return true;
    }
    let is_right = match tree.field(place, field) {
        _ if node.class != top.class => true,
        Some(Value::Int(number)) => match relation {
            Relation::Less => number < own,
            Relation::AtMost => number <= own,
            Relation::Greater => number > own,
            Relation::AtLeast => number >= own,
        },
        _ => false,
    };
    let below = |child: usize| ordered(tree, owner, field, child, relation, own);
    is_right && node.children.iter().all(|(_, child)| below(*child))
}

/// Whether a field of some state holds a key.
pub fn holds_keys(value: Value) -> bool {
    key(value).is_some()
}
