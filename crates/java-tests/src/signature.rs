//! Methods as people write them.

use heapwright_engine::Subject;
use heapwright_java::classfile::Method;
use heapwright_java::target::TargetMethod;

use heapwright_explain::words;

/// `trees.Tree#remove(int x, Node t)`.
pub fn title(target: &TargetMethod, subject: &Subject) -> String {
    let method = &target.declared.method;
    let types = &method.descriptor.parameters;
    let given = subject.inputs.len().saturating_sub(subject.globals.len());
    let names = subject.inputs.iter().take(given);
    let names = names.skip(given.saturating_sub(types.len()));
    let parameters: Vec<String> = (types.iter().zip(names))
        .map(|(ty, input)| format!("{} {}", words::simple_class(&ty.to_string()), input.name))
        .collect();
    format!(
        "{}#{}({})",
        target.class.name,
        method.name,
        parameters.join(", ")
    )
}

/// What names of tests begin with: the name of the method; where several methods have it, also the
/// types of the parameters, but for the method with the fewest.
pub fn prefix(target: &TargetMethod) -> String {
    let method = &target.declared.method;
    let name = name(target);
    let count = |method: &Method| method.descriptor.parameters.len();
    let others: Vec<usize> = (target.declared.class.methods.iter())
        .filter(|other| other.name == method.name && !other.access.is_synthetic())
        .filter(|other| other.descriptor != method.descriptor)
        .map(|other| count(other))
        .collect();
    if others.iter().all(|&other| other > count(method)) {
        return name;
    }
    let mut types = String::new();
    for ty in &method.descriptor.parameters {
        let ty = ty.to_string();
        let word = identifier(&words::simple_class(&ty).replace("[]", "Array"));
        let (first, rest) = word.split_at_checked(1).unwrap_or((&word, ""));
        match types.is_empty() {
            true => types.push_str(&first.to_ascii_lowercase()),
            false => types.push_str(&first.to_ascii_uppercase()),
        }
        types.push_str(rest);
    }
    match types.is_empty() {
        true => name,
        false => format!("{name}_{types}"),
    }
}

/// The name of a method where only letters and digits are allowed.
pub fn name(target: &TargetMethod) -> String {
    match &*target.declared.method.name {
        "<init>" => "constructor".to_owned(),
        name => identifier(name),
    }
}

/// A name where only letters and digits are allowed.
fn identifier(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    text.chars().map(plain).collect()
}
