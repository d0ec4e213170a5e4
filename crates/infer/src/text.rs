//! The specification: one predicate for each kind of places, the invariant last.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use heapwright_logic::{ClassId, Value};

use crate::attributes::Attribute;
use crate::candidate::Candidate;
use crate::constraints::{Condition, Relation};
use crate::observed::Observed;
use crate::references::{Order, Outer, Reference, Rule};
use crate::shape::{FieldKey, Kind};

mod cell;
mod parameters;
mod within;
mod words;

use cell::Cell;
use parameters::{Bounds, Own, Parameters, Thread};
pub use within::{cases, within};

/// The text of a candidate.
pub struct Written {
    /// The declarations.
    pub predicates: String,
    /// The name of the invariant.
    pub name: String,
    /// Fields that nothing is said about.
    pub free: BTreeSet<FieldKey>,
}

/// A reference that the text cannot say.
pub type Unsaid = (Kind, ClassId, usize);

/// Writes a candidate.
pub fn write(
    observed: &Observed,
    candidate: &Candidate,
    class_name: &dyn Fn(ClassId) -> String,
) -> Result<Written, Unsaid> {
    let parameters = Parameters::new(candidate)?;
    let mut writer = Writer {
        observed,
        candidate,
        class_name,
        parameters,
        names: BTreeMap::new(),
        free: BTreeSet::new(),
    };
    writer.choose_names();
    let mut text = String::new();
    let kinds = candidate.shape.kinds();
    for kind in (0..kinds).rev() {
        writer.predicate(kind, &mut text)?;
    }
    let name = writer.names.get(&0).cloned().unwrap_or_default();
    Ok(Written {
        predicates: text,
        name,
        free: writer.free,
    })
}

struct Writer<'a> {
    observed: &'a Observed,
    candidate: &'a Candidate,
    class_name: &'a dyn Fn(ClassId) -> String,
    parameters: Parameters,
    names: BTreeMap<Kind, String>,
    free: BTreeSet<FieldKey>,
}

impl Writer<'_> {
    fn choose_names(&mut self) {
        for (&kind, classes) in &self.candidate.classes {
            let class = match classes.first() {
                Some(&class) if kind != 0 => class,
                _ => self.observed.class,
            };
            let full = &self.observed.definitions.class(class).name;
            let simple = full.rsplit(['.', '$']).next().unwrap_or(full);
            let base = snake_case(simple);
            let mut name = base.clone();
            let mut number = 2;
            while self.names.values().any(|known| *known == name) {
                name = format!("{base}_{number}");
                number += 1;
            }
            self.names.insert(kind, name);
        }
    }

    fn predicate(&mut self, kind: Kind, text: &mut String) -> Result<(), Unsaid> {
        let own = self.parameters.of(kind).clone();
        let classes = self
            .candidate
            .classes
            .get(&kind)
            .cloned()
            .unwrap_or_default();
        let mut disjuncts = Vec::new();
        if let Some(empty) = self.candidate.empty.get(&kind) {
            let mut conjuncts = vec![format!("{} = {}", own.object, own.outer(empty))];
            conjuncts.extend(
                own.last
                    .iter()
                    .map(|(_, outer, name)| format!("{name} = {}", own.above(outer))),
            );
            let ends = own.next.iter();
            conjuncts.extend(ends.map(|thread| format!("{} = {}", thread.first, thread.after)));
            for (attribute, name) in &own.attributes {
                conjuncts.push(format!("{name} = {}", said(*attribute, attribute.empty())));
            }
            disjuncts.push(format!("emp & {}", conjuncts.join(" & ")));
        }
        for class in classes {
            for pattern in self.patterns(kind, class) {
                let cell = Cell::new(self, kind, class, pattern.as_deref());
                disjuncts.push(cell.written()?);
            }
        }
        for line in words::about(self, kind) {
            let _ = writeln!(text, "// {line}");
        }
        let name = self.names.get(&kind).cloned().unwrap_or_default();
        let head = format!("pred {name}({}) :=", own.names().join(", "));
        let _ = writeln!(text, "{head}");
        let count = disjuncts.len();
        for (index, disjunct) in disjuncts.into_iter().enumerate() {
            let bar = if index == 0 { "    " } else { "  | " };
            let end = if index + 1 == count { ";" } else { "" };
            let _ = writeln!(text, "{bar}{disjunct}{end}");
        }
        text.push('\n');
        Ok(())
    }

    /// The patterns of empty places that have a disjunct each; one for all if they do not matter.
    fn patterns(&self, kind: Kind, class: ClassId) -> Vec<Option<Vec<bool>>> {
        let mut patterns: Option<BTreeSet<Vec<bool>>> = None;
        for constraint in &self.candidate.constraints {
            if let Condition::Patterns(known) = &constraint.condition
                && (constraint.kind, constraint.class) == (kind, class)
            {
                patterns = Some(known.clone());
            }
        }
        for ((_, _, _), rule) in (self.candidate.rules.iter())
            .filter(|((known, of, _), _)| (*known, *of) == (kind, class))
        {
            if let Rule::ByPattern(rules) = rule {
                let known: BTreeSet<Vec<bool>> = rules.keys().cloned().collect();
                patterns = Some(match patterns {
                    Some(patterns) => patterns.intersection(&known).cloned().collect(),
                    None => known,
                });
            }
        }
        match patterns {
            Some(patterns) => patterns.into_iter().map(Some).collect(),
            None => vec![None],
        }
    }

    /// Notes a field that nothing is said about.
    fn leave_free(&mut self, class: ClassId, field: usize) {
        self.free.insert((class, field));
    }
}

/// A number or truth value of an attribute.
fn said(attribute: Attribute, number: i128) -> String {
    match attribute {
        Attribute::Flag(..) => (number != 0).to_string(),
        _ => number.to_string(),
    }
}

/// A value as it is written.
fn value(value: Value) -> String {
    value.to_string()
}

fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            let before = name.chars().nth(index - 1);
            if before.is_some_and(|before| !before.is_uppercase()) {
                text.push('_');
            }
        }
        text.extend(letter.to_lowercase());
    }
    // Classes without a name of their own have a number.
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        text.insert_str(0, "object_");
    }
    // Names of predicates and of the language must not be mixed up.
    match text.as_str() {
        "exists" | "emp" | "true" | "false" | "null" | "nil" | "old" | "" => format!("{text}_"),
        _ => text,
    }
}
