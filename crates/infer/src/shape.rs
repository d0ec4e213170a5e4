//! Owning fields: following them reaches every object of every state once, so each state is a tree with
//! further references. The places of the tree are divided into kinds, which become predicates.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_logic::{ClassId, Heap, Value};

use crate::observed::State;

/// A field of a class.
pub type FieldKey = (ClassId, usize);

/// A kind of places, the root being the first.
pub type Kind = usize;

/// How places are divided into kinds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Division {
    /// By class.
    Class,
    /// By class, and whether the root owns the object.
    BelowRoot,
    /// By the field that owns the object, but a field of the same class whose owner is reached by a
    /// field from elsewhere continues its kind.
    Continued,
    /// By the field that owns the object.
    Field,
    /// By class, but what a field of the root owns alone, without owning anything, is a kind of its
    /// own: a sentinel.
    Singles,
}

/// Why a place is of its kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Reason {
    Root,
    Class(ClassId, bool),
    Field(FieldKey),
}

/// Which fields own objects, in the order in which they claim them, and the kinds of places.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The fields.
    pub owning: Vec<FieldKey>,
    division: Division,
    kinds: BTreeMap<Reason, Kind>,
    /// The fields of the root whose objects never own anything.
    singles: BTreeSet<FieldKey>,
}

/// A state as a tree.
#[derive(Clone, Debug)]
pub struct Tree<'s> {
    /// The heap.
    pub heap: &'s Heap,
    /// The places, each behind its owner. The first is the root.
    pub nodes: Vec<Node>,
}

/// A place of a tree: an object, or an owning field that owns nothing.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// The place of the owner, and the field.
    pub owner: Option<(usize, usize)>,
    /// What the field holds.
    pub value: Value,
    /// The class of the object, if there is one.
    pub class: Option<ClassId>,
    /// The places of what it owns, by the index of the field.
    pub children: Vec<(usize, usize)>,
}

impl Shape {
    /// A shape whose kinds are found as states are parsed.
    pub fn new(owning: Vec<FieldKey>, division: Division) -> Shape {
        Shape {
            owning,
            division,
            kinds: BTreeMap::from([(Reason::Root, 0)]),
            singles: BTreeSet::new(),
        }
    }

    /// Finds the fields of the root whose objects never own anything; false if there is none.
    pub fn find_singles(&mut self, states: &[State], links: &BTreeMap<FieldKey, ClassId>) -> bool {
        let mut plain = Shape::new(self.owning.clone(), Division::Class);
        let mut alone: BTreeSet<FieldKey> = BTreeSet::new();
        let mut others: BTreeSet<FieldKey> = BTreeSet::new();
        for state in states {
            let Some(tree) = plain.parse_new(state, links) else {
                return false;
            };
            let Some((root, class)) = tree
                .nodes
                .first()
                .and_then(|root| Some((root, root.class?)))
            else {
                return false;
            };
            for &(field, child) in &root.children {
                let owns = |child: usize| {
                    let below = tree.nodes.get(child).map_or(&[][..], |node| &node.children);
                    let mut below = below.iter().filter_map(|(_, place)| tree.nodes.get(*place));
                    below.any(|node| node.class.is_some())
                };
                let is_there = tree
                    .nodes
                    .get(child)
                    .is_some_and(|node| node.class.is_some());
                match is_there && !owns(child) {
                    true => alone.insert((class, field)),
                    false => others.insert((class, field)),
                };
            }
        }
        self.singles = alone.difference(&others).copied().collect();
        !self.singles.is_empty()
    }

    /// The number of kinds.
    pub fn kinds(&self) -> usize {
        self.kinds.len()
    }

    /// The owning fields of a class in order of declaration.
    pub fn owning_of(&self, class: ClassId) -> Vec<usize> {
        let own = self.owning.iter().filter(|field| field.0 == class);
        let fields: BTreeSet<usize> = own.map(|field| field.1).collect();
        fields.into_iter().collect()
    }

