//! What objects look like, whoever made them, and how much two of them differ.

use std::collections::BTreeSet;

use heapwright_ir::Program;
use heapwright_ir::machine::concrete::Value;
use heapwright_ir::machine::{Address, ObjectId};
use heapwright_logic::{ClassId, Numbering};
use rustc_hash::FxHashMap;

use super::construction::Goal;
use super::state::Writer;

/// How many fields or elements of an object its neighbours know it by.
const WIDEST: usize = 16;

/// How deep values are looked into: a string has an array, and that has bytes.
const DEEPEST: usize = 4;

/// What an object looks like, whoever made it.
pub(super) struct Look {
    /// Equal for objects that look alike.
    pub key: Vec<u8>,
    /// How often each field of each class has each value, and what such a field counts. Objects
    /// that are no values are known by the numbers in them, and in those that refer to them.
    fields: FxHashMap<Vec<u8>, (u64, u64)>,
}

/// What a field counts that holds a number or a value.
const NUMBER: u64 = 4;

/// What a field counts that only says whether something is there, or a truth value: calls change
/// that as they go.
const LINK: u64 = 1;

impl Look {
    /// How much is different, missing or superfluous.
    pub fn distance(&self, other: &Look) -> u64 {
        let missing = |one: &Look, other: &Look| -> u64 {
            let counts = one.fields.iter().map(|(field, &(count, weight))| {
                let known = other.fields.get(field).map_or(0, |(known, _)| *known);
                weight * count.saturating_sub(known)
            });
            counts.sum()
        };
        missing(self, other) + missing(other, self)
    }
}

/// How objects are looked at.
pub(super) struct View<'v> {
    pub goal: &'v Goal,
    pub ignored: &'v BTreeSet<String>,
}

/// Gives the class and the contents of an object.
pub(super) type Objects<'o> = dyn Fn(ObjectId) -> Option<(ClassId, &'o [Value])> + 'o;

impl View<'_> {
    /// What the receiver and everything behind it look like. Nothing if something is no object.
    pub fn look<'o>(
        &self,
        program: &Program,
        objects: &Objects<'o>,
        receiver: Value,
    ) -> Option<Look> {
        let mut numbering: Numbering<ObjectId> = Numbering::default();
        let mut writer = Writer::default();
        let mut fields: FxHashMap<Vec<u8>, (u64, u64)> = FxHashMap::default();
        let Value::Pointer(Address { object, .. }) = receiver else {
            return None;
        };
        numbering.meet(object);
        while let Some(id) = numbering.take_next() {
            let (class, contents) = objects(id)?;
            writer.number(u128::from(class.0));
            writer.number(contents.len() as u128);
            for (index, &value) in contents.iter().enumerate() {
                if is_named(program, class, index, self.ignored) {
                    continue;
                }
                let mut feature = Writer::default();
                feature.number(u128::from(class.0));
                feature.number(index as u128);
                let weight = match value {
                    Value::Pointer(Address { object: target, .. }) => {
                        let (class, _) = objects(target)?;
                        if self.goal.values.contains(&class) {
                            let mut contents = Writer::default();
                            self.contents(program, objects, value, DEEPEST, &mut contents)?;
                            writer.key.bytes.push(7);
                            writer.key.bytes.extend(&contents.key.bytes);
                            feature.key.bytes.extend(&contents.key.bytes);
                            NUMBER
                        } else {
                            writer.key.bytes.push(3);
                            writer.number(numbering.meet(target).into());
                            feature.key.bytes.push(3);
                            feature.key.bytes.extend(self.label(program, objects, id)?);
                            feature
                                .key
                                .bytes
                                .extend(self.label(program, objects, target)?);
                            LINK
                        }
                    }
                    value => {
                        writer.value(value);
                        feature.value(value);
                        match value {
                            Value::Null | Value::Bool(_) => LINK,
                            _ => NUMBER,
                        }
                    }
                };
                let count = fields.entry(feature.key.bytes).or_insert((0, weight));
                count.0 += 1;
            }
        }
        Some(Look {
            key: writer.key.bytes,
            fields,
        })
    }

    /// The numbers and values of an object: neighbours are known by them.
    fn label<'o>(&self, program: &Program, objects: &Objects<'o>, id: ObjectId) -> Option<Vec<u8>> {
        let (class, contents) = objects(id)?;
        let mut writer = Writer::default();
        writer.number(u128::from(class.0));
        for (index, &value) in contents.iter().enumerate().take(WIDEST) {
            let is_value = match value {
                Value::Pointer(Address { object, .. }) => {
                    self.goal.values.contains(&objects(object)?.0)
                }
                Value::Null
                | Value::Bool(_)
                | Value::Undefined
                | Value::Tail
                | Value::Fragment(..)
                | Value::Wild(_) => false,
                Value::Int(_) | Value::Single(_) | Value::Double(_) => true,
            };
            if is_value && !is_named(program, class, index, self.ignored) {
                writer.number(index as u128);
                self.contents(program, objects, value, DEEPEST, &mut writer)?;
            }
        }
        Some(writer.key.bytes)
    }

    /// The contents of a value. Nothing if they are too deep for one.
    fn contents<'o>(
        &self,
        program: &Program,
        objects: &Objects<'o>,
        value: Value,
        depth: usize,
        writer: &mut Writer,
    ) -> Option<()> {
        let Value::Pointer(Address { object, .. }) = value else {
            writer.value(value);
            return Some(());
        };
        let (class, contents) = objects(object)?;
        let depth = depth.checked_sub(1)?;
        writer.key.bytes.push(8);
        writer.number(u128::from(class.0));
        writer.number(contents.len() as u128);
        for (index, &value) in contents.iter().enumerate() {
            if !is_named(program, class, index, &self.goal.hidden) {
                self.contents(program, objects, value, depth, writer)?;
            }
        }
        Some(())
    }
}

/// Whether a field has one of some names.
fn is_named(program: &Program, class: ClassId, index: usize, names: &BTreeSet<String>) -> bool {
    if names.is_empty() || class.index() >= program.classes.len() {
        return false;
    }
    let fields = &program.definitions.class(class).fields;
    (fields.get(index)).is_some_and(|field| names.contains(&field.name))
}
