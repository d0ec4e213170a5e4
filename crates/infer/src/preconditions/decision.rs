//! Decision lists: conjunctions of comparisons that hold for failing calls only.

use heapwright_logic::{Sort, Value};
use heapwright_testgen::observation::State;

/// Conjunctions have at most so many comparisons.
const MOST_LITERALS: usize = 3;

/// A decision list has at most so many conjunctions.
const MOST_REASONS: usize = 4;

/// A value that comparisons are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Operand {
    Field(usize),
    Argument(usize),
    Number(i128),
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Comparison {
    Null(Operand),
    Less(Operand, Operand),
    Equal(Operand, Operand),
    True(Operand),
}

/// A comparison, or that it does not hold.
pub type Literal = (Comparison, bool);

/// A call that was tried.
pub struct Sample<'s> {
    pub state: &'s State,
    pub arguments: &'s [Value],
    pub fails: bool,
}

/// Conjunctions that hold for failing calls only.
pub fn reasons(fields: &[(String, Sort)], samples: &[Sample<'_>]) -> Vec<Vec<Literal>> {
    let comparisons = comparisons(fields, samples);
    let literals: Vec<Literal> = (comparisons.iter())
        .flat_map(|one| [(*one, true), (*one, false)])
        .collect();
    let table: Vec<Vec<bool>> = (literals.iter())
        .map(|literal| {
            samples
                .iter()
                .map(|sample| holds(literal, sample))
                .collect()
        })
        .collect();
    let fails: Vec<bool> = samples.iter().map(|sample| sample.fails).collect();
    let mut open = fails.clone();
    let mut reasons = Vec::new();
    while reasons.len() < MOST_REASONS && open.contains(&true) {
        let best = (1..=MOST_LITERALS).find_map(|size| conjunction(&table, &fails, &open, size));
        let Some(chosen) = best else { break };
        for (index, open) in open.iter_mut().enumerate() {
            *open &= !chosen.iter().all(|&literal| at(&table, literal, index));
        }
        reasons.push(
            (chosen.iter())
                .filter_map(|&literal| literals.get(literal).copied())
                .collect(),
        );
    }
    reasons
}

fn at(table: &[Vec<bool>], literal: usize, sample: usize) -> bool {
    let row = table.get(literal);
    row.and_then(|row| row.get(sample))
        .copied()
        .unwrap_or(false)
}

/// Of the conjunctions of so many literals that hold for no call that did not fail, the first one of
/// those that hold for most of the open ones.
fn conjunction(
    table: &[Vec<bool>],
    fails: &[bool],
    open: &[bool],
    size: usize,
) -> Option<Vec<usize>> {
    let mut best: Option<(usize, Vec<usize>)> = None;
    let mut chosen: Vec<usize> = (0..size).collect();
    while chosen.last().is_some_and(|last| *last < table.len()) {
        let holds = |sample: usize| chosen.iter().all(|&literal| at(table, literal, sample));
        let holding = (0..fails.len()).filter(|&sample| holds(sample));
        let mut covered = 0;
        let mut is_pure = true;
        for sample in holding {
            is_pure &= fails.get(sample).copied().unwrap_or(false);
            covered += usize::from(open.get(sample).copied().unwrap_or(false));
            if !is_pure {
                break;
            }
        }
        let is_better = best.as_ref().is_none_or(|(known, _)| covered > *known);
        if is_pure && covered > 0 && is_better {
            best = Some((covered, chosen.clone()));
        }
        if !advance(&mut chosen, table.len()) {
            break;
        }
    }
    best.map(|(_, chosen)| chosen)
}

/// The next choice of as many of `count`, in the order of words. Returns `false` after the last one.
fn advance(chosen: &mut [usize], count: usize) -> bool {
    let size = chosen.len();
    for place in (0..size).rev() {
        let Some(&now) = chosen.get(place) else {
            return false;
        };
        if now + size - place < count {
            for (offset, choice) in chosen.iter_mut().skip(place).enumerate() {
                *choice = now + 1 + offset;
            }
            return true;
        }
    }
    false
}

/// The comparisons that may tell calls apart.
fn comparisons(described: &[(String, Sort)], samples: &[Sample<'_>]) -> Vec<Comparison> {
    let mut found = Vec::new();
    let Some(first) = samples.first() else {
        return found;
    };
    let numbers = [0, 1].map(Operand::Number);
    let mut fields = Vec::new();
    for (index, (_, sort)) in described.iter().enumerate() {
        let field = Operand::Field(index);
        match sort {
            Sort::Ref(_) => found.push(Comparison::Null(field)),
            Sort::Bool => found.push(Comparison::True(field)),
            sort if sort.is_integer() => fields.push(field),
            _ => {}
        }
    }
    let mut arguments = Vec::new();
    for (index, value) in first.arguments.iter().enumerate() {
        match value {
            Value::Int(_) => arguments.push(Operand::Argument(index)),
            Value::Bool(_) => found.push(Comparison::True(Operand::Argument(index))),
            _ => {}
        }
    }
    for &argument in &arguments {
        found.push(Comparison::Less(argument, Operand::Number(0)));
        for &other in fields.iter().chain(&numbers) {
            found.push(Comparison::Equal(argument, other));
        }
        for &field in &fields {
            found.push(Comparison::Less(argument, field));
        }
    }
    for (place, &one) in arguments.iter().enumerate() {
        for &other in arguments.iter().skip(place + 1) {
            found.extend([Comparison::Less(one, other), Comparison::Equal(one, other)]);
        }
    }
    for &field in &fields {
        found.extend(numbers.map(|number| Comparison::Equal(field, number)));
    }
    found
}

fn holds((comparison, truth): &Literal, sample: &Sample<'_>) -> bool {
    let value = |operand: &Operand| match operand {
        Operand::Number(number) => Some(Value::Int(*number)),
        Operand::Argument(index) => sample.arguments.get(*index).copied(),
        Operand::Field(index) => {
            let cell = sample.state.heap.cells.get(&sample.state.root)?;
            cell.fields.get(*index).copied()
        }
    };
    let holds = match comparison {
        Comparison::Null(operand) => value(operand) == Some(Value::Null),
        Comparison::True(operand) => value(operand) == Some(Value::Bool(true)),
        Comparison::Equal(one, other) => value(one) == value(other),
        Comparison::Less(one, other) => match (value(one), value(other)) {
            (Some(Value::Int(one)), Some(Value::Int(other))) => one < other,
            _ => false,
        },
    };
    holds == *truth
}