    /// Whether a field owns objects.
    pub fn owns(&self, field: FieldKey) -> bool {
        self.owning.contains(&field)
    }

    fn reason(&self, owner: &Reason, field: FieldKey, target: ClassId) -> Reason {
        match self.division {
            Division::Singles if self.singles.contains(&field) => Reason::Field(field),
            Division::Class | Division::Singles => Reason::Class(target, false),
            Division::BelowRoot => Reason::Class(target, *owner == Reason::Root),
            Division::Field => Reason::Field(field),
            Division::Continued => match owner {
                // The last owning field of a class leads to siblings.
                Reason::Field(_) if field.0 == target => {
                    let last = self.owning_of(field.0).last() == Some(&field.1);
                    match last {
                        true => owner.clone(),
                        false => Reason::Field(field),
                    }
                }
                _ => Reason::Field(field),
            },
        }
    }

    /// Divides a state into a tree, and learns the kinds of its places. `None` if not every object is
    /// owned.
    pub fn parse_new<'s>(
        &mut self,
        state: &'s State,
        target: &BTreeMap<FieldKey, ClassId>,
    ) -> Option<Tree<'s>> {
        let mut kinds = std::mem::take(&mut self.kinds);
        let tree = self.parse_with(state, target, &mut |reason| {
            let next = kinds.len();
            Some(*kinds.entry(reason).or_insert(next))
        });
        self.kinds = kinds;
        tree
    }

    /// Divides a state into a tree; `None` if not every object is owned, or if there are places of
    /// other kinds.
    pub fn parse<'s>(
        &self,
        state: &'s State,
        target: &BTreeMap<FieldKey, ClassId>,
    ) -> Option<Tree<'s>> {
        self.parse_with(state, target, &mut |reason| {
            self.kinds.get(&reason).copied()
        })
    }

    fn parse_with<'s>(
        &self,
        state: &'s State,
        target: &BTreeMap<FieldKey, ClassId>,
        kind: &mut dyn FnMut(Reason) -> Option<Kind>,
    ) -> Option<Tree<'s>> {
        let heap = &state.heap;
        let root = heap.cells.get(&state.root)?;
        let mut nodes = vec![Node {
            kind: 0,
            owner: None,
            value: Value::Ref(state.root),
            class: Some(root.class),
            children: Vec::new(),
        }];
        let mut reasons = vec![Reason::Root];
        let mut places = BTreeMap::from([(state.root, 0)]);
        let mut pending = VecDeque::from([0]);
        while let Some(place) = pending.pop_front() {
            let Value::Ref(loc) = nodes.get(place)?.value else {
                continue;
            };
            let cell = heap.cells.get(&loc)?;
            // Objects are claimed in the order of the shape.
            let own = self.owning.iter().filter(|field| field.0 == cell.class);
            for &field in own {
                let value = *cell.fields.get(field.1)?;
                let known = *target.get(&field)?;
                let reason = self.reason(reasons.get(place)?, field, known);
                let kind = kind(reason.clone())?;
                let owned = match value {
                    Value::Ref(loc) if !places.contains_key(&loc) => {
                        heap.cells.get(&loc).map(|cell| (loc, cell.class))
                    }
                    _ => None,
                };
                let child = nodes.len();
                nodes.push(Node {
                    kind,
                    owner: Some((place, field.1)),
                    value,
                    class: owned.map(|(_, class)| class),
                    children: Vec::new(),
                });
                reasons.push(reason);
                if let Some((loc, _)) = owned {
                    places.insert(loc, child);
                    pending.push_back(child);
                }
                nodes.get_mut(place)?.children.push((field.1, child));
            }
            nodes.get_mut(place)?.children.sort_unstable();
        }
        (places.len() == heap.cells.len()).then_some(Tree { heap, nodes })
    }
}

