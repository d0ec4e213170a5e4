//! Which structures a class holds, and in which fields.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::names::{is_link, is_one_of, shown, variable};
use super::nodes::Node;
use super::predicates::{Form, Shape, disjunct, shape};
use super::record::{Content, Field, Nearness, Record, Records};

const FIRST: [&str; 10] = [
    "first", "head", "front", "start", "begin", "top", "header", "root", "list", "tree",
];
const LAST: [&str; 7] = ["last", "tail", "back", "rear", "end", "bottom", "foot"];
const SENTINEL: [&str; 7] = [
    "sentinel", "nullnode", "nilnode", "nil", "dummy", "guard", "leaf",
];
const SIZE: [&str; 12] = [
    "size",
    "count",
    "length",
    "len",
    "n",
    "number",
    "elements",
    "nodes",
    "elementcount",
    "nodecount",
    "numelements",
    "cardinality",
];
const ORDERED: [&str; 7] = [
    "search", "bst", "sorted", "ordered", "avl", "redblack", "treemap",
];

/// How far classes are followed that hold each other.
const DEEPEST: usize = 6;

/// The predicates that describe the objects of some classes.
pub struct Structures<'p> {
    /// The classes.
    pub records: &'p dyn Records,
    /// The predicates, with comments, in the order of definition.
    pub predicates: Vec<String>,
    /// Fields about which nothing is said.
    pub unsaid: Vec<String>,
    /// What is proposed for.
    target: Arc<Record>,
    /// The predicate with one parameter for each class that was looked at.
    known: BTreeMap<String, Option<String>>,
    /// The names of predicates that are taken.
    taken: Vec<String>,
    /// The predicates for nodes that are defined, by class and form.
    pub shapes: Vec<((String, Form), Shape)>,
}

/// A field of a holder that has to do with nodes.
#[derive(Clone, PartialEq, Eq)]
struct Slot {
    /// Its name.
    name: String,
    /// Whether it is a node, rather than a reference to one.
    is_inside: bool,
}

/// Where a holder has its structure.
enum Anchor {
    /// The first node, or the root.
    Plain(String),
    /// The first and the last node of a list.
    Ends(String, String),
    /// A node that is always there, in front of the first one.
    Header(Slot),
    /// Such a node, and the list comes back to it.
    Circle(Slot),
    /// Any node of a list that goes round, or none.
    Ring(String),
    /// The root of a tree in which one node stands for all empty subtrees.
    Sentinel(String, Slot),
}

impl<'p> Structures<'p> {
    /// Nothing is described yet.
    pub fn new(records: &'p dyn Records, target: &Arc<Record>) -> Self {
        Structures {
            records,
            predicates: Vec::new(),
            unsaid: Vec::new(),
            target: Arc::clone(target),
            known: BTreeMap::new(),
            taken: Vec::new(),
            shapes: Vec::new(),
        }
    }

    /// The predicate for the objects of a class, with one parameter; none if there is nothing to
    /// say about them.
    pub fn describe(&mut self, record: &Arc<Record>, depth: usize) -> Option<String> {
        if let Some(known) = self.known.get(&record.name) {
            return known.clone();
        }
        if depth > DEEPEST || !is_near(record) {
            return None;
        }
        // A class that leads back to itself through others is not described a second time.
        self.known.insert(record.name.clone(), None);
        let name = match Node::of(record) {
            Some(node) => Some(self.node(&node)),
            None => self.holder(record, depth),
        };
        self.known.insert(record.name.clone(), name.clone());
        name
    }

    /// A name for a predicate.
    pub fn name(&mut self, wanted: &str) -> String {
        let taken: Vec<&str> = self.taken.iter().map(String::as_str).collect();
        let name = variable(wanted, &taken);
        self.taken.push(name.clone());
        name
    }

    /// `valid` for the class that is asked about, `valid_node` for others.
    fn valid_name(&mut self, record: &Record) -> String {
        match record.name == self.target.name {
            true => self.name("valid"),
            false => self.name(&format!("valid_{}", record.simple.to_lowercase())),
        }
    }

    fn is_ordered(&self, node: &Node) -> bool {
        let names = format!("{} {}", self.target.name, node.record.name).to_lowercase();
        let sounds_ordered = || ORDERED.iter().any(|word| names.contains(word));
        node.key.is_some() && (node.record.ordered_by.is_some() || sounds_ordered())
    }

