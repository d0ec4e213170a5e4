//! Completions that the class's own predicate accepts.
//!
//! A specification need not speak of every field, and what neither it nor a path speaks of has its
//! default in a completed input: null, zero, false. If the class has a predicate such as `repOk`
//! that rejects the input, other contents of such fields are tried: a new object, one for all,
//! an object of the input, a small number. An input that is accepted satisfies the precondition as
//! before, by a derivation that is found anew. Fields of the same class are changed together at
//! first: what one node lacks, all nodes lack.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::{Budgets, MachineError};
use heapwright_logic::{Budget, ClassId, Heap, Loc, Sort, Value, find_framed_derivation};

use crate::check::oracle;
use crate::input::candidates::{element_sort, fits};
use crate::input::frame::{complete_heap, content_sorts};
use crate::input::{Footprint, Input};
use crate::report::Verification;
use crate::subject::Subject;

/// How many completions of one input are tried.
const COMPLETIONS: usize = 64;

/// How many fields are changed in one completion.
const FIELDS: usize = 3;

/// How many steps the search for a derivation may take.
const BUDGET: Budget = Budget { steps: 100_000 };

/// What the predicate says about an input, and about other completions of it.
pub enum Acceptance {
    /// There is no predicate, or none that says anything about a described heap.
    NotAsked,
    /// It accepts the input.
    Accepted,
    /// It accepts this completion.
    Instead(Box<Input>),
    /// It rejects every completion that was tried, the input for this reason.
    Rejected(String),
}

/// Asks the predicate about an input. Other completions have to pass a further test: they are to
/// take the same path.
pub fn acceptance(
    subject: &Subject,
    input: &Input,
    budgets: Budgets,
    passes: impl Fn(&Input) -> bool,
) -> Result<Acceptance, MachineError> {
    if !describes_objects(subject) || input.witness.is_none() {
        return Ok(Acceptance::NotAsked);
    }
    let reason = match oracle::invariant(subject, input, budgets)? {
        None | Some(Verification::Undecided(_)) => return Ok(Acceptance::NotAsked),
        Some(Verification::Holds) => return Ok(Acceptance::Accepted),
        Some(Verification::Violated(reason)) => reason.to_string(),
    };
    for change in changes(subject, input).into_iter().take(COMPLETIONS) {
        let Some(changed) = apply(subject, input, &change) else {
            continue;
        };
        // A run of the predicate is cheaper than the search for a derivation.
        if oracle::invariant(subject, &changed, budgets)? != Some(Verification::Holds) {
            continue;
        }
        let Some(changed) = described(subject, input, changed) else {
            continue;
        };
        if oracle::precondition(subject, &changed) == Verification::Holds && passes(&changed) {
            return Ok(Acceptance::Instead(Box::new(changed)));
        }
    }
    Ok(Acceptance::Rejected(reason))
}

/// Whether the precondition speaks of objects at all. Without that nothing says which inputs are
/// meant, and the predicate is better asked by the modes that are made for it.
fn describes_objects(subject: &Subject) -> bool {
    let disjuncts = subject.precondition.iter();
    let mut disjuncts = disjuncts.flat_map(|formula| &formula.disjuncts);
    subject.invariant.is_some()
        && disjuncts.any(|heap| !heap.points_to.is_empty() || !heap.instances.is_empty())
}

/// What a field holds instead of its default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    /// A new object, another one for each field.
    Fresh,
    /// One new object for all of them.
    Shared,
    /// The object that has the field.
    Itself,
    /// This value.
    Value(Value),
}

/// Fields that are changed together.
#[derive(Clone, Debug)]
struct Group {
    fields: Vec<(Loc, usize)>,
    contents: Vec<Content>,
}

/// Contents for some groups of fields.
type Change = Vec<(Vec<(Loc, usize)>, Content)>;

/// The changes to try: one group of fields, then several, then single fields.
fn changes(subject: &Subject, input: &Input) -> Vec<Change> {
    let groups = groups(subject, input);
    let mut found: Vec<Change> = Vec::new();
    let mut level: Vec<(usize, Change)> = vec![(0, Vec::new())];
    for _ in 0..FIELDS {
        let mut next = Vec::new();
        for (from, change) in &level {
            for (index, group) in groups.iter().enumerate().skip(*from) {
                for &content in &group.contents {
                    let mut longer = change.clone();
                    longer.push((group.fields.clone(), content));
                    next.push((index + 1, longer));
                }
            }
            if found.len() + next.len() > COMPLETIONS {
                break;
            }
        }
        found.extend(next.iter().map(|(_, change)| change.clone()));
        level = next;
    }
    let single = groups.iter().filter(|group| group.fields.len() > 1);
    for group in single {
        for &field in &group.fields {
            let contents = group.contents.iter();
            let contents = contents.filter(|content| **content != Content::Shared);
            found.extend(contents.map(|&content| vec![(vec![field], content)]));
        }
    }
    found
}

