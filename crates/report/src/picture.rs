//! What is to be seen of a scene: boxes with rows, references between them, roots, and what
//! changed. Both writers start from here, so they show the same things.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_logic::{Class, ClassId, Embedded, Heap, Loc, Sort, Value, canonical_order};

use crate::hidden::hidden;
use crate::scene::{Limits, Scene, State};
use crate::slots::{Slot, slots};
use crate::text::{Label, clean, scalar};

const CLASS_COLUMNS: usize = 22;
const LABEL_COLUMNS: usize = 36;
const NAME_COLUMNS: usize = 16;
const PATH_COLUMNS: usize = 24;
const VALUE_COLUMNS: usize = 22;

/// References beyond this many are shown as numbers in their boxes: nobody could follow them.
const MOST_EDGES: usize = 1000;

/// Everything that a writer needs to know.
pub(crate) struct Picture {
    pub title: String,
    /// In the order in which the roots reach them.
    pub objects: Vec<Object>,
    pub edges: Vec<Edge>,
    /// Roots that point at objects, grouped by object.
    pub roots: Vec<Root>,
    /// Roots that are numbers, truth values, null, or references to nothing that is drawn.
    pub scalars: Vec<Scalar>,
    /// How many objects there was no room for.
    pub omitted: usize,
    /// How many roots there was no room for.
    pub omitted_roots: usize,
}

/// One box.
pub(crate) struct Object {
    pub class_id: ClassId,
    pub class: Label,
    pub number: usize,
    pub status: Status,
    pub rows: Vec<Row>,
    /// How many fields there was no room for.
    pub omitted: usize,
    /// How wide the box is at least, in pixels.
    pub least: f64,
    /// Whether it is shown as a text that was another one before.
    pub has_other_text: bool,
}

/// What became of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    Kept,
    New,
    Freed,
    Unreachable,
}

impl Status {
    /// The word in the box, for those who do not see the colour.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Status::Kept => None,
            Status::New => Some("new"),
            Status::Freed => Some("freed"),
            Status::Unreachable => Some("unreachable"),
        }
    }

    /// Whether the roots still lead there.
    pub fn is_live(self) -> bool {
        matches!(self, Status::Kept | Status::New)
    }
}

/// One field.
pub(crate) struct Row {
    /// Position in the object, counted through the objects inside of it.
    pub field: usize,
    pub name: Label,
    pub content: Content,
    /// Whether the declared class is that of the object, as for links of lists and trees.
    pub recursive: bool,
    /// For a reference to something inside of an object: the way to it from the box.
    pub part: Option<String>,
    /// What it was before, if that is something else.
    pub was: Option<Label>,
}

/// What a field holds.
pub(crate) enum Content {
    Scalar(Label),
    Null,
    /// A reference to the object at this index.
    Object(usize),
    /// A reference to an object that is not drawn, or one arrow too many.
    Elsewhere(String),
    /// A reference to no object at all.
    Dangling(String),
}

impl Content {
    pub fn is_reference(&self) -> bool {
        !matches!(self, Content::Scalar(_))
    }
}

/// A reference between two boxes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub from: usize,
    /// Index into the rows of `from`.
    pub row: usize,
    pub to: usize,
    pub kind: EdgeKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EdgeKind {
    Kept,
    /// Pointed elsewhere before.
    Changed,
    /// Was there before.
    Removed,
    /// Leads to a freed object.
    Dangling,
    /// Held by a freed object when it was freed.
    Stale,
}

/// The names of the roots that point at one object.
pub(crate) struct Root {
    pub label: Label,
    pub target: usize,
    pub changed: bool,
    /// Whether the object was freed.
    pub dangling: bool,
}

/// `name = value`.
pub(crate) struct Scalar {
    pub label: Label,
    pub changed: bool,
    pub dangling: bool,
}

/// Turns a scene into what is to be seen of it.
pub(crate) fn picture(scene: &Scene) -> Picture {
    let limits = scene.limits.clamped();
    let reachable = reach(&scene.state, usize::MAX);
    let embedded = embedded(scene);
    let mut hidden = hidden(scene);
    hidden.extend(embedded.locs());
    let chosen = choose(scene, limits.objects, &hidden, &embedded);
    let earlier = scene.before.iter().flat_map(|before| &before.heap.cells);
    let all = scene.state.heap.cells.iter().chain(earlier);
    let all: BTreeSet<Loc> = all.map(|(&loc, _)| loc).collect();
    let total = all.difference(&hidden).count();
    let builder = Builder {
        scene,
        classes: scene
            .definitions
            .classes()
            .map(|(_, class)| class)
            .collect(),
        numbers: numbers(scene, &hidden),
        index: chosen
            .iter()
            .enumerate()
            .map(|(i, loc)| (*loc, i))
            .collect(),
        reachable: reachable.into_iter().collect(),
        embedded,
        limits,
    };
    let mut edges = Vec::new();
    let objects = (chosen.iter().enumerate())
        .filter_map(|(index, loc)| builder.object(index, *loc, &mut edges))
        .collect();
    let mut picture = Picture {
        title: clean(scene.title),
        objects,
        edges,
        roots: Vec::new(),
        scalars: Vec::new(),
        omitted: total.saturating_sub(chosen.len()),
        omitted_roots: scene.state.roots.len().saturating_sub(limits.roots),
    };
    builder.roots(&mut picture);
    picture
}

