//! Preconditions for the functions that work on a class.

use std::sync::Arc;

use super::Target;
use super::names::shown;
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
        /// The predicate and the parameter that it speaks of, of an object that holds a structure.
        held: Option<(String, String)>,
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
        if let (Some((valid, parameter)), false) = (held, function.is_destructor) {
            after.push_str(&format!("// post {signature} := {valid}({parameter});\n"));
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
            "\n// What should hold when a {noun} has returned. Take the marks off to have it \
             checked: a test that\n// breaks it is a finding, in the {noun} or in this file.\n",
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

/// A parameter of which there is something to say.
struct Described<'f> {
    parameter: &'f Parameter,
    record: Arc<Record>,
    /// Whether it is in structures by a node inside of it.
    is_element: bool,
    /// The predicate for it.
    valid: Option<String>,
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
        let is_element = is_element(structures.records, &record);
        let valid = match is_element {
            true => None,
            false => structures.describe(&record, 1),
        };
        described.push(Described {
            parameter,
            record,
            is_element,
            valid,
        });
    }
    let is_head = |one: &Described<'_>| match Node::of(&one.record) {
        None => true,
        Some(node) => {
            one.parameter.is_variable || node.is_circular() && one.parameter.links != LinkUse::Sets
        }
    };
    let held = described
        .iter()
        .position(|one| one.valid.is_some() && is_head(one));
    let mut parts = Vec::new();
    for (index, one) in described.iter().enumerate() {
        let name = &one.parameter.name;
        let alone = || format!("{name} -> {}()", one.record.written);
        let is_node = one.is_element || Node::of(&one.record).is_some();
        let follows = one.parameter.links == LinkUse::Follows;
        match &one.valid {
            None if !one.is_element => {}
            _ if function.is_initialiser && index == 0 => parts.push(alone()),
            // It is a part of the structure, and nobody knows which one.
            _ if is_node && follows && held.is_some_and(|held| held != index) => {
                return Before::Inside;
            }
            None if follows => return Before::Inside,
            None => parts.push(alone()),
            Some(valid) => {
                let is_other = held.is_some_and(|held| held != index);
                let is_new = is_other || one.parameter.links == LinkUse::Sets;
                match is_node && is_new && !one.parameter.is_variable {
                    true => parts.push(alone()),
                    false => parts.push(format!("{valid}({name})")),
                }
            }
        }
    }
    if parts.is_empty() {
        return Before::Nothing;
    }
    // A cell is there anyway.
    let is_cell = |name: &str| {
        parts
            .iter()
            .any(|part| part.starts_with(&format!("{name} -> ")))
    };
    let is_head = |name: &str| {
        let mut described = described.iter();
        let one = described.find(|one| one.parameter.name == name);
        let may_be_null = |one: &Described<'_>| {
            Node::of(&one.record).is_some_and(|node| node.is_tree() || !node.is_circular())
        };
        one.is_some_and(|one| one.valid.is_some() && !may_be_null(one))
    };
    let present = function.parameters.iter().filter(|given| given.is_present);
    let present = present.filter(|given| !is_cell(&given.name) && !is_head(&given.name));
    let present: String = present
        .map(|given| format!(" & {} != null", given.name))
        .collect();
    if let Some(last) = parts.last_mut() {
        last.push_str(&present);
    }
    let held = held.and_then(|held| described.get(held));
    let held = held.and_then(|one| Some((one.valid.clone()?, one.parameter.name.clone())));
    Before::Parts {
        parts,
        takes_nodes: false,
        held,
    }
}

/// Whether objects of a record are in structures by a node inside of them.
fn is_element(records: &dyn Records, record: &Record) -> bool {
    let mut fields = record.fields.iter();
    fields.any(|field| is_link_of(records, record, field))
}
