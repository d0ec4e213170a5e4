//! Inputs that are near to one: another value in one place, one element more, one object more,
//! another reference.
//!
//! Edges of comparisons lie where two values are equal, so the values of other places come first,
//! then those next to them, then the constants of the code.

use std::collections::BTreeSet;

use heapwright_ir::{Constant, Content, FunctionId, Operand, Program};
use heapwright_logic::{FloatType, IntType, Loc, Sort, Value};

use super::places::{At, Placed, next_loc, places, put};
use crate::input::Input;
use crate::input::candidates::{element_sort, fits};
use crate::subject::Subject;

/// So many values are tried in one place.
const VALUES: usize = 14;

/// So many references are tried in one place.
const REFERENCES: usize = 6;

/// So many constants of the code are tried.
const CONSTANTS: usize = 12;

/// The inputs that are near to one; whether they are valid is another question.
pub(super) fn neighbours(subject: &Subject, input: &Input, constants: &[i128]) -> Vec<Input> {
    let places = places(subject, input);
    let mut found = Vec::new();
    let mut add = |at: At, value: Value| {
        let mut changed = input.clone();
        if put(&mut changed, at, value).is_some() {
            found.push(changed);
        }
    };
    for place in &places {
        for value in values(subject, input, place, &places, constants) {
            add(place.at, value);
        }
    }
    found.extend(arrays(subject, input));
    found
}

/// The inputs that differ from one in a number that is an argument: it is what is in an object.
pub(super) fn of_arguments(subject: &Subject, input: &Input) -> Vec<Input> {
    let places = places(subject, input);
    let (arguments, contents): (Vec<&Placed>, Vec<&Placed>) =
        (places.iter()).partition(|place| matches!(place.at, At::Argument(_)));
    let mut found = Vec::new();
    for argument in arguments {
        let same_sort = contents.iter().filter(|place| place.sort == argument.sort);
        let is_number = !matches!(argument.sort, Sort::Ref(_) | Sort::Bool);
        for place in same_sort.filter(|_| is_number).take(VALUES) {
            let mut changed = input.clone();
            if put(&mut changed, argument.at, place.value).is_some() {
                found.push(changed);
            }
        }
    }
    found
}

/// The constants of some functions, smallest first.
pub(super) fn constants(
    program: &Program,
    functions: impl Iterator<Item = FunctionId>,
) -> Vec<i128> {
    let mut found = BTreeSet::new();
    for id in functions {
        let Some(function) = program.functions.get(id.index()) else {
            continue;
        };
        for block in &function.blocks {
            let operands = block.instructions.iter();
            let operands = operands.flat_map(|instruction| instruction.operation.operands());
            found.extend(operands.filter_map(|operand| match operand {
                Operand::Constant(Constant::Int(_, value)) => Some(value),
                _ => None,
            }));
            if let heapwright_ir::Terminator::Switch { cases, .. } = &block.terminator {
                found.extend(cases.iter().map(|(value, _)| *value));
            }
        }
    }
    let mut found: Vec<i128> = found.into_iter().collect();
    found.sort_by_key(|value| (value.unsigned_abs(), *value));
    found.truncate(CONSTANTS);
    found
}

/// Other values of a place.
fn values(
    subject: &Subject,
    input: &Input,
    place: &Placed,
    places: &[Placed],
    constants: &[i128],
) -> Vec<Value> {
    let same_sort = places.iter().filter(|other| other.sort == place.sort);
    let mut found: Vec<Value> = Vec::new();
    let mut add = |value: Value| {
        if value != place.value && value.has_sort(place.sort) && !found.contains(&value) {
            found.push(value);
        }
    };
    match place.sort {
        Sort::Bool => {
            add(Value::Bool(true));
            add(Value::Bool(false));
        }
        Sort::Machine(ty) => {
            let others: Vec<i128> = same_sort.filter_map(|other| integer(other.value)).collect();
            let own = integer(place.value).unwrap_or_default();
            let near = |value: i128| [value, value + 1, value - 1];
            let numbers = (others.iter().copied())
                .chain([own + 1, own - 1])
                .chain(others.iter().copied().flat_map(near))
                .chain(constants.iter().copied().flat_map(near))
                .chain([0, 1, -1, 2, own.saturating_neg()])
                .chain(extremes(ty));
            for number in numbers {
                add(Value::Int(number));
            }
        }
        Sort::Float(ty) => {
            for other in same_sort {
                add(other.value);
            }
            for number in [0.0, 1.0, -1.0, 0.5, 2.0, 10.0] {
                add(match ty {
                    FloatType::Double => Value::Double(f64::to_bits(number)),
                    FloatType::Single => Value::Single((number as f32).to_bits()),
                });
            }
        }
        Sort::Ref(class) => {
            // A name that nothing has stands for a new object.
            if place.value == Value::Null {
                add(Value::Ref(next_loc(input)));
            }
            add(Value::Null);
            let fitting = input.heap.cells.iter();
            let fitting = fitting.filter(|(_, cell)| fits(&subject.program, cell.class, class));
            for (&loc, _) in fitting.take(REFERENCES) {
                add(Value::Ref(loc));
            }
        }
        Sort::Int => {}
    }
    found.truncate(VALUES);
    found
}

fn integer(value: Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

fn extremes(ty: IntType) -> [i128; 2] {
    [ty.max(), ty.min()]
}

/// Inputs in which an array has one element more or less, or two of its elements in the other order.
fn arrays(subject: &Subject, input: &Input) -> Vec<Input> {
    let mut found = Vec::new();
    for (&loc, cell) in &input.heap.cells {
        let Some(element) = element_sort(&subject.program, cell.class) else {
            continue;
        };
        let info = subject.program.classes.get(cell.class.index());
        let is_fixed = info.is_none_or(|info| {
            info.inside.raw || info.inside.stride.is_some() || info.inside.length.is_some()
        });
        if is_fixed || has_fixed_length(subject, input, loc) {
            continue;
        }
        let mut add = |change: &dyn Fn(&mut Vec<Value>)| {
            let mut changed = input.clone();
            if let Some(cell) = changed.heap.cells.get_mut(&loc) {
                change(&mut cell.fields);
                found.push(changed);
            }
        };
        let last = cell.fields.last().copied();
        let added = match (element, last) {
            (Sort::Machine(_), Some(Value::Int(last)))
                if Value::Int(last + 1).has_sort(element) =>
            {
                Value::Int(last + 1)
            }
            (Sort::Machine(_), None) => Value::Int(7),
            _ => last.unwrap_or(Value::default_of(element)),
        };
        add(&|fields| fields.push(added));
        if !cell.fields.is_empty() {
            add(&|fields| {
                fields.pop();
            });
        }
        for index in 1..cell.fields.len().min(4) {
            if cell.fields[index - 1] != cell.fields[index] {
                add(&|fields| fields.swap(index - 1, index));
            }
        }
    }
    found
}

/// Whether a field that leads to an array says how long it is.
fn has_fixed_length(subject: &Subject, input: &Input, array: Loc) -> bool {
    input.heap.cells.values().any(|cell| {
        let rules = subject.rules.of_fields(cell.class);
        rules.iter().any(|rule| {
            matches!(rule.content, Content::Array(_))
                && cell.fields.get(rule.field as usize) == Some(&Value::Ref(array))
        })
    })
}
