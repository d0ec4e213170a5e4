//! The classes that a specification speaks of.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::classfile::Class;
use crate::classpath::ClassPath;
use crate::descriptor::{Type, package_of};
use crate::world::World;

/// How many classes are completed for the fields of those that are there: enough for every
/// structure, and an end for class paths that refer to each other without one.
const MOST_CLASSES: usize = 200;

/// Longer names are no classes of the StarFinder notation.
const LONGEST_MANGLED: usize = 300;

/// Completes the classes that a text on a class can mean: the class itself with its nested
/// classes and those around it, whatever the fields of these lead to inside of the package, and
/// every class that the text names. The class itself comes first.
///
/// A class of another package may be named without it if a field leads there, or if no other class
/// of the class path is called like it. A name that is no class is left to whoever understands the
/// text.
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
        // `pkg_Outer__Inner` of the StarFinder notation; a static field may follow. Which `_` are
        // dots is not said.
        if word.contains('_') && word.len() <= LONGEST_MANGLED {
            waiting.extend(unmangled(word));
        }
    }
    let mut seen = FxHashSet::default();
    let mut found: Vec<Arc<Class>> = Vec::new();
    let mut next = 0;
    let named: FxHashSet<&str> = class_words(text).collect();
    let mut asked_elsewhere = false;
    loop {
        let Some(name) = waiting.get(next).cloned() else {
            if asked_elsewhere {
                return found;
            }
            asked_elsewhere = true;
            waiting.extend(only_ones(&path, &named, &found));
            continue;
        };
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
            if package_of(field) == home || named.contains(simple(field)) {
                waiting.push(field.to_owned());
            }
        }
        waiting.extend(known.superclass.as_deref().map(str::to_owned));
        found.push(known);
    }
}

/// For names that none of the classes found has: the class of the class path that has it, if there
/// is one only.
fn only_ones(path: &ClassPath, names: &FxHashSet<&str>, found: &[Arc<Class>]) -> Vec<String> {
    let is_found = |name: &str| found.iter().any(|class| simple(&class.name) == name);
    let mut candidates: BTreeMap<&str, Vec<&str>> = (names.iter().copied())
        .filter(|name| !is_found(simple(name)))
        .map(|name| (name, Vec::new()))
        .collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    // A class path that cannot be read is complained about elsewhere.
    for class in path.classes().into_iter().flatten() {
        if let Some(named) = candidates.get_mut(simple(class)) {
            named.push(class);
        }
    }
    (candidates.into_values())
        .filter_map(|named| match named[..] {
            [only] => Some(only.to_owned()),
            _ => None,
        })
        .collect()
}

/// The words that stand where a class is named: that of an object in a formula, of a `data`
/// declaration, or of the method of a contract.
fn class_words(text: &str) -> impl Iterator<Item = &str> {
    let behind = |mark: &'static str| {
        let pieces = text.split(mark).skip(1).map(str::trim_start);
        pieces.filter_map(|piece| words(piece).next().filter(|word| piece.starts_with(word)))
    };
    let before = text.split('#').filter_map(|piece| {
        let word = words(piece).last();
        word.filter(|word| piece.ends_with(word))
    });
    let behind = ["->", "::", "data "].into_iter().flat_map(behind);
    behind.chain(before)
}

/// The classes that a name of the StarFinder notation may mean: a `_` ends a package or a class, or
/// belongs to a name.
fn unmangled(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    let ends = word.match_indices('_').map(|(at, _)| at);
    for end in ends.chain([word.len()]) {
        let whole = &word[..end];
        let (outer, nested) = whole.split_once("__").unwrap_or((whole, ""));
        let nested = nested.replace("__", "$");
        let separators: Vec<usize> = outer.match_indices('_').map(|(at, _)| at).collect();
        // The first few are dots.
        for dots in 0..=separators.len() {
            let mut name = outer.to_owned();
            for &at in separators.iter().take(dots) {
                name.replace_range(at..=at, ".");
            }
            if !nested.is_empty() {
                name = format!("{name}${nested}");
            }
            found.push(name);
        }
    }
    found
}

/// The name of a class without its package and the classes around it.
fn simple(name: &str) -> &str {
    name.rsplit(['.', '$']).next().unwrap_or(name)
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
