//! Specifications in annotations of the class itself.
//!
//! Any annotation type of these simple names will do, as long as the compiler keeps it in the
//! class file: `@Specification("pred ...")` on a class has predicates and contracts as a file would
//! have them; `@Pre("...")` and `@Post("...")` on a method have a formula.

use std::fmt::Write as _;

use crate::classfile::{Annotation, Class, ElementValue, Method};

/// The specification that annotations of a class amount to, as a text; none without any.
pub fn annotated(class: &Class) -> Option<String> {
    let mut text = String::new();
    for part in values(&class.annotations, "Specification") {
        let _ = writeln!(text, "{part}");
    }
    for method in &class.methods {
        for (annotation, keyword) in [("Pre", "pre"), ("Post", "post")] {
            for formula in values(&method.annotations, annotation) {
                let formula = formula.trim().trim_end_matches(';');
                let (class, name) = (&class.name, &method.name);
                let parameters = parameters(method);
                let _ = writeln!(text, "{keyword} {class}#{name}({parameters}) := {formula};");
            }
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The texts of the annotations with a simple name.
fn values<'a>(annotations: &'a [Annotation], wanted: &'a str) -> impl Iterator<Item = &'a str> {
    let named = annotations.iter().filter(move |annotation| {
        let name = annotation.ty.to_string();
        name.rsplit(['.', '$']).next() == Some(wanted)
    });
    named.flat_map(|annotation| match annotation.element("value") {
        Some(ElementValue::String(text)) => vec![&**text],
        Some(ElementValue::Array(parts)) => (parts.iter())
            .filter_map(|part| match part {
                ElementValue::String(text) => Some(&**text),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    })
}

/// The parameters with their types, as a contract has them.
fn parameters(method: &Method) -> String {
    let types = method.descriptor.parameters.iter().enumerate();
    let parameters: Vec<String> = types
        .map(|(index, ty)| match method.parameter_name(index) {
            Some(name) => format!("{ty} {name}"),
            None => format!("{ty} argument{index}"),
        })
        .collect();
    parameters.join(", ")
}