    /// A predicate for a structure, by its first node.
    fn node(&mut self, node: &Node) -> String {
        self.leave_unsaid(&node.record, &node.others);
        if node.is_circular() && !node.is_tree() {
            return self.circle(node);
        }
        let plain = Form {
            counted: false,
            ordered: self.is_ordered(node),
            to_end: false,
            both_ends: false,
        };
        let counted = Form {
            counted: true,
            ..plain
        };
        // One predicate for these nodes is better than two.
        let class = node.record.name.clone();
        let is_known = self
            .shapes
            .iter()
            .any(|(key, _)| *key == (class.clone(), counted));
        let shape = shape(self, node, if is_known { counted } else { plain });
        let simple = &node.record.written;
        let instance = shape.instance("x", None, "null");
        let (name, quantified) = (self.valid_name(&node.record), shape.quantifier());
        self.predicates.push(format!(
            "// What a reference to {simple} leads to; null is allowed.\n\
             pred {name}(x) := {quantified}{instance};\n"
        ));
        name
    }

    /// A predicate for a list that comes back to the node that stands in front of it.
    fn circle(&mut self, node: &Node) -> String {
        let form = Form {
            counted: false,
            ordered: false,
            to_end: true,
            both_ends: false,
        };
        let shape = shape(self, node, form);
        let (fields, mut quantified) = circle_fields(node, "first_node", "last_node");
        let circle = shape.circle("first_node", "last_node", "x");
        let name = self.valid_name(&node.record);
        quantified.extend(shape.extra().into_iter().map(str::to_owned));
        let written = &node.record.written;
        self.predicates.push(format!(
            "// The {written} in front of a list that comes back to it.\n\
             pred {name}(x) := exists {}.\n    x -> {written}({fields}) * {circle};\n",
            quantified.join(", "),
        ));
        name
    }

    fn leave_unsaid(&mut self, record: &Record, fields: &[String]) {
        for field in fields {
            let text = format!("{}.{}", shown(&record.written), shown(field));
            if !self.unsaid.contains(&text) {
                self.unsaid.push(text);
            }
        }
    }

    /// A predicate for an object with structures in its fields.
    fn holder(&mut self, record: &Arc<Record>, depth: usize) -> Option<String> {
        let mut of_record: BTreeMap<String, Vec<Slot>> = BTreeMap::new();
        let mut order: Vec<Arc<Record>> = Vec::new();
        let (mut sizes, mut unsaid) = (Vec::new(), Vec::new());
        for field in &record.fields {
            let name = field.name.clone();
            // By this node it is itself part of a structure.
            if is_link_of(self.records, record, field) {
                continue;
            }
            let same = record.fields.iter().filter(|one| one.name == name);
            let is_inside = matches!(field.content, Content::Inside(_));
            match &field.content {
                _ if same.count() > 1 || !field.is_writable => unsaid.push(name),
                Content::Integer if is_one_of(&name, &SIZE) => sizes.push(name),
                Content::Integer | Content::Plain => {}
                Content::Other => unsaid.push(name),
                Content::Reference(to) | Content::Inside(to) => match self.records.record(to) {
                    Some(known) if is_near(&known) => {
                        let slots = of_record.entry(known.name.clone()).or_default();
                        if slots.is_empty() {
                            order.push(known);
                        }
                        slots.push(Slot { name, is_inside });
                    }
                    // What is inside leads nowhere by itself.
                    _ if is_inside => {}
                    _ => unsaid.push(name),
                },
            }
        }
        let mut cells = Vec::new();
        let mut parts = Vec::new();
        let mut quantified: Vec<String> = Vec::new();
        // A number counts the nodes only where it is clear which ones.
        let nodes = order.iter().filter(|known| Node::of(known).is_some());
        let size = sizes.first().filter(|_| nodes.count() == 1).cloned();
        for known in order {
            let slots = of_record.remove(&known.name).unwrap_or_default();
            match Node::of(&known) {
                Some(node) => {
                    let (anchors, left) = self.anchors(record, &node, slots);
                    unsaid.extend(left);
                    let size = size.as_ref().filter(|_| anchors.len() == 1);
                    for anchor in &anchors {
                        let held = &mut (&mut cells, &mut quantified, &mut parts);
                        self.anchor(record, &node, anchor, size, held);
                    }
                    self.leave_unsaid(&node.record, &node.others);
                }
                None => {
                    let references = slots.into_iter().filter(|slot| !slot.is_inside);
                    let fields: Vec<String> = references.map(|slot| slot.name).collect();
                    if fields.is_empty() {
                        continue;
                    }
                    match self.describe(&known, depth + 1) {
                        Some(valid) => {
                            for field in fields {
                                let variable = variable(&field, &["x"]);
                                cells.push(format!("{field}: {variable}"));
                                let empty = format!("emp & {variable} = null");
                                parts.push(format!("({empty} | {valid}({variable}))"));
                                quantified.push(variable);
                            }
                        }
                        None => unsaid.extend(fields),
                    }
                }
            }
        }
        if parts.is_empty() {
            return None;
        }
        self.leave_unsaid(record, &unsaid);
        let name = self.valid_name(record);
        let simple = &record.written;
        let cell = disjunct(
            "    ",
            &quantified,
            &format!("x -> {simple}({})", cells.join(", ")),
        );
        self.predicates.push(format!(
            "// An object of {simple} with all that belongs to it.\n\
             pred {name}(x) :=\n{cell}\n        * {};\n",
            parts.join("\n        * ")
        ));
        Some(name)
    }

