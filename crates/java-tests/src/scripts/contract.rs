//! Contracts by which inputs of a method are models of what was inferred.

use std::fmt::Write;

use heapwright_infer::session::Inference;
use heapwright_infer::within;
use heapwright_java::descriptor::Type;
use heapwright_java::target::TargetMethod;

use super::inferred::{is_any_object, is_value};

/// More parameters that are objects of the class make too many cases.
const MOST_OBJECTS: usize = 2;

/// What a case of a contract says.
#[derive(Clone, Default)]
struct Case {
    heap: Vec<String>,
    facts: Vec<String>,
    /// An object that is there and that the method is not given.
    is_around: bool,
}

/// What inputs of a method are: its object is a model, and so are, each by itself, its parameters of the
/// class, or null, or the same object; a parameter that is part of such objects is part of one. All
/// others are open. With the predicates that it needs.
pub fn contract(target: &TargetMethod, inference: &Inference) -> Option<String> {
    let method = &target.declared.method;
    let class = &target.class;
    let name = &inference.name;
    let mut text = inference.predicates.clone();
    let mut parameters = Vec::new();
    let (mut objects, mut parts) = (Vec::new(), Vec::new());
    for (index, ty) in method.descriptor.parameters.iter().enumerate() {
        let name = format!("a{}", index + 1);
        let full = ty.to_string();
        let short = full.rsplit('.').next().unwrap_or(&full);
        parameters.push(format!("{short} {name}"));
        match ty {
            _ if *ty == class.ty() => objects.push(name),
            Type::Class(of) if !is_value(of) && !is_any_object(of) => {
                parts.push((name, short.to_owned()));
            }
            _ => {}
        }
    }
    if objects.len() > MOST_OBJECTS || parts.len() > 1 {
        return None;
    }
    let mut own = Case::default();
    if !method.access.is_static() {
        own.heap.push(format!("{name}(this)"));
    }
    let mut cases = vec![own];
    if let Some((part, class)) = parts.pop() {
        let (more, with) = within(&inference.predicates, name, &class)?;
        text.push_str(&more);
        let mut null = cases.remove(0);
        let mut inside = Case {
            is_around: method.access.is_static(),
            ..Case::default()
        };
        let object = if inside.is_around { "around" } else { "this" };
        inside.heap.push(format!("{with}({object}, {part})"));
        null.facts.push(format!("{part} = null"));
        cases.extend([null, inside]);
    }
    let mut known: Vec<String> = Vec::new();
    known.extend((!method.access.is_static()).then(|| "this".to_owned()));
    for object in objects {
        let mut more = Vec::new();
        for case in cases {
            let same = known.iter().map(String::as_str).chain(["null"]);
            more.extend(same.map(|other| {
                let mut case = case.clone();
                case.facts.push(format!("{object} = {other}"));
                case
            }));
            let mut own = case;
            own.heap.push(format!("{name}({object})"));
            more.push(own);
        }
        cases = more;
        known.push(object);
    }
    let cases = cases.into_iter().map(|case| {
        let heap = match case.heap.is_empty() {
            true => "emp".to_owned(),
            false => case.heap.join(" * "),
        };
        let around = if case.is_around {
            "exists around. "
        } else {
            ""
        };
        (case.facts.into_iter()).fold(format!("{around}{heap}"), |text, fact| {
            format!("{text} & {fact}")
        })
    });
    let cases: Vec<String> = cases.collect();
    // Writing into a text never fails.
    let _ = writeln!(
        text,
        "pre {}#{}({}) :=\n    {};",
        class.simple_name(),
        method.name,
        parameters.join(", "),
        cases.join("\n  | ")
    );
    Some(text)
}
