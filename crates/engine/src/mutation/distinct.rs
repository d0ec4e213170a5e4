//! Values that differ from each other and from defaults, where a path leaves them open.
//!
//! What neither the precondition nor a path speaks of has its default in an input, so a list of
//! three zeros looks the same from both ends, and a method that takes the wrong one passes. Here
//! such values become different ones: all at once, and where that leads elsewhere, those of one
//! part after the other: of a parameter, or of a field of all objects of a class. The path stays.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::Content;
use heapwright_ir::machine::Budgets;
use heapwright_logic::{Cell, ClassId, Deadline, FloatType, IntType, Loc, Sort, StepId, Value};
use indexmap::IndexMap;

use super::admission::{is_valid, run};
use super::places::{At, Part, admitted, at_of, completed, next_loc, places, put};
use crate::input::Input;
use crate::input::candidates::{candidates, element_sort};
use crate::input::narrow::narrow_fields;
use crate::path::decision::Choice;
use crate::report::{Run, Test};
use crate::subject::Subject;

/// Numbers begin here: they are no sizes of small inputs, and short.
const FIRST: i128 = 5;

/// Characters begin here.
const LETTER: i128 = 'a' as i128;

/// So many parts are tried one by one.
const PARTS: usize = 12;

/// So many parts are tried in pairs.
const PAIRED: usize = 4;

/// A new content of a place.
#[derive(Clone, Copy, Debug)]
enum New {
    /// A number that nothing else has.
    Number(Sort),
    /// What another place has, if it is the default now.
    SameAs(At),
    /// A new object of a class of values.
    Object(ClassId),
    /// One element more in the array there.
    Element(Loc, Sort),
}

/// The test with different values, if there are any and the path is the same.
pub(super) fn distinct(
    subject: &Subject,
    test: &Test,
    budgets: Budgets,
    deadline: &Deadline,
) -> Option<Test> {
    let wanted = wanted(subject, &test.input);
    if wanted.is_empty() {
        return None;
    }
    let is_valid = is_valid(subject, &test.input, budgets);
    let same_path = |input: &Input| {
        let run = run(subject, input, is_valid, budgets, deadline)?;
        let same = run.outcome == test.run.outcome && run.trail == test.run.trail;
        same.then_some(run)
    };
    let all: Vec<(At, New)> = wanted.values().flatten().copied().collect();
    let attempt = |input: &Input, changes: &[(At, New)]| -> Option<(Input, Run)> {
        let changed = completed(subject, changed(subject, input, changes)?)?;
        let changed = admitted(subject, input, changed)?;
        let run = same_path(&changed)?;
        Some((changed, run))
    };
    let found = attempt(&test.input, &all).or_else(|| {
        let mut best: Option<(Input, Run)> = None;
        let equal = zeros(&wanted);
        for changes in wanted.values().take(PARTS).chain(equal.iter()) {
            let input = best.as_ref().map_or(&test.input, |(input, _)| input);
            if let Some(better) = attempt(input, changes) {
                best = Some(better);
            }
        }
        best
    });
    let (input, run) = found?;
    Some(Test {
        decisions: match still_hold(test, &input) {
            true => test.decisions.clone(),
            false => Vec::new(),
        },
        origin: test.origin,
        input,
        run,
    })
}

/// A valid input with different values, if there are any, whatever path it takes.
pub(super) fn different(subject: &Subject, input: &Input) -> Option<Input> {
    let wanted = wanted(subject, input);
    let all: Vec<(At, New)> = wanted.values().flatten().copied().collect();
    if all.is_empty() {
        return None;
    }
    let changed = completed(subject, changed(subject, input, &all)?)?;
    admitted(subject, input, changed)
}

/// Whether it is known that the decisions of a test are those of an input with other values that
/// takes the same branches: those about values are not followed by branches alone.
fn still_hold(test: &Test, input: &Input) -> bool {
    let same_objects = test.input.heap.cells.len() == input.heap.cells.len();
    let same_cases = has_same_cases(&test.input, input);
    test.decisions.iter().all(|decision| match decision.choice {
        Choice::Condition(_) | Choice::Case(_) => decision.edge.is_some(),
        Choice::Null => same_objects,
        Choice::Disjunct(_) | Choice::Unfold { .. } => same_cases,
        Choice::Alias(_) | Choice::Fresh(_) | Choice::FreshArray { .. } => true,
        _ => false,
    })
}

