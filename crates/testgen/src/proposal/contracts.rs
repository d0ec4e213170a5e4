//! Preconditions for the functions that work on a class.

use std::sync::Arc;

use super::Target;
use super::names::{is_writable_class as is_writable_path, shown};
use super::nodes::Node;
use super::record::{Function, LinkUse, Parameter, Record, Records};
use super::structure::{Structures, is_link_of};

/// What is said before a function is called.
enum Before {
    /// Nothing.
    Nothing,
    /// It is given nodes of a structure, and nobody knows which ones.
    Inside,
    /// These parts of the heap. Whether the receiver is valid as well depends on whether nodes are
    /// given, since a method that is given nodes of the structure works on these.
    Parts {
        parts: Vec<String>,
        takes_nodes: bool,
        /// What holds of an object that holds a structure.
        held: Option<String>,
    },
}

/// A precondition for every function that there is something to say about, and a postcondition that
/// is commented out.
pub fn write(structures: &mut Structures<'_>, target: &Target) -> String {
    let receiver = structures.describe(&target.record, 0);
    let is_node = Node::of(&target.record).is_some();
    let (mut before, mut after, mut left) = (String::new(), String::new(), Vec::new());
    let mut inside = String::new();
    for function in &target.functions {
        let Some(signature) = &function.signature else {
            left.push(shown(&function.name));
            continue;
        };
        let said = match function.has_receiver {
            false if target.words.is_procedural => procedural(structures, function),
            _ => with_receiver(structures, target, function),
        };
        let (mut parts, takes_nodes, held) = match said {
            Before::Nothing => continue,
            Before::Inside => {
                inside.push_str(&format!("// pre  {signature} := ...;\n"));
                continue;
            }
            Before::Parts {
                parts,
                takes_nodes,
                held,
            } => (parts, takes_nodes, held),
        };
        let receiver = receiver.as_ref().filter(|_| function.has_receiver);
        let receiver = receiver.filter(|_| !takes_nodes);
        if let Some(valid) = receiver {
            parts.insert(0, format!("{valid}(this)"));
        }
        if parts.is_empty() {
            continue;
        }
        before.push_str(&format!("pre  {signature} := {};\n", parts.join(" * ")));
        if let (Some(valid), false) = (receiver, is_node) {
            after.push_str(&format!("// post {signature} := {valid}(this);\n"));
        }
        if let (Some(held), false) = (held, function.is_destructor) {
            after.push_str(&format!("// post {signature} := {held};\n"));
        }
    }
    let noun = target.words.function;
    let mut text = String::new();
    if !before.is_empty() {
        text.push_str(&format!("// What holds before each {noun} is called.\n"));
        text.push_str(&before);
    }
    if !inside.is_empty() {
        text.push_str(&format!(
            "\n// These are given nodes of a structure. Say which ones{}.\n",
            target.words.left_out
        ));
        text.push_str(&inside);
    }
    if !after.is_empty() {
        text.push_str(&format!(
            "\n// What should hold when a {noun} has returned. Uncomment to check it: a test that\n\
             // breaks it is a finding, in the {noun} or in this file.\n",
        ));
        text.push_str(&after);
    }
    if !left.is_empty() {
        text.push_str(&format!(
            "\n// Left out, for their parameters or names cannot be written here: {}.\n",
            left.join(", ")
        ));
    }
    text
}

/// What is said of the parameters of a method.
fn with_receiver(structures: &mut Structures<'_>, target: &Target, function: &Function) -> Before {
    let mut parts: Vec<String> = Vec::new();
    let mut takes_nodes = false;
    for parameter in &function.parameters {
        let Some(known) = structures.records.record(&parameter.record) else {
            continue;
        };
        let node = Node::of(&known);
        let is_own = known.name == target.record.name;
        // A node that leads back can be any of its structure.
        if node.as_ref().is_some_and(Node::leads_back) && !is_own {
            return Before::Inside;
        }
        let Some(valid) = structures.describe(&known, 1) else {
            continue;
        };
        let parameter = &parameter.name;
        if node.is_some() {
            takes_nodes |= !is_own;
            parts.push(format!("{valid}({parameter})"));
        } else {
            let empty = format!("emp & {parameter} = null");
            parts.push(format!("({empty} | {valid}({parameter}))"));
        }
    }
    Before::Parts {
        parts,
        takes_nodes,
        held: None,
    }
}

/// A parameter that leads to a record.
struct Described<'f> {
    parameter: &'f Parameter,
    record: Arc<Record>,
    node: Option<Node>,
    /// Whether it is in structures by a node inside of it.
    is_element: bool,
    /// The predicate for what holds a structure: no part of one, as far as one can see.
    holds: Option<String>,
}

