//! Which structures a class holds, and in which fields.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::names::{ClassNames, is_one_of, is_writable, is_writable_class, shown, variable};
use super::nodes::Node;
use super::predicates::{Form, Shape, disjunct, shape};
use crate::classfile::{CONSTRUCTOR, Class, Instruction};
use crate::descriptor::{Primitive, Type, package_of};
use crate::hierarchy::{Hierarchy, LinkError};

const FIRST: [&str; 10] = [
    "first", "head", "front", "start", "begin", "top", "header", "root", "list", "tree",
];
const LAST: [&str; 7] = ["last", "tail", "back", "rear", "end", "bottom", "foot"];
const SENTINEL: [&str; 6] = ["sentinel", "nullnode", "nilnode", "dummy", "guard", "leaf"];
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
    pub hierarchy: Hierarchy<'p>,
    /// How classes are written.
    pub names: ClassNames,
    /// The predicates, with comments, in the order of definition.
    pub predicates: Vec<String>,
    /// Fields about which nothing is said.
    pub unsaid: Vec<String>,
    /// What is proposed for.
    target: Arc<Class>,
    /// The predicate with one parameter for each class that was looked at.
    known: BTreeMap<String, Option<String>>,
    /// The names of predicates that are taken.
    taken: Vec<String>,
    /// The predicates for nodes that are defined, by class and form.
    pub shapes: Vec<((String, Form), Shape)>,
}

/// Where a holder has its structure.
enum Anchor {
    /// The first node, or the root.
    Plain(String),
    /// The first and the last node of a list.
    Ends(String, String),
    /// A node that is always there, in front of the first one.
    Header(String),
    /// Such a node, and the list comes back to it.
    Circle(String),
    /// The root of a tree in which one node stands for all empty subtrees.
    Sentinel(String, String),
}

