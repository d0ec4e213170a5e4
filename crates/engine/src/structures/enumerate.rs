//! Counting the structures for which the predicate of a subject holds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_ir::machine::Budgets;
use heapwright_logic::Deadline;

use super::structure::{Content, Reference, Structure};
use super::{Partial, Scope, Structures};
use crate::input::Input;
use crate::options::StructureBounds;
use crate::search::supply::Supplier;
use crate::subject::Subject;

/// What an enumeration found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enumeration {
    /// How many structures of each size there are: objects of the most frequent class, those that
    /// are arguments themselves and values apart.
    pub by_size: BTreeMap<u32, u64>,
    /// Runs of the predicate to the end.
    pub candidates: u64,
    /// Partial structures that were refuted before.
    pub refuted: u64,
    /// Questions to the solver.
    pub solver_calls: u64,
    /// Structures that could not be followed to the end, or that a deadline kept out.
    pub incomplete: bool,
    /// Whether objects of some class have only some of the contents that they could have.
    pub restricted: bool,
    /// Time in all.
    pub time: Duration,
}

impl Enumeration {
    /// How many structures there are.
    pub fn structures(&self) -> u64 {
        self.by_size.values().sum()
    }
}

/// Enumerates the structures within a scope for which the predicate of a subject holds; the visitor
/// gets the input that each stands for, and says whether to go on; the deadline ends it as well.
/// `None` if the subject has no predicate.
pub fn enumerate(
    mut subject: Arc<Subject>,
    supplier: &mut dyn Supplier,
    bounds: &StructureBounds,
    elements: u32,
    budgets: Budgets,
    deadline: &Deadline,
    visitor: &mut dyn FnMut(&Subject, Input) -> bool,
) -> Option<Enumeration> {
    let begin = Instant::now();
    let mut missing = BTreeSet::new();
    loop {
        let grown = {
            let predicate = subject.invariant?;
            let scope = Scope {
                objects: bounds.scope,
                elements,
            };
            let partial = Partial::new(&subject, scope, bounds.domains.clone(), deadline).ok()?;
            let mut structures = Structures::new(partial.clone(), predicate, budgets);
            let mut found = Enumeration::default();
            let mut grown = None;
            for next in structures.by_ref() {
                match next {
                    Ok(structure) => {
                        for structure in partial.valuations(&subject, &structure) {
                            let size = size(&subject, &structure);
                            *found.by_size.entry(size).or_insert(0) += 1;
                            if let Some(input) = partial.input(&subject, &structure)
                                && !visitor(&subject, input)
                            {
                                found.incomplete = true;
                                break;
                            }
                        }
                    }
                    Err(needed) if missing.contains(&needed) => found.incomplete = true,
                    Err(needed) => {
                        let function = needed.function();
                        grown = function.and_then(|id| supplier.supply(&BTreeSet::from([id])));
                        missing.insert(needed);
                        if grown.is_some() {
                            break;
                        }
                    }
                }
                if found.incomplete {
                    break;
                }
            }
            if grown.is_none() {
                let effort = structures.effort;
                found.candidates = effort.candidates;
                found.refuted = effort.refuted;
                found.incomplete |= effort.unsupported > 0 || effort.expired;
                found.restricted = partial.is_restricted();
                found.solver_calls = partial.questions();
                found.time = begin.elapsed();
                return Some(found);
            }
            grown
        };
        subject = grown?;
    }
}

/// The size of a structure.
fn size(subject: &Subject, structure: &Structure) -> u32 {
    let arguments = structure.arguments.iter().filter_map(|content| {
        let Content::Slot(slot) = content else {
            return None;
        };
        match structure.chosen(*slot)? {
            Reference::Null => None,
            Reference::Object(number) => Some(number),
        }
    });
    let arguments: BTreeSet<u32> = arguments.collect();
    let mut counts = BTreeMap::new();
    for (number, object) in (0..).zip(&structure.objects) {
        let is_value = subject.rules.values.contains(&object.class)
            || subject.rules.parts.contains(&object.class)
            || subject.program.manual_memory && object.owned;
        if !arguments.contains(&number) && !is_value {
            *counts.entry(object.class).or_insert(0) += 1;
        }
    }
    counts.values().copied().max().unwrap_or(0)
}
