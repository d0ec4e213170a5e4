//! What references are that own nothing: null, the object itself, its parent, the same object in a
//! whole subtree, or the next one in some order.

use std::collections::BTreeMap;

use heapwright_logic::{ClassId, Value};

use crate::shape::{Shape, Tree};

/// What a reference is, seen from the place that has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reference {
    /// Null.
    Null,
    /// The object that has the reference.
    Itself,
    /// The same as an owning field of the object.
    Field(usize),
    /// The owner, whatever its kind.
    Parent,
    /// The owner; but for the first object of a kind, something else.
    Above(Outer),
    /// The same for all places of a kind below one object.
    Outer(Outer),
    /// The last object on the way that begins with an owning field and goes on with another one;
    /// without any object, something else.
    Last(usize, usize, Outer),
    /// The next object in an order; behind the last one, something else.
    Next(Order, Outer),
}

/// What a reference of the places of a kind is outside of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outer {
    /// Null.
    Null,
    /// The object that owns the first one of the kind.
    Caller,
    /// What a field of that object holds.
    CallerField(usize),
    /// The root.
    Root,
    /// What a field of the root holds.
    RootField(usize),
}

/// An order of objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// Objects that own nothing, from left to right.
    Leaves,
    /// The first child, the object, the other children.
    Inner,
    /// The object before its children.
    Outside,
}

/// What references of the cells of a class and kind are: everywhere the same, or different for each
/// pattern of empty places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Everywhere the same.
    Always(Reference),
    /// By the pattern.
    ByPattern(BTreeMap<Vec<bool>, Reference>),
    /// Not explained.
    Anything,
}

impl Outer {
    /// The value for a place.
    pub fn value(&self, tree: &Tree<'_>, place: usize) -> Option<Value> {
        match self {
            Outer::Null => Some(Value::Null),
            Outer::Caller => Some(tree.nodes.get(tree.caller(place)?)?.value),
            Outer::CallerField(field) => tree.field(tree.caller(place)?, *field),
            Outer::Root => Some(tree.nodes.first()?.value),
            Outer::RootField(field) => tree.field(0, *field),
        }
    }
}

impl Reference {
    /// The value for a place.
    pub fn value(&self, tree: &Tree<'_>, place: usize) -> Option<Value> {
        let node = tree.nodes.get(place)?;
        match self {
            Reference::Null => Some(Value::Null),
            Reference::Itself => Some(node.value),
            Reference::Field(field) => tree.field(place, *field),
            Reference::Parent => Some(tree.nodes.get(node.owner?.0)?.value),
            Reference::Above(outer) => {
                let (owner, _) = node.owner?;
                let owner = tree.nodes.get(owner)?;
                match owner.kind == node.kind {
                    true => Some(owner.value),
                    false => outer.value(tree, place),
                }
            }
            Reference::Outer(outer) => outer.value(tree, place),
            Reference::Last(first, then, empty) => {
                let mut child = tree.child(place, *first)?;
                if tree.nodes.get(child)?.class.is_none() {
                    return empty.value(tree, child);
                }
                while let Some(next) = tree.child(child, *then) {
                    if tree.nodes.get(next)?.class.is_none() {
                        break;
                    }
                    child = next;
                }
                Some(tree.nodes.get(child)?.value)
            }
            Reference::Next(order, end) => {
                let mut top = place;
                while let Some((owner, _)) = tree.nodes.get(top)?.owner
                    && tree.nodes.get(owner)?.kind == node.kind
                {
                    top = owner;
                }
                let mut sequence = Vec::new();
                order.collect(tree, top, node.kind, &mut sequence);
                let position = sequence.iter().position(|&known| known == place)?;
                match sequence.get(position + 1) {
                    Some(&next) => Some(tree.nodes.get(next)?.value),
                    None => end.value(tree, place),
                }
            }
        }
    }
}

impl Order {
    /// The places of a kind from a place on, in order. Trees are at most as deep as the states are
    /// large.
    fn collect(self, tree: &Tree<'_>, place: usize, kind: usize, into: &mut Vec<usize>) {
        let Some(node) = tree.nodes.get(place) else {
            return;
        };
        if node.class.is_none() || node.kind != kind {
            return;
        }
        let is_leaf = tree.pattern(place).iter().all(|&empty| empty);
        if self == Order::Outside {
            into.push(place);
        }
        for (index, (_, child)) in node.children.iter().enumerate() {
            if self == Order::Inner && index == 1 {
                into.push(place);
            }
            self.collect(tree, *child, kind, into);
        }
        if self == Order::Inner && node.children.len() < 2 || self == Order::Leaves && is_leaf {
            into.push(place);
        }
    }
}

/// What a reference of the cells of a class and kind may be, simple things first.
pub fn candidates(
    shape: &Shape,
    class: ClassId,
    root: ClassId,
    callers: &[ClassId],
    kind: usize,
) -> Vec<Reference> {
    let mut outers = vec![Outer::Null];
    if let [caller] = callers {
        if *caller == root {
            outers.push(Outer::Root);
            outers.extend(fields(shape, root).map(Outer::RootField));
        } else {
            outers.push(Outer::Caller);
            outers.extend(fields(shape, *caller).map(Outer::CallerField));
            outers.push(Outer::Root);
            outers.extend(fields(shape, root).map(Outer::RootField));
        }
    } else if kind != 0 {
        outers.push(Outer::Root);
        outers.extend(fields(shape, root).map(Outer::RootField));
    }
    let mut all = vec![Reference::Null, Reference::Itself];
    let own = shape.owning_of(class);
    all.extend(own.iter().copied().map(Reference::Field));
    if kind != 0 {
        all.push(Reference::Parent);
        all.extend(outers.iter().skip(1).cloned().map(Reference::Outer));
        all.extend(outers.iter().cloned().map(Reference::Above));
    }
    for &first in &own {
        let then: Vec<usize> = shape.owning.iter().map(|field| field.1).collect();
        let mut seen = Vec::new();
        for field in then {
            if seen.contains(&field) {
                continue;
            }
            seen.push(field);
            let outside = [
                Outer::Null,
                Outer::Caller,
                Outer::CallerField(first),
                Outer::Root,
            ];
            let last = outside
                .into_iter()
                .map(|outer| Reference::Last(first, field, outer));
            all.extend(last);
        }
    }
    if kind != 0 {
        for order in [Order::Leaves, Order::Inner, Order::Outside] {
            let next = outers.iter().cloned();
            all.extend(next.map(|outer| Reference::Next(order, outer)));
        }
    }
    all
}

fn fields(shape: &Shape, class: ClassId) -> impl Iterator<Item = usize> + '_ {
    shape.owning_of(class).into_iter()
}