/// Two numbers that are defaults and have to stay equal become another one together: every pair of
/// parts that has one, the first parts first.
fn zeros(wanted: &IndexMap<Part, Vec<(At, New)>>) -> Vec<Vec<(At, New)>> {
    let numbers = wanted.values().filter_map(|changes| {
        let number = changes
            .iter()
            .find(|(_, new)| matches!(new, New::Number(_)));
        number.copied()
    });
    let numbers: Vec<(At, New)> = numbers.take(PAIRED).collect();
    let mut pairs = Vec::new();
    for (index, &(one, new)) in numbers.iter().enumerate() {
        for &(other, _) in numbers.iter().skip(index + 1) {
            pairs.push(vec![(one, new), (other, New::SameAs(one))]);
        }
    }
    pairs
}

/// Whether the precondition holds of two inputs by the same disjuncts all the way down.
fn has_same_cases(one: &Input, other: &Input) -> bool {
    let (Some(one), Some(other)) = (&one.witness, &other.witness) else {
        return one.witness.is_none() && other.witness.is_none();
    };
    let mut pending = vec![(StepId(0), StepId(0))];
    // Every step is the child of one other at most.
    let mut left = one.derivation.steps.len();
    while let Some((first, second)) = pending.pop() {
        let first = one.derivation.steps.get(first.0 as usize);
        let second = other.derivation.steps.get(second.0 as usize);
        let same = first.zip(second).filter(|(first, second)| {
            first.disjunct == second.disjunct && first.children.len() == second.children.len()
        });
        let Some((first, second)) = same.filter(|_| left > 0) else {
            return false;
        };
        left -= 1;
        let children = first.children.iter().copied();
        pending.extend(children.zip(second.children.iter().copied()));
    }
    true
}

/// The places that have a default, or what another place has.
fn wanted(subject: &Subject, input: &Input) -> IndexMap<Part, Vec<(At, New)>> {
    let places = places(subject, input);
    let mut counts: BTreeMap<Value, u32> = BTreeMap::new();
    for place in &places {
        *counts.entry(place.value).or_insert(0) += 1;
    }
    let mut wanted: IndexMap<Part, Vec<(At, New)>> = IndexMap::new();
    for place in &places {
        let is_shared = counts.get(&place.value).is_some_and(|&count| count > 1);
        let is_default = place.value == Value::default_of(place.sort);
        let new = match (place.sort, place.value) {
            // Most of these numbers would not fit.
            _ if is_narrow(subject, place.part) => None,
            (Sort::Machine(_) | Sort::Float(_), _) if is_shared || is_default => {
                Some(New::Number(place.sort))
            }
            (Sort::Ref(class), Value::Null) => value_class(subject, class).map(New::Object),
            _ => None,
        };
        if let Some(new) = new {
            wanted.entry(place.part).or_default().push((place.at, new));
        }
    }
    for (loc, array, part) in texts(subject, input) {
        let sort = array;
        let added = (At::Content(loc, 0), New::Element(loc, sort));
        wanted.entry(part).or_default().push(added);
    }
    wanted
}

/// Whether a place is a field of a few bits.
fn is_narrow(subject: &Subject, part: Part) -> bool {
    let Part::Field(class, field) = part else {
        return false;
    };
    let narrow = narrow_fields(&subject.program, class);
    narrow.iter().any(|known| known.field as usize == field)
}

/// The empty arrays that values own: the characters of empty strings.
fn texts(subject: &Subject, input: &Input) -> Vec<(Loc, Sort, Part)> {
    let mut found = Vec::new();
    for cell in input.heap.cells.values() {
        if !subject.rules.values.contains(&cell.class) {
            continue;
        }
        for rule in subject.rules.of_fields(cell.class) {
            let owned = cell.fields.get(rule.field as usize);
            if let (Content::Owned, Some(Value::Ref(loc))) = (rule.content, owned)
                && let Some(array) = input.heap.cells.get(loc)
                && let Some(sort @ Sort::Machine(_)) = element_sort(&subject.program, array.class)
                && array.fields.is_empty()
            {
                found.push((*loc, sort, Part::Field(cell.class, rule.field as usize)));
            }
        }
    }
    found
}

/// The class of the value that a reference of a class may lead to, if some do: numbers before
/// texts.
fn value_class(subject: &Subject, declared: ClassId) -> Option<ClassId> {
    let classes = candidates(&subject.program, &subject.rules, &[declared]).classes;
    let values = classes
        .into_iter()
        .filter(|class| subject.rules.values.contains(class));
    let mut values = values.map(|class| (numeric_field(subject, class), class));
    let first = values.next()?;
    let number = std::iter::once(first)
        .chain(values)
        .find(|(field, _)| field.is_some());
    Some(number.unwrap_or(first).1)
}

