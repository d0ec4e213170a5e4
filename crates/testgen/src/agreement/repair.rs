//! Where a heap has to be changed so that a predicate of the program holds.
//!
//! A predicate says no more than "false". The place that it means is found by trying: one field, or
//! two, with another value.

use std::collections::BTreeMap;

use heapwright_engine::oracle::invariant;
use heapwright_engine::{Input, Options, Subject, Verification};
use heapwright_logic::{Loc, Sort, Value};

use super::numbers;

/// So many changes are tried.
const MOST_RUNS: usize = 4_000;

/// Heaps with more possible changes than this are changed in one place only.
const MOST_PAIRED: usize = 90;

/// Another value for a field.
#[derive(Clone)]
struct Change {
    loc: Loc,
    field: usize,
    value: Value,
}

/// What to say at which object: the smallest change after which the predicate holds.
pub fn repair(subject: &Subject, input: &Input) -> BTreeMap<Loc, String> {
    let changes = changes(subject, input);
    let mut runs = 0;
    let mut holds = |changes: &[&Change]| {
        runs += 1;
        runs <= MOST_RUNS && holds(subject, &changed(input, changes))
    };
    for change in &changes {
        if holds(&[change]) {
            return said(subject, input, &[change]);
        }
    }
    if changes.len() <= MOST_PAIRED {
        for (position, first) in changes.iter().enumerate() {
            for second in changes.iter().skip(position + 1) {
                let apart = (first.loc, first.field) != (second.loc, second.field);
                if apart && holds(&[first, second]) {
                    return said(subject, input, &[first, second]);
                }
            }
        }
    }
    BTreeMap::new()
}

fn holds(subject: &Subject, input: &Input) -> bool {
    let budgets = Options::default().budgets;
    matches!(
        invariant(subject, input, budgets),
        Ok(Some(Verification::Holds))
    )
}

/// Other values for the fields of all objects: other objects and null, and numbers nearby.
fn changes(subject: &Subject, input: &Input) -> Vec<Change> {
    let definitions = &subject.definitions;
    let nearby = numbers::nearby(input);
    let mut changes = Vec::new();
    for (&loc, cell) in &input.heap.cells {
        let fields = definitions.class(cell.class).fields.iter();
        for (field, (declared, &old)) in fields.zip(&cell.fields).enumerate() {
            let values = match declared.sort {
                Sort::Ref(class) => {
                    let cells = input.heap.cells.iter();
                    let fitting =
                        cells.filter(|(_, cell)| definitions.is_subclass(cell.class, class));
                    let references = fitting.map(|(&loc, _)| Value::Ref(loc));
                    references.chain([Value::Null]).collect()
                }
                _ => numbers::others(Some(old), &nearby),
            };
            let fits = |value: &Value| *value != old && value.has_sort(declared.sort);
            let values = values.into_iter().filter(fits);
            changes.extend(values.map(|value| Change { loc, field, value }));
        }
    }
    changes
}

fn changed(input: &Input, changes: &[&Change]) -> Input {
    let mut changed = Input {
        witness: None,
        ..input.clone()
    };
    for change in changes {
        let cell = changed.heap.cells.get_mut(&change.loc);
        if let Some(field) = cell.and_then(|cell| cell.fields.get_mut(change.field)) {
            *field = change.value;
        }
    }
    changed
}

/// `with last = #2 the predicate would hold`
fn said(subject: &Subject, input: &Input, changes: &[&Change]) -> BTreeMap<Loc, String> {
    let mut said: BTreeMap<Loc, Vec<String>> = BTreeMap::new();
    for change in changes {
        let class = input.heap.cells.get(&change.loc).map(|cell| cell.class);
        let field = class.and_then(|class| {
            let fields = &subject.definitions.class(class).fields;
            fields.get(change.field)
        });
        let name = field.map_or("?", |field| field.name.as_str());
        let words = said.entry(change.loc).or_default();
        words.push(format!("{name} = {}", change.value));
    }
    let together = if said.len() > 1 {
        " (both changes)"
    } else {
        ""
    };
    said.into_iter()
        .map(|(loc, words)| {
            let words = words.join(" and ");
            (
                loc,
                format!("with {words} the predicate would hold{together}"),
            )
        })
        .collect()
}