    /// The fields of a holder that structures begin at, and the rest of them.
    fn anchors(
        &self,
        record: &Record,
        node: &Node,
        slots: Vec<Slot>,
    ) -> (Vec<Anchor>, Vec<String>) {
        let creates = record.creates.contains(&node.record.name);
        let links = node.is_circular()
            || (record.sets.iter())
                .any(|(owner, field)| *owner == node.record.name && node.forward.contains(field));
        let find = |words: &[&str]| slots.iter().find(|slot| is_link(&slot.name, words));
        let references = || slots.iter().filter(|slot| !slot.is_inside);
        let (first, last) = (
            references().find(|slot| is_link(&slot.name, &FIRST)),
            references().find(|slot| is_link(&slot.name, &LAST)),
        );
        let rest = |used: &[&Slot]| {
            let left = references().filter(|slot| !used.contains(slot));
            left.map(|slot| slot.name.clone()).collect::<Vec<String>>()
        };
        if node.is_tree() {
            let end = find(&SENTINEL).filter(|end| end.is_inside || (links && creates));
            if let (Some(root), Some(end)) = (first, end) {
                let left = rest(&[root, end]);
                let anchor = Anchor::Sentinel(root.name.clone(), end.clone());
                return (vec![anchor], left);
            }
        } else {
            let inside = || slots.iter().find(|slot| slot.is_inside);
            let header = match &slots[..] {
                [only] => Some(only),
                _ => inside().or(first).or_else(|| find(&SENTINEL)),
            };
            if let Some(header) = header.filter(|header| creates || header.is_inside) {
                let left = rest(&[header]);
                let anchor = match links {
                    true => Anchor::Circle(header.clone()),
                    false => Anchor::Header(header.clone()),
                };
                return (vec![anchor], left);
            }
            if node.is_circular() {
                let entry = first.or_else(|| references().next());
                let left = entry.map_or(Vec::new(), |entry| rest(&[entry]));
                let anchor = entry.map(|entry| Anchor::Ring(entry.name.clone()));
                return (anchor.into_iter().collect(), left);
            }
            if let (Some(first), Some(last)) = (first, last) {
                let left = rest(&[first, last]);
                let anchor = Anchor::Ends(first.name.clone(), last.name.clone());
                return (vec![anchor], left);
            }
        }
        match first {
            // Others are likely to be places inside of the structure.
            Some(first) => {
                let left = rest(&[first]);
                (vec![Anchor::Plain(first.name.clone())], left)
            }
            None => {
                let anchors = references().map(|slot| Anchor::Plain(slot.name.clone()));
                (anchors.collect(), Vec::new())
            }
        }
    }