/// The cells that the roots reach, nearest first, at most `limit` of them.
fn reach(state: &State, limit: usize) -> Vec<Loc> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut queue: VecDeque<Value> = state.roots.iter().map(|(_, value)| *value).collect();
    while let Some(value) = queue.pop_front() {
        let Value::Ref(loc) = value else { continue };
        let Some(cell) = state.heap.cells.get(&loc) else {
            continue;
        };
        if found.len() >= limit {
            break;
        }
        if seen.insert(loc) {
            found.push(loc);
            if state.label(loc).is_none() {
                queue.extend(&cell.fields);
            }
        }
    }
    found
}

/// The objects to draw: what is reached now, what was reached before, the rest by address; none
/// that is hidden.
fn choose(scene: &Scene, limit: usize, hidden: &BTreeSet<Loc>, embedded: &Embedded) -> Vec<Loc> {
    let mut seen = BTreeSet::new();
    let reached = reach(&scene.state, usize::MAX).into_iter();
    let mut chosen: Vec<Loc> = (reached.map(|loc| embedded.outermost(loc).0))
        .filter(|loc| seen.insert(*loc))
        .take(limit)
        .collect();
    let before = scene.before.as_ref();
    let earlier = before.map_or_else(Vec::new, |before| reach(before, usize::MAX));
    let rest = scene.state.heap.cells.keys();
    let freed = before.into_iter().flat_map(|state| state.heap.cells.keys());
    for loc in earlier.iter().chain(rest).chain(freed) {
        if chosen.len() >= limit {
            break;
        }
        if !hidden.contains(loc) && seen.insert(*loc) {
            chosen.push(*loc);
        }
    }
    chosen
}

/// What lies inside of other objects, now or before.
fn embedded(scene: &Scene) -> Embedded {
    let now = Embedded::of(scene.definitions, scene.state.heap);
    let before = scene.before.as_ref();
    match before.map(|before| Embedded::of(scene.definitions, before.heap)) {
        Some(before) => now.and(before),
        None => now,
    }
}

/// Numbers from 1 on, by the state before first, so that they mean the same in both pictures.
fn numbers(scene: &Scene, hidden: &BTreeSet<Loc>) -> BTreeMap<Loc, usize> {
    let mut numbers = BTreeMap::new();
    for state in scene.before.iter().chain([&scene.state]) {
        let roots: Vec<Value> = state.roots.iter().map(|(_, value)| *value).collect();
        let reached = canonical_order(&roots, state.heap);
        for loc in reached.into_iter().chain(state.heap.cells.keys().copied()) {
            let next = numbers.len() + 1;
            if !hidden.contains(&loc) {
                numbers.entry(loc).or_insert(next);
            }
        }
    }
    numbers
}

struct Builder<'a> {
    scene: &'a Scene<'a>,
    classes: Vec<&'a Class>,
    numbers: BTreeMap<Loc, usize>,
    /// Where the chosen objects stand in the picture.
    index: BTreeMap<Loc, usize>,
    reachable: BTreeSet<Loc>,
    embedded: Embedded,
    limits: Limits,
}

