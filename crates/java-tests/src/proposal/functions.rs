//! The methods of a class, as contracts name them.

use heapwright_java::classfile::{Class, Method};
use heapwright_java::descriptor::Type;
use heapwright_testgen::proposal::names::{is_writable, is_writable_class};
use heapwright_testgen::proposal::{Function, Parameter};

use super::records::ClassNames;

/// The methods that preconditions are proposed for. The one that says which objects are valid works
/// on others as well, so it is none of them.
pub fn functions(class: &Class, predicate: Option<&str>, names: ClassNames) -> Vec<Function> {
    let methods = class.methods.iter().filter(|method| {
        let is_written = method.code.is_some() && !method.access.is_synthetic();
        let is_predicate = predicate == Some(&*method.name);
        is_written && !is_predicate && !method.name.starts_with('<')
    });
    let function = |method: &Method| Function {
        name: method.name.to_string(),
        signature: signature(names, class, method),
        has_receiver: !method.access.is_static(),
        parameters: references(method),
        is_initialiser: false,
        is_removal: false,
        is_destructor: false,
    };
    methods.map(|method| function(method)).collect()
}

fn references(method: &Method) -> Vec<Parameter> {
    let parameters = method.descriptor.parameters.iter().enumerate();
    let references = parameters.filter_map(|(index, ty)| match ty {
        Type::Class(class) => Some(Parameter {
            name: parameter(method, index),
            record: class.to_string(),
            is_present: false,
            may_be_absent: false,
            is_variable: false,
            links: Vec::new(),
        }),
        _ => None,
    });
    references.collect()
}

/// `Class#method(x, y)`, with types where methods share the name; `None` if it cannot be written.
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