    /// Describes what begins at an anchor: cells of the holder, variables and parts of the heap.
    fn anchor(
        &mut self,
        record: &Record,
        node: &Node,
        anchor: &Anchor,
        size: Option<&String>,
        (cells, quantified, parts): &mut (&mut Vec<String>, &mut Vec<String>, &mut Vec<String>),
    ) {
        let form = Form {
            counted: size.is_some(),
            ordered: self.is_ordered(node),
            to_end: matches!(
                anchor,
                Anchor::Circle(_) | Anchor::Ring(_) | Anchor::Sentinel(..)
            ),
            both_ends: matches!(anchor, Anchor::Ends(..)),
        };
        let shape = shape(self, node, form);
        let taken = ["x", "n", "lo", "hi", "first_node", "last_node"];
        let known: Vec<&str> = quantified.iter().map(String::as_str).collect();
        let first_node = variable("first_node", &known);
        let last_node = variable("last_node", &known);
        let mut field = |name: &String| {
            let variable = variable(name, &taken);
            cells.push(format!("{name}: {variable}"));
            quantified.push(variable.clone());
            variable
        };
        // A node inside of the holder is of a class of its own, and knows the holder.
        let cell = |slot: &Slot, variable: &str, fields: &str| match slot.is_inside {
            false => format!("{variable} -> {}({fields})", node.record.written),
            true => {
                let (holder, name) = (&record.written, &slot.name);
                format!("{variable} -> {holder}.{name}({fields}, outer: x)")
            }
        };
        let [next, ..] = &node.forward[..] else {
            return;
        };
        match anchor {
            Anchor::Plain(root) => {
                let root = field(root);
                parts.push(shape.instance(&root, None, "null"));
            }
            Anchor::Ends(first, last) => {
                let (first, last) = (field(first), field(last));
                parts.push(shape.instance(&first, Some(&last), "null"));
            }
            Anchor::Header(slot) => {
                let header = field(&slot.name);
                let back = node.backward.as_ref();
                let back = back.map_or(String::new(), |back| format!(", {back}: null"));
                parts.push(cell(slot, &header, &format!("{next}: {first_node}{back}")));
                parts.push(shape.instance_behind(&first_node, &header, "null"));
                quantified.push(first_node);
            }
            Anchor::Circle(slot) => {
                let header = field(&slot.name);
                let (fields, variables) = circle_fields(node, &first_node, &last_node);
                parts.push(cell(slot, &header, &fields));
                parts.push(shape.circle(&first_node, &last_node, &header));
                quantified.extend(variables);
            }
            Anchor::Ring(entry) => {
                let entry = field(entry);
                let (fields, variables) = circle_fields(node, &first_node, &last_node);
                let ring = shape.ring(&first_node, &last_node, &entry);
                let cells = node.cells(&entry, &fields, &["n", &first_node, &last_node]);
                let (none, some) = match size {
                    Some(_) => (" & n = 0", " & n > 0"),
                    None => ("", ""),
                };
                let mut cases = vec![format!("emp & {entry} = null{none}")];
                cases.extend(cells.into_iter().map(|(around, cell)| {
                    let mut variables = variables.clone();
                    variables.extend(around);
                    format!("exists {}. {cell} * {ring}{some}", variables.join(", "))
                }));
                parts.push(format!("({})", cases.join("\n          | ")));
            }
            Anchor::Sentinel(root, slot) => {
                let (root, end) = (field(root), field(&slot.name));
                let to_self = &node.record.self_links;
                let parent = node.parent.iter().filter(|field| to_self.contains(field));
                let links = node.forward.iter().chain(parent);
                let links = links.map(|field| format!("{field}: {end}"));
                let links: Vec<String> = links.collect();
                parts.push(cell(slot, &end, &links.join(", ")));
                parts.push(match slot.is_inside {
                    false => shape.instance(&root, None, &end),
                    // It is the node above the root as well.
                    true => shape.instance_behind(&root, &end, &end),
                });
            }
        }
        if let Some(size) = size {
            cells.push(format!("{size}: n"));
        }
        // Several trees have bounds in common, which is no restriction: any bounds will do.
        for extra in shape.extra() {
            if !quantified.iter().any(|known| known == extra) {
                quantified.push(extra.to_owned());
            }
        }
    }
}

/// Whether a field is a node inside of a record by which its objects are in structures.
pub fn is_link_of(records: &dyn Records, record: &Record, field: &Field) -> bool {
    let Content::Inside(inner) = &field.content else {
        return false;
    };
    records.record(inner).is_some_and(|inner| {
        let mut containers = inner.containers.iter();
        containers.any(|known| known.written == record.written && known.field == field.name)
    })
}

/// Classes that are structures, and nodes that are further away.
fn is_near(record: &Arc<Record>) -> bool {
    match record.nearness {
        Nearness::Near => true,
        Nearness::IfNode => Node::of(record).is_some(),
        Nearness::Far => false,
    }
}

/// The fields of the node in front of a list that comes back to it, and the variables in them.
fn circle_fields(node: &Node, first: &str, last: &str) -> (String, Vec<String>) {
    let mut variables = vec![first.to_owned()];
    let next = node.forward.first().map_or("", String::as_str);
    let mut fields = format!("{next}: {first}");
    if let Some(back) = &node.backward {
        fields.push_str(&format!(", {back}: {last}"));
        variables.push(last.to_owned());
    }
    (fields, variables)
}