/// The field of a class of values that has the number, if nothing is said about it.
fn numeric_field(subject: &Subject, class: ClassId) -> Option<(usize, Sort)> {
    let fields = &subject.program.definitions.class(class).fields;
    let rules = subject.rules.of_fields(class);
    let mut fields = fields.iter().enumerate();
    fields.find_map(|(index, field)| {
        let is_free = !rules.iter().any(|rule| rule.field as usize == index);
        let is_number = matches!(field.sort, Sort::Machine(_) | Sort::Float(_));
        (is_free && is_number).then_some((index, field.sort))
    })
}

/// The input with all these changes; what they dangle is still to be made.
fn changed(subject: &Subject, input: &Input, changes: &[(At, New)]) -> Option<Input> {
    let mut changed = input.clone();
    let mut numbers = Numbers::besides(subject, input);
    for &(at, new) in changes {
        match new {
            New::Number(sort) => put(&mut changed, at, numbers.next(sort)?)?,
            New::SameAs(other) => {
                let is_equal = at_of(input, at)? == at_of(input, other)?;
                let value = at_of(&changed, other).filter(|_| is_equal)?;
                put(&mut changed, at, value)?;
            }
            New::Element(loc, sort) => {
                let letter = numbers.letter(sort)?;
                changed.heap.cells.get_mut(&loc)?.fields.push(letter);
            }
            New::Object(class) => {
                let loc = next_loc(&changed);
                let cell = value_object(subject, &mut changed, class, &mut numbers)?;
                changed.heap.cells.insert(loc, cell);
                put(&mut changed, at, Value::Ref(loc))?;
            }
        }
    }
    Some(changed)
}

/// An object of a class of values with a content that nothing else has.
fn value_object(
    subject: &Subject,
    input: &mut Input,
    class: ClassId,
    numbers: &mut Numbers,
) -> Option<Cell> {
    let program = &subject.program;
    let fields = &program.definitions.class(class).fields;
    let mut cell = Cell {
        class,
        fields: fields
            .iter()
            .map(|field| Value::default_of(field.sort))
            .collect(),
    };
    if let Some((index, sort)) = numeric_field(subject, class) {
        *cell.fields.get_mut(index)? = numbers.next(sort)?;
    }
    for rule in subject.rules.of_fields(class) {
        let index = rule.field as usize;
        let sort = fields.get(index)?.sort;
        *cell.fields.get_mut(index)? = match (rule.content, sort) {
            (Content::Constant(value), _) => crate::input::frame::constant(value),
            (Content::Owned, Sort::Ref(array)) => {
                let element = element_sort(program, array)?;
                // The object itself takes the next name.
                let loc = Loc(next_loc(input).0.saturating_add(1));
                let fields = vec![numbers.letter(element)?];
                let array = Cell {
                    class: array,
                    fields,
                };
                input.heap.cells.insert(loc, array);
                Value::Ref(loc)
            }
            _ => return None,
        };
    }
    Some(cell)
}

/// Numbers that an input does not have.
struct Numbers {
    used: BTreeSet<i128>,
    number: i128,
    letter: i128,
}

impl Numbers {
    fn besides(subject: &Subject, input: &Input) -> Numbers {
        let places = places(subject, input);
        let used = places.iter().filter_map(|place| match place.value {
            Value::Int(number) => Some(number),
            _ => None,
        });
        Numbers {
            used: used.collect(),
            number: FIRST,
            letter: LETTER,
        }
    }

    fn next(&mut self, sort: Sort) -> Option<Value> {
        if sort == Sort::Machine(IntType::Char) {
            return self.letter(sort);
        }
        while self.used.contains(&self.number) {
            self.number += 1;
        }
        let number = self.number;
        self.number += 1;
        let value = match sort {
            Sort::Float(FloatType::Double) => Value::Double((number as f64).to_bits()),
            Sort::Float(FloatType::Single) => Value::Single((number as f32).to_bits()),
            _ => Value::Int(number),
        };
        value.has_sort(sort).then_some(value)
    }

    fn letter(&mut self, sort: Sort) -> Option<Value> {
        let value = Value::Int(self.letter);
        self.letter += 1;
        value.has_sort(sort).then_some(value)
    }
}
