//! The classes that a specification speaks of.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::classfile::Class;
use crate::descriptor::{Type, package_of};
use crate::world::World;

/// How many classes are completed for the fields of those that are there: enough for every
/// structure, and an end for class paths that refer to each other without one.
const MOST_CLASSES: usize = 200;

/// Completes the classes that a text on a class can mean: the class itself with its nested
/// classes and those around it, whatever the fields of these lead to inside of the package, and
/// every class that the text names. The class itself comes first.
///
/// A name that is no class is left to whoever understands the text.
pub fn mention(world: &mut World, class: &Arc<Class>, text: &str) -> Vec<Arc<Class>> {
    let path = Arc::clone(world.class_path());
    let package = package_of(&class.name).to_owned();
    let outer = class
        .name
        .split('$')
        .next()
        .unwrap_or(&class.name)
        .to_owned();
    let mut waiting = vec![class.name.to_string(), outer.clone()];
    for word in words(text) {
        let nested = word.replace('.', "$");
        waiting.push(word.to_owned());
        waiting.push(format!("{package}.{word}"));
        waiting.push(format!("{package}.{nested}"));
        waiting.push(format!("{outer}${nested}"));
        // `pkg_Outer__Inner` of the StarFinder notation.
        if word.contains('_') {
            waiting.push(word.replace("__", "$").replace('_', "."));
        }
    }
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(name) = waiting.get(next).cloned() {
        next += 1;
        if found.len() >= MOST_CLASSES || !seen.insert(name.clone()) {
            continue;
        }
        let Ok(known) = path.load(&name) else {
            continue;
        };
        if *known.name != *name || world.complete(&known.ty()).is_err() {
            continue;
        }
        let fields = known.fields.iter().map(|field| &field.ty);
        let home = package_of(&known.name);
        for field in fields.filter_map(element_class) {
            if package_of(field) == home {
                waiting.push(field.to_owned());
            }
        }
        waiting.extend(known.superclass.as_deref().map(str::to_owned));
        found.push(known);
    }
    found
}

/// The class of a type, or of the elements of an array.
fn element_class(ty: &Type) -> Option<&str> {
    let mut ty = ty;
    loop {
        match ty {
            Type::Class(name) => return Some(name),
            Type::Array(element) => ty = element,
            Type::Primitive(_) => return None,
        }
    }
}

/// The words of a text that could be names of classes.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let words = text.split(move |c| !inside(c));
    words
        .map(|word| word.trim_matches('.'))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