impl Described<'_> {
    /// Whether the function follows the links that lead on, or sets them first.
    fn links_on(&self) -> Option<LinkUse> {
        let leads_on = |name: &String| {
            let node = self.node.as_ref().filter(|_| !self.is_element);
            node.is_none_or(|node| node.forward.contains(name))
        };
        let mut uses = self.parameter.links.iter();
        let found = uses
            .clone()
            .find(|(name, used)| leads_on(name) && *used == LinkUse::Follows);
        let found = found.or_else(|| uses.find(|(name, _)| leads_on(name)));
        found.map(|(_, used)| *used)
    }

    /// Whether it is a node of lists that come back to where they began.
    fn is_round(&self) -> bool {
        let node = self.node.as_ref();
        node.is_some_and(|node| node.is_circular() && !node.is_tree())
    }

    /// Whether the function goes up from a node of a tree.
    fn goes_up(&self) -> bool {
        let parent = self.node.as_ref().and_then(|node| node.parent.as_ref());
        let mut links = self.parameter.links.iter();
        links.any(|(name, used)| Some(name) == parent && *used == LinkUse::Follows)
    }

    /// A part of the heap, or nothing where the function asks for that.
    fn unless_absent(&self, part: String) -> String {
        let name = &self.parameter.name;
        match self.parameter.may_be_absent {
            true => format!("(emp & {name} = null | {part})"),
            false => part,
        }
    }

    /// The object without a structure. What leads on from it is lost where the function sets its
    /// links, so these lead nowhere.
    fn alone(&self) -> String {
        let links = self.parameter.links.iter();
        let set = links.filter(|(name, used)| *used == LinkUse::Sets && is_writable_path(name));
        let set = set.map(|(name, _)| format!("{name}: null"));
        let fields = set.collect::<Vec<String>>().join(", ");
        let cell = format!(
            "{} -> {}({fields})",
            self.parameter.name, self.record.written
        );
        self.unless_absent(cell)
    }
}

/// What is said of the parameters of a function, and of the variables that it uses: objects that
/// hold structures are there and valid, a node beside one is not yet part of it, and a node alone
/// stands for its structure.
fn procedural(structures: &mut Structures<'_>, function: &Function) -> Before {
    let mut described = Vec::new();
    for parameter in &function.parameters {
        let Some(record) = structures.records.record(&parameter.record) else {
            continue;
        };
        let mut one = Described {
            parameter,
            node: Node::of(&record),
            is_element: is_element(structures.records, &record),
            record,
            holds: None,
        };
        let is_head = one.node.is_none()
            || parameter.is_variable
            || one.is_round() && one.links_on() != Some(LinkUse::Sets);
        if is_head && !one.is_element {
            one.holds = structures.describe(&one.record, 1);
        }
        described.push(one);
    }
    let held = described.iter().position(|one| one.holds.is_some());
    let mut parts = Vec::new();
    let mut said = None;
    for (index, one) in described.iter().enumerate() {
        let name = &one.parameter.name;
        let is_held = held == Some(index);
        let beside = held.is_some() && !is_held && !one.parameter.is_variable;
        let is_node = one.is_element || one.node.is_some();
        let links = one.links_on();
        if function.is_initialiser && index == 0 && !one.parameter.is_variable {
            parts.push(one.alone());
            continue;
        }
        // It is a part of the structure, and nobody knows which one.
        let is_inside = links == Some(LinkUse::Follows) && (beside || one.is_element);
        let is_taken_out = function.is_removal && described.len() == 1 && one.is_round();
        if is_node && (!is_held && (is_inside || one.goes_up()) || is_taken_out) {
            return Before::Inside;
        }
        if is_node && (beside || one.is_element || links == Some(LinkUse::Sets)) {
            parts.push(one.alone());
            continue;
        }
        let valid = match (&one.holds, &one.node) {
            (Some(valid), _) => valid.clone(),
            (None, Some(_)) => match structures.describe(&one.record, 1) {
                Some(valid) => valid,
                None => continue,
            },
            (None, None) => continue,
        };
        // Where there is no node, a structure of nodes is empty; a node in front is always there.
        let part = match &one.node {
            Some(node) if node.is_tree() || !node.is_circular() => match one.parameter.is_present {
                true => format!("{valid}({name}) & {name} != null"),
                false => format!("{valid}({name})"),
            },
            _ => one.unless_absent(format!("{valid}({name})")),
        };
        if is_held && one.parameter.may_be_absent && one.node.is_none() {
            said = Some(part.clone());
        } else if is_held {
            said = Some(format!("{valid}({name})"));
        }
        parts.push(part);
    }
    if parts.is_empty() {
        return Before::Nothing;
    }
    // Conditions stand behind all parts of the heap.
    let mut conditions = String::new();
    for part in &mut parts {
        if !part.starts_with('(')
            && let Some((heap, condition)) = part.split_once(" & ")
        {
            conditions.push_str(&format!(" & {condition}"));
            *part = heap.to_owned();
        }
    }
    let others = function.parameters.iter().filter(|given| {
        let mut described = described.iter();
        given.is_present && !described.any(|one| one.parameter.name == given.name)
    });
    for given in others {
        conditions.push_str(&format!(" & {} != null", given.name));
    }
    if let Some(last) = parts.last_mut() {
        last.push_str(&conditions);
    }
    Before::Parts {
        parts,
        takes_nodes: false,
        held: said,
    }
}

/// Whether objects of a record are in structures by a node inside of them.
fn is_element(records: &dyn Records, record: &Record) -> bool {
    let mut fields = record.fields.iter();
    fields.any(|field| is_link_of(records, record, field))
}
