//! Recognises what a part of the heap is: a list, a tree, or anything else.
//!
//! The decision is made by fields, not by single references: a list has one field per class that
//! leads through all of its objects, a tree has a set of fields that reach every object from the
//! root exactly once. All other references (previous, parent, linked leaves, the way back in a
//! ring) are drawn, but have no say in where the boxes go.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::ClassId;

use crate::picture::{Edge, EdgeKind, Object, Picture};

/// A field of a class.
pub(crate) type Key = (ClassId, usize);

/// How a part of the heap is laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// In this order.
    List(Vec<usize>),
    /// From this root, along these fields; some of them may lead nowhere yet.
    Tree { root: usize, fields: Vec<Key> },
    /// In layers.
    Graph,
}

/// Names of links that run against the usual direction. They only settle what the references
/// leave open, such as which of `next` and `prev` a doubly linked list is drawn along.
const BACKWARD: [&str; 12] = [
    "prev", "previous", "pred", "before", "back", "parent", "up", "owner", "tail", "last",
    "random", "end",
];

/// More combinations of fields than this are not tried.
const MOST_CHOICES: usize = 256;

/// The parts that no reference connects, each in ascending order, and in order of their first
/// object. What the roots no longer reach is kept apart from what they do.
pub(crate) fn components(picture: &Picture) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..picture.objects.len()).collect();
    fn find(leader: &mut [usize], mut at: usize) -> usize {
        while leader[at] != at {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        at
    }
    for edge in picture.edges.iter().filter(|edge| shapes(picture, edge)) {
        let (a, b) = (find(&mut leader, edge.from), find(&mut leader, edge.to));
        leader[a.max(b)] = a.min(b);
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..picture.objects.len() {
        let at = find(&mut leader, index);
        parts.entry(at).or_default().push(index);
    }
    let mut parts: Vec<Vec<usize>> = parts.into_values().collect();
    parts.sort_by_key(|part| !picture.objects[part[0]].status.is_live());
    parts
}

/// Whether a reference has a say in the layout.
pub(crate) fn shapes(picture: &Picture, edge: &Edge) -> bool {
    let live = |index: usize| picture.objects[index].status.is_live();
    let exists = !matches!(edge.kind, EdgeKind::Removed | EdgeKind::Dangling);
    exists && live(edge.from) == live(edge.to)
}

/// What one connected part is.
pub(crate) fn recognise(picture: &Picture, members: &[usize]) -> Shape {
    let part = Part::new(picture, members);
    if let Some(order) = part.list() {
        return Shape::List(order);
    }
    part.tree().unwrap_or(Shape::Graph)
}

/// The key of an edge's field.
pub(crate) fn key_of(picture: &Picture, edge: &Edge) -> Key {
    let object = &picture.objects[edge.from];
    (object.class_id, object.rows[edge.row].field)
}

struct Part<'a> {
    picture: &'a Picture,
    members: &'a [usize],
    /// References between two different members, with their fields.
    edges: Vec<(Key, usize, usize)>,
    keys: Vec<Key>,
}

impl<'a> Part<'a> {
    fn new(picture: &'a Picture, members: &'a [usize]) -> Self {
        let inside: BTreeSet<usize> = members.iter().copied().collect();
        let edges: Vec<(Key, usize, usize)> = (picture.edges.iter())
            .filter(|edge| edge.from != edge.to && shapes(picture, edge))
            .filter(|edge| inside.contains(&edge.from) && inside.contains(&edge.to))
            .map(|edge| (key_of(picture, edge), edge.from, edge.to))
            .collect();
        let keys: BTreeSet<Key> = edges.iter().map(|(key, ..)| *key).collect();
        Part {
            picture,
            members,
            edges,
            keys: keys.into_iter().collect(),
        }
    }

    fn object(&self, index: usize) -> &Object {
        &self.picture.objects[index]
    }