impl Tree<'_> {
    /// The contents of the object at a place.
    pub fn field(&self, place: usize, field: usize) -> Option<Value> {
        let node = self.nodes.get(place)?;
        let (Value::Ref(loc), Some(_)) = (node.value, node.class) else {
            return None;
        };
        self.heap.cells.get(&loc)?.fields.get(field).copied()
    }

    /// The place of what a field owns.
    pub fn child(&self, place: usize, field: usize) -> Option<usize> {
        let children = &self.nodes.get(place)?.children;
        let found = children.iter().find(|(known, _)| *known == field);
        found.map(|(_, child)| *child)
    }

    /// The place of the owner of the first object of the same kind above a place.
    pub fn caller(&self, place: usize) -> Option<usize> {
        let kind = self.nodes.get(place)?.kind;
        let mut place = place;
        loop {
            let (owner, _) = self.nodes.get(place)?.owner?;
            if self.nodes.get(owner)?.kind != kind {
                return Some(owner);
            }
            place = owner;
        }
    }

    /// Which of the owned places are empty, by order of declaration.
    pub fn pattern(&self, place: usize) -> Vec<bool> {
        let children = self.nodes.get(place).map_or(&[][..], |node| &node.children);
        let empty = children.iter().map(|(_, child)| {
            let child = self.nodes.get(*child);
            child.is_none_or(|child| child.class.is_none())
        });
        empty.collect()
    }
}

/// The reference fields that lead to objects, with the class that they are declared with.
pub fn links(
    definitions: &heapwright_logic::Definitions,
    states: &[State],
) -> BTreeMap<FieldKey, ClassId> {
    let mut links = BTreeMap::new();
    for state in states {
        for cell in state.heap.cells.values() {
            let declared = definitions.fields_of(cell.class);
            for (index, (field, value)) in declared.iter().zip(&cell.fields).enumerate() {
                if let (heapwright_logic::Sort::Ref(class), Value::Ref(loc)) = (field.sort, value)
                    && state.heap.cells.contains_key(loc)
                {
                    links.entry((cell.class, index)).or_insert(class);
                }
            }
        }
    }
    links
}

/// Sets of fields that own every object of every state, the smallest first; and of those the ones
/// that are declared first.
pub fn spanning(
    states: &[State],
    links: &BTreeMap<FieldKey, ClassId>,
    most: usize,
) -> Vec<Vec<FieldKey>> {
    let fields: Vec<FieldKey> = links.keys().copied().take(14).collect();
    let Some(root) = states
        .first()
        .and_then(|state| state.heap.cells.get(&state.root))
    else {
        return Vec::new();
    };
    let count = fields.len();
    let mut sets: Vec<u32> = (0..1u32 << count).collect();
    // Fields that are declared first come first: their bits are compared from the lowest on.
    sets.sort_by_key(|set| (set.count_ones(), set.reverse_bits().wrapping_neg()));
    let mut found: Vec<Vec<FieldKey>> = Vec::new();
    for set in sets {
        let chosen = fields.iter().enumerate();
        let chosen = chosen.filter(|(index, _)| set & (1 << index) != 0);
        let chosen: Vec<FieldKey> = chosen.map(|(_, field)| *field).collect();
        let is_larger = found
            .first()
            .is_some_and(|first| first.len() + 1 < chosen.len());
        if is_larger || found.len() >= most {
            break;
        }
        // Which field of the root claims first matters where they lead to the same object.
        let own = chosen.iter().filter(|field| field.0 == root.class).count();
        for first in 0..own.max(1) {
            let mut order: Vec<FieldKey> = chosen.clone();
            let position = order.iter().enumerate();
            let position = position.filter(|(_, field)| field.0 == root.class);
            let position = position.map(|(index, _)| index).nth(first);
            if let Some(position) = position {
                let moved = order.remove(position);
                order.insert(0, moved);
            }
            let shape = Shape::new(order.clone(), Division::Class);
            let covers = |state: &State| {
                let mut shape = shape.clone();
                shape.parse_new(state, links).is_some()
            };
            if states.iter().all(covers) {
                found.push(order);
            }
        }
    }
    found
}