impl Builder<'_> {
    fn object(&self, index: usize, loc: Loc, edges: &mut Vec<Edge>) -> Option<Object> {
        let now = self.scene.state.heap.cells.get(&loc);
        let before = self.before().and_then(|heap| heap.cells.get(&loc));
        let cell = now.or(before)?;
        let status = match (now, before) {
            (None, _) => Status::Freed,
            _ if !self.scene.state.roots.is_empty() && !self.is_reachable(loc) => {
                Status::Unreachable
            }
            (Some(_), None) if self.scene.before.is_some() => Status::New,
            _ => Status::Kept,
        };
        if let Some((label, has_other_text)) = self.label(loc) {
            return Some(Object {
                class_id: cell.class,
                class: label,
                number: self.numbers.get(&loc).copied().unwrap_or(0),
                status,
                rows: Vec::new(),
                omitted: 0,
                least: 0.0,
                has_other_text,
            });
        }
        let earlier = before.filter(|old| now.is_some() && old.class == cell.class);
        let heap = match (now, self.before()) {
            (None, Some(before)) => before,
            _ => self.scene.state.heap,
        };
        let slots = slots(self.scene.definitions, heap, self.before(), cell, earlier);
        let fields = self.fields(&slots);
        let mut rows = Vec::with_capacity(fields.len());
        for &field in &fields {
            let slot = &slots[field];
            let mut row = self.row(cell.class, slot, field);
            if edges.len() >= MOST_EDGES && matches!(row.content, Content::Object(_)) {
                row.content = Content::Elsewhere(self.value(slot.value(), None));
            }
            let at = rows.len();
            if let Content::Object(to) = row.content {
                let kind = match status {
                    Status::Freed => EdgeKind::Stale,
                    _ if self.is_freed(slot.value()) => EdgeKind::Dangling,
                    _ if row.was.is_some() => EdgeKind::Changed,
                    _ => EdgeKind::Kept,
                };
                edges.push(Edge {
                    from: index,
                    row: at,
                    to,
                    kind,
                });
            }
            if row.was.is_some()
                && edges.len() < MOST_EDGES
                && let Some(Value::Ref(old)) = slot.old()
                && let Some(to) = self.box_of(old)
            {
                edges.push(Edge {
                    from: index,
                    row: at,
                    to,
                    kind: EdgeKind::Removed,
                });
            }
            rows.push(row);
        }
        let name = self.class(cell.class).map_or("?", |class| &class.name);
        Some(Object {
            class_id: cell.class,
            class: Label::class(name, CLASS_COLUMNS),
            number: self.numbers.get(&loc).copied().unwrap_or(0),
            status,
            omitted: slots.len() - rows.len(),
            rows,
            least: 0.0,
            has_other_text: false,
        })
    }

    /// The text that an object is shown as, with what it was, and whether it was another one.
    fn label(&self, loc: Loc) -> Option<(Label, bool)> {
        let state = &self.scene.state;
        let old = self.scene.before.as_ref();
        let old = old.and_then(|before| before.label(loc));
        match (state.heap.cells.contains_key(&loc), state.label(loc), old) {
            (true, Some(label), Some(old)) if label != old => {
                let text = format!("{label} (was {old})");
                Some((Label::new(&text, LABEL_COLUMNS), true))
            }
            (true, Some(label), _) | (false, _, Some(label)) => {
                Some((Label::new(label, LABEL_COLUMNS), false))
            }
            _ => None,
        }
    }

    /// The fields that are shown, in order of declaration.
    fn fields(&self, slots: &[Slot]) -> Vec<usize> {
        let mut fields: Vec<usize> = (0..slots.len()).collect();
        if fields.len() > self.limits.fields {
            fields.sort_by_key(|&field| {
                let slot = &slots[field];
                let value = slot.value();
                let changed = slot.earlier.is_some() && slot.old() != Some(value);
                (!matches!(value, Value::Ref(_)) && !changed, field)
            });
            fields.truncate(self.limits.fields);
            fields.sort_unstable();
        }
        fields
    }

    fn row(&self, class: ClassId, slot: &Slot, field: usize) -> Row {
        let inner = slot.cell.class;
        let declared = self.class(inner);
        let declared = declared.and_then(|class| class.fields.get(slot.field));
        let declared = declared.map(|field| field.sort);
        let sort = declared.or(self.scene.definitions.element_sort(inner));
        let columns = match slot.name.contains('.') {
            true => PATH_COLUMNS,
            false => NAME_COLUMNS,
        };
        let value = slot.value();
        if let Some((text, old)) = &slot.text {
            let was = old.as_ref().filter(|old| *old != text);
            return Row {
                field,
                name: Label::new(&slot.name, columns),
                content: Content::Scalar(Label::new(text, VALUE_COLUMNS)),
                recursive: false,
                part: None,
                was: was.map(|old| Label::new(old, VALUE_COLUMNS)),
            };
        }
        Row {
            field,
            name: Label::new(&slot.name, columns),
            content: self.content(value, sort),
            recursive: self.is_recursive(class, declared) || self.is_recursive(inner, declared),
            part: self.part(value),
            was: (slot.old())
                .filter(|old| *old != value)
                .map(|old| Label::new(&self.value(old, sort), VALUE_COLUMNS)),
        }
    }

    /// The box in which an object is.
    fn box_of(&self, loc: Loc) -> Option<usize> {
        self.index.get(&self.embedded.outermost(loc).0).copied()
    }

    /// Whether the roots reach an object, or something inside of it.
    fn is_reachable(&self, loc: Loc) -> bool {
        let mut inside = self.embedded.locs();
        self.reachable.contains(&loc)
            || inside.any(|inner| {
                self.reachable.contains(&inner) && self.embedded.outermost(inner).0 == loc
            })
    }

    /// The way from a box to what a reference leads to inside of it.
    fn part(&self, value: Value) -> Option<String> {
        let Value::Ref(loc) = value else { return None };
        if !self.embedded.contains(loc) {
            return None;
        }
        let now = self.scene.state.heap;
        let heap = match self.before() {
            Some(before) if !now.cells.contains_key(&loc) => before,
            _ => now,
        };
        Some(self.embedded.path(self.scene.definitions, heap, loc))
    }

    fn content(&self, value: Value, sort: Option<Sort>) -> Content {
        match value {
            Value::Null => Content::Null,
            Value::Ref(loc) => match self.box_of(loc) {
                Some(index) => Content::Object(index),
                None if self.scene.state.heap.cells.contains_key(&loc) => {
                    Content::Elsewhere(self.value(value, sort))
                }
                None => Content::Dangling(self.value(value, sort)),
            },
            scalar => Content::Scalar(Label::new(&self.value(scalar, sort), VALUE_COLUMNS)),
        }
    }

    /// A value in words: `#3` for an object, `?3` for an address that never held one.
    fn value(&self, value: Value, sort: Option<Sort>) -> String {
        let Value::Ref(loc) = value else {
            return scalar(value, sort);
        };
        let known = self.scene.state.heap.cells.contains_key(&loc)
            || self
                .before()
                .is_some_and(|heap| heap.cells.contains_key(&loc));
        let mark = if known { '#' } else { '?' };
        let outermost = self.embedded.outermost(loc).0;
        let number = self.numbers.get(&outermost).copied().unwrap_or(0);
        match self.part(value) {
            Some(part) => format!("&{mark}{number}.{part}"),
            None => format!("{mark}{number}"),
        }
    }

    fn roots(&self, picture: &mut Picture) {
        let mut groups: Vec<(usize, Vec<String>, Vec<String>)> = Vec::new();
        let shown = self.scene.state.roots.iter().take(self.limits.roots);
        for (name, value) in shown {
            let was = (self.scene.before.iter())
                .flat_map(|before| before.roots)
                .find(|(other, _)| other == name)
                .filter(|(_, old)| old != value)
                .map(|(_, old)| self.value(*old, None));
            let target = match value {
                Value::Ref(loc) => self.box_of(*loc),
                _ => None,
            };
            let shown = match self.part(*value) {
                Some(part) => format!("{name} = &{part}"),
                None => name.clone(),
            };
            match target {
                Some(target) => {
                    if !groups.iter().any(|(other, ..)| *other == target) {
                        groups.push((target, Vec::new(), Vec::new()));
                    }
                    let group = groups.iter_mut().find(|(other, ..)| *other == target);
                    if let Some((_, names, changes)) = group {
                        names.push(shown);
                        changes.extend(was.map(|was| format!("{name} was {was}")));
                    }
                }
                None => {
                    let dangling = matches!(value, Value::Ref(loc)
                        if !self.scene.state.heap.cells.contains_key(loc));
                    let mut text = format!("{} = {}", clean(name), self.value(*value, None));
                    if dangling {
                        text.push_str(" (dangling)");
                    }
                    if let Some(was) = &was {
                        text.push_str(&format!(" (was {was})"));
                    }
                    picture.scalars.push(Scalar {
                        label: Label::new(&text, 40),
                        changed: was.is_some(),
                        dangling,
                    });
                }
            }
        }
        for (target, names, changes) in groups {
            let mut text = names.join(", ");
            if !changes.is_empty() {
                text = match (names.len(), changes.len()) {
                    (1, _) => changes.join(", ").replacen(" was ", " (was ", 1) + ")",
                    _ => format!("{text} ({})", changes.join(", ")),
                };
            }
            let dangling = picture.objects[target].status == Status::Freed;
            if dangling {
                text.push_str(" (dangling)");
            }
            picture.roots.push(Root {
                label: Label::new(&text, 28),
                target,
                dangling,
                changed: !changes.is_empty(),
            });
        }
    }

    fn before(&self) -> Option<&Heap> {
        self.scene.before.as_ref().map(|before| before.heap)
    }

    fn class(&self, id: ClassId) -> Option<&Class> {
        self.classes.get(id.index()).copied()
    }

    fn is_freed(&self, value: Value) -> bool {
        matches!(value, Value::Ref(loc) if !self.scene.state.heap.cells.contains_key(&loc))
    }

    fn is_recursive(&self, class: ClassId, sort: Option<Sort>) -> bool {
        match sort {
            Some(Sort::Ref(target)) => {
                target != ClassId::ANY
                    && self.class(class).is_some()
                    && self.class(target).is_some()
                    && self.scene.definitions.is_subclass(class, target)
            }
            _ => false,
        }
    }
}