    /// The order of a list, if one field per class leads through all objects.
    fn list(&self) -> Option<Vec<usize>> {
        let classes: BTreeSet<ClassId> = (self.members.iter())
            .map(|&index| self.object(index).class_id)
            .collect();
        let mut choices: Vec<Vec<Key>> = vec![Vec::new()];
        for class in classes {
            let fields: Vec<Key> = self.keys.iter().copied().filter(|k| k.0 == class).collect();
            if fields.is_empty() {
                continue;
            }
            if choices.len() * fields.len() > MOST_CHOICES {
                return None;
            }
            choices = (choices.iter())
                .flat_map(|choice| {
                    let more = |field: &Key| choice.iter().copied().chain([*field]).collect();
                    fields.iter().map(more).collect::<Vec<Vec<Key>>>()
                })
                .collect();
        }
        let ranked = choices.iter().filter_map(|choice| {
            let order = self.chain(choice)?;
            let against = choice
                .iter()
                .filter(|key| self.runs_backward(**key))
                .count();
            self.is_plausible(&order)
                .then_some(((against, order[0]), order))
        });
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, order)| order)
    }

    /// All members in the order in which the chosen fields visit them.
    fn chain(&self, choice: &[Key]) -> Option<Vec<usize>> {
        let mut next = BTreeMap::new();
        let mut has_previous = BTreeSet::new();
        for (key, from, to) in &self.edges {
            if choice.contains(key) {
                next.insert(*from, *to);
                has_previous.insert(*to);
            }
        }
        let mut starts = self.members.iter().filter(|m| !has_previous.contains(m));
        let mut at = *starts.next().or(self.members.first())?;
        let mut order = vec![at];
        let mut seen = BTreeSet::from([at]);
        while let Some(&to) = next.get(&at) {
            if !seen.insert(to) {
                break;
            }
            order.push(to);
            at = to;
        }
        (order.len() == self.members.len()).then_some(order)
    }

    /// A search tree in which every left child is missing is a chain too, but should look like a
    /// tree: fields that could continue the structure must be in use or be known as backward.
    /// A list may have as many further references as it has objects.
    fn is_plausible(&self, order: &[usize]) -> bool {
        let allowed = if order.len() == 1 { 1 } else { 0 };
        let at: BTreeMap<usize, usize> = order.iter().enumerate().map(|(i, o)| (*o, i)).collect();
        let far = (self.edges.iter())
            .filter(|(_, from, to)| at[from].abs_diff(at[to]) != 1)
            .count();
        self.idle().len() <= allowed && far <= order.len() + 1
    }

    fn runs_backward(&self, (class, field): Key) -> bool {
        let object = self.members.iter().map(|&index| self.object(index));
        let mut rows = object
            .filter(|object| object.class_id == class)
            .flat_map(|object| &object.rows);
        let name = rows
            .find(|row| row.field == field)
            .map(|row| row.name.whole());
        name.is_some_and(|name| BACKWARD.contains(&name.to_lowercase().as_str()))
    }

    /// The fields of a tree: of all sets of fields that span the part from one root, the one that
    /// gives the flattest tree. Linked leaves span a tree as well, but a deeper one.
    fn tree(&self) -> Option<Shape> {
        if self.keys.len() > MOST_CHOICES.ilog2() as usize {
            return None;
        }
        let mut best: Option<(usize, Shape)> = None;
        for mask in 0..1usize << self.keys.len() {
            let fields: Vec<Key> = (self.keys.iter().enumerate())
                .filter(|(bit, _)| mask >> bit & 1 == 1)
                .map(|(_, key)| *key)
                .collect();
            if let Some((root, depth)) = self.spanning(&fields)
                && best.as_ref().is_none_or(|(least, _)| depth < *least)
            {
                best = Some((depth, Shape::Tree { root, fields }));
            }
        }
        let (_, mut shape) = best?;
        if let Shape::Tree { fields, .. } = &mut shape {
            fields.extend(self.idle());
        }
        Some(shape)
    }

    /// The links that no object of the part uses: the missing children of a degenerate tree.
    fn idle(&self) -> BTreeSet<Key> {
        let objects = self.members.iter().map(|&index| self.object(index));
        let links = objects.flat_map(|object| {
            let rows = object.rows.iter().filter(|row| row.recursive);
            rows.map(|row| (object.class_id, row.field))
        });
        links
            .filter(|key| !self.keys.contains(key) && !self.runs_backward(*key))
            .collect()
    }

    /// The root and the sum of all depths, if the fields form a tree that is not buried under
    /// other references.
    fn spanning(&self, fields: &[Key]) -> Option<(usize, usize)> {
        let mut parent = BTreeMap::new();
        let mut children: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (key, from, to) in &self.edges {
            if fields.contains(key) {
                if parent.insert(*to, *from).is_some() {
                    return None;
                }
                children.entry(*from).or_default().push(*to);
            }
        }
        if parent.len() + 1 != self.members.len() {
            return None;
        }
        let root = *self.members.iter().find(|m| !parent.contains_key(m))?;
        let mut depth_sum = 0;
        let mut reached = 0;
        let mut level = vec![root];
        let mut depth = 0;
        while !level.is_empty() {
            reached += level.len();
            depth_sum += depth * level.len();
            depth += 1;
            level = (level.iter())
                .flat_map(|node| children.get(node).into_iter().flatten().copied())
                .collect();
        }
        let across = (self.edges.iter())
            .filter(|(key, from, to)| !fields.contains(key) && parent.get(from) != Some(to))
            .count();
        (reached == self.members.len() && across <= self.members.len()).then_some((root, depth_sum))
    }
}
