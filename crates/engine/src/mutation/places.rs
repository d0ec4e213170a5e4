//! The places of an input that have values, and inputs with other values there.

use std::collections::BTreeSet;

use heapwright_ir::Content;
use heapwright_logic::{Budget, Cell, ClassId, Loc, Sort, Value, find_framed_derivation};

use crate::check::oracle;
use crate::input::candidates::element_sort;
use crate::input::frame::{complete_heap, content_sorts};
use crate::input::narrow::all_fit;
use crate::input::{Footprint, Input};
use crate::report::Verification;
use crate::subject::Subject;

/// How many steps the search for a derivation may take.
const BUDGET: Budget = Budget { steps: 20_000 };

/// A value of an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum At {
    /// A parameter.
    Argument(usize),
    /// A field or element.
    Content(Loc, usize),
}

/// Places that play the same part: one parameter, or one field of all objects of a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Part {
    /// A parameter.
    Argument(usize),
    /// A field of a class; all elements of arrays of a class.
    Field(ClassId, usize),
}

/// A place with its sort and its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) at: At,
    pub(super) part: Part,
    pub(super) sort: Sort,
    pub(super) value: Value,
}

/// The places of an input that may have other values as far as its objects are concerned, in order:
/// parameters first.
pub(super) fn places(subject: &Subject, input: &Input) -> Vec<Placed> {
    let arguments = subject.inputs.iter().zip(&input.arguments).enumerate();
    // A parameter that leads to the object of a global never leads to anything else.
    let is_bound = |index: usize| subject.bound.iter().any(|known| known.parameter == index);
    let mut found: Vec<Placed> = arguments
        .filter(|(index, _)| !is_bound(*index))
        .map(|(index, (parameter, &value))| Placed {
            at: At::Argument(index),
            part: Part::Argument(index),
            sort: parameter.sort,
            value,
        })
        .collect();
    for (&loc, cell) in &input.heap.cells {
        if subject.rules.singletons.contains_key(&cell.class) || is_inside(subject, cell) {
            continue;
        }
        let rules = subject.rules.of_fields(cell.class);
        let is_array = element_sort(&subject.program, cell.class).is_some();
        let sorts = content_sorts(&subject.program, cell);
        for (index, (&value, sort)) in cell.fields.iter().zip(sorts).enumerate() {
            let rule = rules.iter().find(|rule| rule.field as usize == index);
            if rule.is_some_and(|rule| !matches!(rule.content, Content::Present)) {
                continue;
            }
            let field = if is_array { 0 } else { index };
            found.push(Placed {
                at: At::Content(loc, index),
                part: Part::Field(cell.class, field),
                sort,
                value,
            });
        }
    }
    found
}

/// Whether a cell is no object, or one with others in it.
fn is_inside(subject: &Subject, cell: &Cell) -> bool {
    let info = subject.program.classes.get(cell.class.index());
    // The elements of an array of structs are where they are.
    info.is_none_or(|info| info.inside.interior || info.inside.raw || info.inside.stride.is_some())
}

/// Puts a value somewhere.
pub(super) fn put(input: &mut Input, at: At, value: Value) -> Option<()> {
    let place = match at {
        At::Argument(index) => input.arguments.get_mut(index)?,
        At::Content(loc, index) => input.heap.cells.get_mut(&loc)?.fields.get_mut(index)?,
    };
    *place = value;
    Some(())
}

/// What is somewhere.
pub(super) fn at_of(input: &Input, at: At) -> Option<Value> {
    match at {
        At::Argument(index) => input.arguments.get(index).copied(),
        At::Content(loc, index) => input.heap.cells.get(&loc)?.fields.get(index).copied(),
    }
}

/// The next name for an object of an input.
pub(super) fn next_loc(input: &Input) -> Loc {
    let last = input.heap.cells.keys().next_back();
    Loc(last.map_or(1, |loc| loc.0.saturating_add(1)))
}

/// A changed input in which nothing dangles; whether it is valid is another question.
pub(super) fn completed(subject: &Subject, changed: Input) -> Option<Input> {
    if !all_fit(&subject.program, &changed.heap) {
        return None;
    }
    let sorts = subject.inputs.iter().map(|parameter| parameter.sort);
    let roots = changed.arguments.iter().copied().zip(sorts).collect();
    let completed = complete_heap(&subject.program, &subject.rules, roots, changed.heap)?;
    Some(Input {
        arguments: changed.arguments,
        heap: completed.heap,
        witness: None,
    })
}

/// A changed and completed input with the reason why the precondition holds, if it does.
pub(super) fn admitted(subject: &Subject, original: &Input, mut input: Input) -> Option<Input> {
    if let (Some(known), Some(_)) = (&original.witness, &subject.precondition) {
        let mut witness = known.clone();
        for (parameter, &argument) in subject.inputs.iter().zip(&input.arguments) {
            if let Some(value) = witness.stack.get_mut(&parameter.variable) {
                *value = argument;
            }
        }
        let old: BTreeSet<Loc> = original.heap.cells.keys().copied().collect();
        let added = input.heap.cells.keys().filter(|loc| !old.contains(loc));
        witness.frame.extend(added.copied());
        input.witness = Some(witness);
        // The derivation may name values that are others now.
        if oracle::precondition(subject, &input) != Verification::Holds {
            input = derived(subject, input)?;
        }
    }
    let is_valid = oracle::precondition(subject, &input) == Verification::Holds;
    is_valid.then_some(input)
}

/// An input with a new derivation of the precondition.
fn derived(subject: &Subject, mut input: Input) -> Option<Input> {
    let formula = subject.precondition.as_ref()?;
    let stack = &input.witness.as_ref()?.stack;
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
