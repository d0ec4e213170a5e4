//! Which of the inputs of a path become tests.

use std::collections::{BTreeSet, VecDeque};

use heapwright_logic::{CanonicalKey, Heap, TermId, Value, canonical_key};
use heapwright_solver::Answer;

use super::execution::pause;
use super::{Context, JobStatistics};
use crate::input::Input;
use crate::input::completion::complete;
use crate::path::decision::{Choice, Decision};
use crate::path::questions::Worker;
use crate::path::symbolic::Symbolic;

/// Questions that the search for small numbers may ask.
const QUESTIONS: u32 = 24;

/// Paths of refinement that the search for different shapes may look at, per shape wanted.
const REFINEMENTS: u32 = 16;

/// An input of the same path and shape whose numbers are closest to zero in sum.
///
/// Branch and bound: the sum of the absolute values has to be below the best one known, first by
/// half, then by less, until there is no such input.
pub fn smallest_values(
    context: &Context,
    worker: &Worker,
    decisions: &[Decision],
    input: Input,
    effort: &mut JobStatistics,
) -> Input {
    let Ok(mut domain) = pause(context, worker, decisions, Some(&input)) else {
        return input;
    };
    if domain.unfold_as_given().is_err() {
        return input;
    }
    let numbers = domain.numbers();
    let sum = absolute_sum(&mut domain, &numbers);
    let mut best = input;
    let mut upper = size(&best);
    let mut lower = 0;
    for _ in 0..QUESTIONS {
        if lower >= upper {
            break;
        }
        // Half way for sums that are large, else one below.
        let bound = lower + (upper - lower - 1) / 2;
        let limit = domain.terms.int(bound);
        let condition = domain.terms.le(sum, limit);
        let mut formula = domain.initial.formula();
        formula.pure.push(condition);
        match ask(context, &mut domain, formula, effort) {
            Some(found) => {
                upper = size(&found).min(bound);
                best = found;
            }
            None => lower = bound + 1,
        }
    }
    best
}

/// Up to `count` inputs of the same path that differ in shape, the given one first.
pub fn shapes(
    context: &Context,
    worker: &Worker,
    decisions: &[Decision],
    input: Input,
    count: u32,
    effort: &mut JobStatistics,
) -> Vec<Input> {
    let mut known = BTreeSet::from([shape(&input)]);
    let mut found = vec![input];
    let mut pending = VecDeque::from([Vec::new()]);
    let mut looked_at = 0;
    while let Some(choices) = pending.pop_front() {
        looked_at += 1;
        if found.len() >= count as usize || looked_at > count.saturating_mul(REFINEMENTS) {
            break;
        }
        let Ok(mut domain) = pause(context, worker, decisions, None) else {
            break;
        };
        if !refine(&mut domain, &choices) || domain.objects() > context.extent.objects {
            continue;
        }
        let formula = domain.initial.formula();
        let Some(input) = ask(context, &mut domain, formula, effort) else {
            continue;
        };
        if known.insert(shape(&input)) {
            found.push(input);
        }
        if let Some((_, alternatives)) = domain.first_open() {
            for choice in alternatives {
                let mut longer = choices.clone();
                longer.push(choice);
                pending.push_back(longer);
            }
        }
    }
    found
}

/// Decides open references one after the other.
fn refine(domain: &mut Symbolic, choices: &[Choice]) -> bool {
    choices.iter().all(|&choice| {
        let open = domain.first_open();
        open.is_some_and(|(variable, _)| domain.refine(variable, choice).is_ok())
    })
}

fn ask(
    context: &Context,
    domain: &mut Symbolic,
    formula: heapwright_logic::SymbolicHeap,
    effort: &mut JobStatistics,
) -> Option<Input> {
    let subject = &context.subject;
    let before = domain.questions.time;
    let answer = (domain.questions).check(&mut domain.terms, formula);
    effort.calls += 1;
    effort.solving += domain.questions.time - before;
    match answer {
        Answer::Sat(model) => complete(subject, &domain.terms, &domain.initial, &model).ok(),
        Answer::Unsat | Answer::Unknown(_) => None,
    }
}

fn absolute_sum(domain: &mut Symbolic, numbers: &[TermId]) -> TermId {
    let terms = &mut domain.terms;
    let zero = terms.int(0);
    let mut sum = zero;
    for &number in numbers {
        let negative = terms.lt(number, zero);
        let opposite = terms.neg(number);
        let absolute = terms.ite(negative, opposite, number);
        sum = terms.add(sum, absolute);
    }
    sum
}

/// The sum of the absolute values of all numbers.
fn size(input: &Input) -> i128 {
    let contents = input.heap.cells.values().flat_map(|cell| &cell.fields);
    let numbers = (input.arguments.iter().chain(contents)).map(|value| match value {
        Value::Int(number) => number.saturating_abs(),
        _ => 0,
    });
    numbers.fold(0, i128::saturating_add)
}

/// The same for inputs that differ in scalars only.
fn shape(input: &Input) -> CanonicalKey {
    let plain = |value: Value| match value {
        Value::Null | Value::Ref(_) => value,
        _ => Value::Int(0),
    };
    let arguments: Vec<_> = input.arguments.iter().map(|&value| plain(value)).collect();
    let mut heap = Heap::clone(&input.heap);
    for cell in heap.cells.values_mut() {
        for field in &mut cell.fields {
            *field = plain(*field);
        }
    }
    canonical_key(&arguments, &heap)
}
