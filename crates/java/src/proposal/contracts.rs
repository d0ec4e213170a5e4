//! Preconditions for the methods of a class.

use std::sync::Arc;

use super::names::{ClassNames, is_writable, is_writable_class, shown};
use super::structure::Structures;
use crate::classfile::{Class, Method};
use crate::descriptor::Type;
use crate::hierarchy::LinkError;

/// A precondition for every method that there is something to say about, and a postcondition that
/// is commented out. The method that says which objects are valid works on others as well, so
/// nothing is proposed for it.
pub fn write(
    structures: &mut Structures<'_>,
    class: &Arc<Class>,
    predicate: Option<&str>,
) -> Result<String, LinkError> {
    let receiver = structures.describe(class, 0)?;
    let is_node = structures.as_node(class)?.is_some();
    let (mut before, mut after, mut left) = (String::new(), String::new(), Vec::new());
    let mut inside = String::new();
    for method in &class.methods {
        let is_written = method.code.is_some() && !method.access.is_synthetic();
        let is_predicate = predicate == Some(&*method.name);
        if !is_written || is_predicate || method.name.starts_with('<') {
            continue;
        }
        let Some(signature) = signature(structures.names, class, method) else {
            left.push(shown(&method.name));
            continue;
        };
        let receiver = receiver.as_ref().filter(|_| !method.access.is_static());
        let mut parts: Vec<String> = Vec::new();
        let (mut takes_nodes, mut is_inside) = (false, false);
        for (index, ty) in method.descriptor.parameters.iter().enumerate() {
            let Type::Class(name) = ty else {
                continue;
            };
            let Ok(known) = structures.hierarchy.load(name) else {
                continue;
            };
            let node = structures.as_node(&known)?;
            // A node that leads back can be any of its structure.
            if (node.as_ref()).is_some_and(|node| node.leads_back() && known.name != class.name) {
                is_inside = true;
                break;
            }
            let Some(valid) = structures.describe(&known, 1)? else {
                continue;
            };
            let parameter = parameter(method, index);
            if node.is_some() {
                takes_nodes |= known.name != class.name;
                parts.push(format!("{valid}({parameter})"));
            } else {
                let empty = format!("emp & {parameter} = null");
                parts.push(format!("({empty} | {valid}({parameter}))"));
            }
        }
        if is_inside {
            inside.push_str(&format!("// pre  {signature} := ...;\n"));
            continue;
        }
        // A method that is given nodes of the structure works on these.
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
    }
    let mut text = String::new();
    if !before.is_empty() {
        text.push_str("// What holds before each method is called.\n");
        text.push_str(&before);
    }
    if !inside.is_empty() {
        text.push_str(
            "\n// These are given nodes of a structure. Say which ones, or leave them out \
             (--specified).\n",
        );
        text.push_str(&inside);
    }
    if !after.is_empty() {
        text.push_str(
            "\n// What should hold when a method has returned. Take the marks off to have it \
             checked: a test that\n// breaks it is a finding, in the method or in this file.\n",
        );
        text.push_str(&after);
    }
    if !left.is_empty() {
        text.push_str(&format!(
            "\n// Left out, for their parameters or names cannot be written here: {}.\n",
            left.join(", ")
        ));
    }
    Ok(text)
}

/// `Class#method(x, y)`, with types where methods share the name; none if it cannot be
/// written.
fn signature(names: ClassNames, class: &Class, method: &Method) -> Option<String> {
    let mut methods = class.methods.iter();
    let overloaded = methods.any(|other| {
        other.name == method.name
            && !other.access.is_synthetic()
            && other.descriptor.parameters != method.descriptor.parameters
    });
    if !is_writable(&method.name) || !is_writable_class(&class.name) {
        return None;
    }
    let parameters = method.descriptor.parameters.iter().enumerate();
    let parameters: Option<Vec<String>> = parameters
        .map(|(index, ty)| {
            let name = parameter(method, index);
            match overloaded {
                true => Some(format!("{} {name}", type_name(ty)?)),
                false => Some(name),
            }
        })
        .collect();
    let name = names.of(class);
    Some(format!(
        "{name}#{}({})",
        method.name,
        parameters?.join(", ")
    ))
}

fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Primitive(primitive) => Some(primitive.name().to_owned()),
        Type::Class(name) if &**name == "java.lang.Object" => Some("Object".to_owned()),
        Type::Class(name) => is_writable_class(name).then(|| name.to_string()),
        Type::Array(_) => None,
    }
}

/// The name of a parameter, or one that is made up.
fn parameter(method: &Method, index: usize) -> String {
    match method.parameter_name(index) {
        Some(name) if is_writable(name) => name.to_owned(),
        _ => format!("argument{index}"),
    }
}
