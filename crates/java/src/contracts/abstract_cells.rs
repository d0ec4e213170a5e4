//! Objects of abstract classes, which there are none of.
//!
//! A cell is one object, and that has a class with constructors. Which one it is decides what a
//! call of its methods does, so a precondition has to name it. A postcondition only looks at
//! objects that are there, and those of every class below the one that it names will do.

use std::collections::BTreeSet;

use heapwright_logic::{ClassId, Formula, PredId, SymbolicHeap};
use heapwright_spec::diagnostic::Diagnostic;
use heapwright_spec::{ContractKind, SpecError, Specification};

use crate::world::World;

/// Refuses preconditions that describe objects of abstract classes or interfaces, by themselves or
/// through a predicate.
pub(super) fn refuse(
    world: &World,
    specification: &Specification,
    write: impl Fn(&str) -> String,
) -> Result<(), SpecError> {
    let mut errors = Vec::new();
    for contract in &specification.contracts {
        if contract.kind != ContractKind::Pre {
            continue;
        }
        for (class, predicate) in described(specification, &contract.formula) {
            let name = &specification.definitions.class(class).name;
            let loaded = world.class_path().load(name);
            let kind = match loaded.map(|class| class.access) {
                Ok(access) if access.is_interface() => "an interface",
                Ok(access) if access.is_abstract() => "abstract",
                _ => continue,
            };
            let place = predicate.map_or(String::new(), |predicate| {
                let name = &specification.definitions.predicate(predicate).name;
                format!(", which `{name}` describes an object of,")
            });
            let message = format!("`{}`{place} is {kind} and has no objects", write(name));
            let below = world.concrete_below(name).into_iter();
            let below: Vec<String> = below.map(|name| format!("`{}`", write(&name))).collect();
            let help = match &below[..] {
                [] => "no class below it can be part of an input".to_owned(),
                [only] => format!("write the class of the object: {only}"),
                several => format!(
                    "write the class of the object, in one case for each that is meant: {}",
                    several.join(", ")
                ),
            };
            errors.push(Diagnostic::error(contract.span, message).with_help(help));
        }
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(SpecError::rejected(specification.sources.clone(), errors)),
    }
}

/// The classes of the objects that a formula describes, each with the predicate that does so.
fn described(
    specification: &Specification,
    formula: &Formula,
) -> BTreeSet<(ClassId, Option<PredId>)> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<(&SymbolicHeap, Option<PredId>)> =
        formula.disjuncts.iter().map(|heap| (heap, None)).collect();
    while let Some((heap, predicate)) = waiting.pop() {
        found.extend(heap.points_to.iter().map(|cell| (cell.class, predicate)));
        for instance in &heap.instances {
            if seen.insert(instance.predicate) {
                let called = specification.definitions.predicate(instance.predicate);
                let bodies = called.disjuncts.iter();
                waiting.extend(bodies.map(|heap| (heap, Some(instance.predicate))));
            }
        }
    }
    found
}