/// The fields that have their defaults in all described objects of a class.
fn groups(subject: &Subject, input: &Input) -> Vec<Group> {
    let frame = input.witness.as_ref().map(|witness| &witness.frame);
    let is_described = |loc: &Loc| frame.is_none_or(|frame| !frame.contains(loc));
    let mut by_class: BTreeMap<ClassId, Vec<Loc>> = BTreeMap::new();
    for (&loc, cell) in &input.heap.cells {
        if is_described(&loc) {
            by_class.entry(cell.class).or_default().push(loc);
        }
    }
    let mut found = Vec::new();
    for (class, objects) in by_class {
        let fields = &subject.program.definitions.class(class).fields;
        for (position, field) in fields.iter().enumerate() {
            let default = Value::default_of(field.sort);
            let is_default = |loc: &Loc| content(&input.heap, *loc, position) == Some(default);
            if !objects.iter().all(is_default) {
                continue;
            }
            let contents = contents(subject, &input.heap, field.sort);
            if !contents.is_empty() {
                let fields = objects.iter().map(|&loc| (loc, position)).collect();
                found.push(Group { fields, contents });
            }
        }
    }
    found
}

fn content(heap: &Heap, loc: Loc, position: usize) -> Option<Value> {
    heap.cells.get(&loc)?.fields.get(position).copied()
}

/// What a field of a sort may hold besides its default.
fn contents(subject: &Subject, heap: &Heap, sort: Sort) -> Vec<Content> {
    match sort {
        Sort::Ref(class) => {
            let fitting = heap.cells.iter();
            let fitting = fitting.filter(|(_, cell)| fits(&subject.program, cell.class, class));
            let fitting = fitting.map(|(&loc, _)| Content::Value(Value::Ref(loc)));
            let first = [Content::Fresh, Content::Itself, Content::Shared];
            first.into_iter().chain(fitting.take(3)).collect()
        }
        Sort::Bool => vec![Content::Value(Value::Bool(true))],
        Sort::Int | Sort::Machine(_) => {
            let count = heap.cells.len().min(8) as i128;
            let numbers = (1..=count).map(|number| Content::Value(Value::Int(number)));
            numbers.chain([Content::Value(Value::Int(-1))]).collect()
        }
        Sort::Float(_) => Vec::new(),
    }
}

/// The input with other contents of some fields; whether the precondition still holds is not known.
fn apply(subject: &Subject, input: &Input, change: &Change) -> Option<Input> {
    let mut heap = input.heap.clone();
    let mut next = heap
        .cells
        .keys()
        .last()
        .map_or(1, |loc| loc.0.saturating_add(1));
    for (fields, content) in change {
        let shared = Loc(next);
        next = next.saturating_add(1);
        for &(loc, position) in fields {
            let sort = {
                let cell = heap.cells.get(&loc)?;
                *content_sorts(&subject.program, cell).get(position)?
            };
            let value = match content {
                Content::Fresh => {
                    next = next.saturating_add(1);
                    Value::Ref(Loc(next - 1))
                }
                Content::Shared => Value::Ref(shared),
                Content::Itself => Value::Ref(loc),
                Content::Value(value) => *value,
            };
            let is_fitting = match (value, sort) {
                (Value::Ref(target), Sort::Ref(class)) => {
                    let target = heap.cells.get(&target);
                    target.is_none_or(|cell| fits(&subject.program, cell.class, class))
                }
                _ => value.has_sort(sort),
            };
            if !is_fitting {
                return None;
            }
            *heap.cells.get_mut(&loc)?.fields.get_mut(position)? = value;
        }
    }
    let sorts = subject.inputs.iter().map(|parameter| parameter.sort);
    let roots = input.arguments.iter().copied().zip(sorts).collect();
    let completed = complete_heap(&subject.program, &subject.rules, roots, heap)?;
    Some(Input {
        arguments: input.arguments.clone(),
        heap: completed.heap,
        witness: None,
    })
}

/// An input with the derivation that shows its precondition, if there is one.
fn described(subject: &Subject, original: &Input, mut input: Input) -> Option<Input> {
    let formula = subject.precondition.as_ref()?;
    let stack = &original.witness.as_ref()?.stack;
    let (terms, definitions) = (&subject.terms, &subject.definitions);
    // Formulas do not describe arrays.
    let mut heap = input.heap.clone();
    (heap.cells).retain(|_, cell| element_sort(&subject.program, cell.class).is_none());
    let found = find_framed_derivation(terms, definitions, formula, stack, &heap, BUDGET);
    let (witness, cells) = found.ok()?;
    let frame: BTreeSet<Loc> = (input.heap.cells.keys().copied())
        .filter(|loc| !cells.contains(loc))
        .collect();
    input.witness = Some(Footprint {
        stack: witness.stack,
        derivation: witness.derivation,
        frame,
    });
    Some(input)
}