impl<'p> Structures<'p> {
    /// Nothing is described yet.
    pub fn new(hierarchy: Hierarchy<'p>, names: ClassNames, target: &Arc<Class>) -> Self {
        Structures {
            hierarchy,
            names,
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
    pub fn describe(
        &mut self,
        class: &Arc<Class>,
        depth: usize,
    ) -> Result<Option<String>, LinkError> {
        if let Some(known) = self.known.get(&*class.name) {
            return Ok(known.clone());
        }
        if depth > DEEPEST || !self.is_near(class) {
            return Ok(None);
        }
        // A class that leads back to itself through others is not described a second time.
        self.known.insert(class.name.to_string(), None);
        let name = match Node::of(self.hierarchy, class)? {
            Some(node) => Some(self.node(&node)),
            None => self.holder(class, depth)?,
        };
        self.known.insert(class.name.to_string(), name.clone());
        Ok(name)
    }

    /// The objects of a class as nodes, if they are.
    pub fn as_node(&self, class: &Arc<Class>) -> Result<Option<Node>, LinkError> {
        Node::of(self.hierarchy, class)
    }

    /// Classes of the package that are structures: no interfaces, enums or exceptions; and nodes
    /// of other packages of the class path.
    fn is_near(&self, class: &Arc<Class>) -> bool {
        let is_node = || {
            let own = self.hierarchy.class_path().classes();
            own.is_ok_and(|own| own.binary_search(&class.name).is_ok())
                && Node::of(self.hierarchy, class).is_ok_and(|node| node.is_some())
        };
        is_writable_class(&class.name)
            && !class.access.is_interface()
            && !class.access.is_enum()
            && (package_of(&class.name) == package_of(&self.target.name) || is_node())
    }

    /// A name for a predicate.
    pub fn name(&mut self, wanted: &str) -> String {
        let taken: Vec<&str> = self.taken.iter().map(String::as_str).collect();
        let name = variable(wanted, &taken);
        self.taken.push(name.clone());
        name
    }

    /// `valid` for the class that is asked about, `valid_node` for others.
    fn valid_name(&mut self, class: &Class) -> String {
        let simple = class.name.rsplit(['.', '$']).next().unwrap_or_default();
        match class.name == self.target.name {
            true => self.name("valid"),
            false => self.name(&format!("valid_{}", simple.to_lowercase())),
        }
    }

    fn is_ordered(&self, node: &Node) -> bool {
        let names = format!("{} {}", self.target.name, node.class.name).to_lowercase();
        node.key.is_some() && ORDERED.iter().any(|word| names.contains(word))
    }

    /// A predicate for a structure, by its first node.
    fn node(&mut self, node: &Node) -> String {
        self.leave_unsaid(&node.class, &node.others);
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
        let class = node.class.name.to_string();
        let is_known = self
            .shapes
            .iter()
            .any(|(key, _)| *key == (class.clone(), counted));
        let shape = shape(self, node, if is_known { counted } else { plain });
        let simple = self.names.of(&node.class);
        let instance = shape.instance("x", None, "null");
        let (name, quantified) = (self.valid_name(&node.class), shape.quantifier());
        self.predicates.push(format!(
            "// What a reference to {simple} leads to; null is allowed.\n\
             pred {name}(x) := {quantified}{instance};\n"
        ));
        name
    }

    fn leave_unsaid(&mut self, class: &Class, fields: &[String]) {
        for field in fields {
            let text = format!("{}.{}", shown(&self.names.of(class)), shown(field));
            if !self.unsaid.contains(&text) {
                self.unsaid.push(text);
            }
        }
    }

    /// A predicate for an object with structures in its fields.
    fn holder(&mut self, class: &Arc<Class>, depth: usize) -> Result<Option<String>, LinkError> {
        let fields = self.hierarchy.instance_fields(class)?;
        let mut of_class: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut order: Vec<Arc<Class>> = Vec::new();
        let (mut sizes, mut unsaid) = (Vec::new(), Vec::new());
        for declared in &fields {
            let name = declared.field.name.to_string();
            let twice = fields.iter().filter(|one| *one.field.name == *name).count() > 1;
            match &declared.field.ty {
                _ if twice || !is_writable(&name) => unsaid.push(name),
                Type::Primitive(Primitive::Int | Primitive::Long) if is_one_of(&name, &SIZE) => {
                    sizes.push(name);
                }
                Type::Primitive(_) => {}
                Type::Array(_) => unsaid.push(name),
                Type::Class(ty) => match self.hierarchy.load(ty) {
                    Ok(known) if self.is_near(&known) => {
                        let fields = of_class.entry(known.name.to_string()).or_default();
                        if fields.is_empty() {
                            order.push(known);
                        }
                        fields.push(name);
                    }
                    _ => unsaid.push(name),
                },
            }
        }
        let mut cells = Vec::new();
        let mut parts = Vec::new();
        let mut quantified: Vec<String> = Vec::new();
        // A number counts the nodes only where it is clear which ones.
        let mut nodes = 0;
        for ty in &order {
            nodes += u32::from(self.as_node(ty)?.is_some());
        }
        let size = sizes.first().filter(|_| nodes == 1).cloned();
        for ty in order {
            let fields = of_class.remove(&*ty.name).unwrap_or_default();
            match Node::of(self.hierarchy, &ty)? {
                Some(node) => {
                    let (anchors, left) = self.anchors(class, &node, fields);
                    unsaid.extend(left);
                    let size = size.as_ref().filter(|_| anchors.len() == 1);
                    for anchor in &anchors {
                        self.anchor(&node, anchor, size, &mut cells, &mut quantified, &mut parts);
                    }
                    self.leave_unsaid(&node.class, &node.others);
                }
                None => match self.describe(&ty, depth + 1)? {
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
                },
            }
        }
        if parts.is_empty() {
            return Ok(None);
        }
        self.leave_unsaid(class, &unsaid);
        let name = self.valid_name(class);
        let simple = self.names.of(class);
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
        Ok(Some(name))
    }

    /// The fields of a holder that structures begin at, and the rest of them.
    fn anchors(
        &self,
        class: &Class,
        node: &Node,
        fields: Vec<String>,
    ) -> (Vec<Anchor>, Vec<String>) {
        let (creates, links) = constructed(class, node);
        let find = |words: &[&str]| fields.iter().find(|name| is_one_of(name, words)).cloned();
        let (first, last) = (find(&FIRST), find(&LAST));
        let rest = |used: &[&String]| {
            let left = fields.iter().filter(|field| !used.contains(field));
            left.cloned().collect::<Vec<String>>()
        };
        if node.is_tree() {
            if let (Some(root), Some(end), true) = (&first, find(&SENTINEL), creates && links) {
                let left = rest(&[root, &end]);
                return (vec![Anchor::Sentinel(root.clone(), end)], left);
            }
        } else {
            let header = match &fields[..] {
                [only] => Some(only.clone()),
                _ => first.clone().or_else(|| find(&SENTINEL)),
            };
            if let (Some(header), true) = (header, creates) {
                let left = rest(&[&header]);
                let anchor = match links {
                    true => Anchor::Circle(header),
                    false => Anchor::Header(header),
                };
                return (vec![anchor], left);
            }
            if let (Some(first), Some(last)) = (&first, &last) {
                let left = rest(&[first, last]);
                return (vec![Anchor::Ends(first.clone(), last.clone())], left);
            }
        }
        match first {
            // Others are likely to be places inside of the structure.
            Some(first) => {
                let left = rest(&[&first]);
                (vec![Anchor::Plain(first)], left)
            }
            None => (fields.into_iter().map(Anchor::Plain).collect(), Vec::new()),
        }
    }

    /// Describes what begins at an anchor: cells of the holder, variables and parts of the heap.
    fn anchor(
        &mut self,
        node: &Node,
        anchor: &Anchor,
        size: Option<&String>,
        cells: &mut Vec<String>,
        quantified: &mut Vec<String>,
        parts: &mut Vec<String>,
    ) {
        let form = Form {
            counted: size.is_some(),
            ordered: self.is_ordered(node),
            to_end: matches!(anchor, Anchor::Circle(_) | Anchor::Sentinel(..)),
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
        let class = self.names.of(&node.class);
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
            Anchor::Header(header) => {
                let header = field(header);
                let back = node.backward.as_ref();
                let back = back.map_or(String::new(), |back| format!(", {back}: null"));
                parts.push(format!("{header} -> {class}({next}: {first_node}{back})"));
                parts.push(shape.instance_behind(&first_node, &header, "null"));
                quantified.push(first_node);
            }
            Anchor::Circle(header) => {
                let header = field(header);
                let mut back = String::new();
                if let Some(field) = &node.backward {
                    back = format!(", {field}: {last_node}");
                }
                parts.push(format!("{header} -> {class}({next}: {first_node}{back})"));
                parts.push(shape.circle(&first_node, &last_node, &header));
                quantified.push(first_node);
                quantified.extend(node.backward.as_ref().map(|_| last_node));
            }
            Anchor::Sentinel(root, end) => {
                let (root, end) = (field(root), field(end));
                let links = node.forward.iter().map(|field| format!("{field}: {end}"));
                let links: Vec<String> = links.collect();
                parts.push(format!("{end} -> {class}({})", links.join(", ")));
                parts.push(shape.instance(&root, None, &end));
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

/// Whether the constructors of a holder create nodes, and whether they link them.
fn constructed(class: &Class, node: &Node) -> (bool, bool) {
    let constructors = class
        .methods
        .iter()
        .filter(|method| *method.name == *CONSTRUCTOR);
    let code = constructors.filter_map(|method| method.code.as_ref());
    let (mut creates, mut links) = (false, false);
    for (_, instruction) in code.flat_map(|code| &code.instructions) {
        match instruction {
            Instruction::New(Type::Class(name)) => creates |= *name == node.class.name,
            Instruction::PutField(field) => {
                links |= field.class == node.class.name
                    && node.forward.iter().any(|known| **known == *field.name);
            }
            _ => {}
        }
    }
    (creates, links)
}
