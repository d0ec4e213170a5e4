//! Values for parameters that a formula says nothing about.
//!
//! References are null. A number is compared with the numbers of the heap by nearly every
//! program, so it is tried below, between, at and above those that the arguments lead to.

use std::collections::BTreeSet;

use heapwright_logic::{FloatType, Heap, Sort, Value};

use crate::reachability::reachable;
use crate::subject::Subject;

/// The largest number of argument lists that are made of one formula.
///
/// If the product of the candidates has more elements, each candidate is used once in turn, and
/// then the product is followed as far as that number allows.
pub const COMBINATIONS: usize = 64;

/// The argument lists for a heap; `given` has the values of those parameters that the formula
/// speaks of.
pub(super) fn variations(
    subject: &Subject,
    given: &[Option<Value>],
    heap: &Heap,
) -> Vec<Vec<Value>> {
    let roots = given.iter().flatten().copied();
    let reached = reachable(heap, roots, &BTreeSet::new());
    let cells = heap.cells.iter().filter(|(loc, _)| reached.contains(loc));
    let known: BTreeSet<Value> = cells.flat_map(|(_, cell)| &cell.fields).copied().collect();
    let candidates: Vec<Vec<Value>> = (subject.inputs.iter().zip(given))
        .map(|(parameter, given)| match given {
            Some(value) => vec![*value],
            None => candidates(parameter.sort, &known),
        })
        .collect();
    combinations(&candidates)
}

fn candidates(sort: Sort, known: &BTreeSet<Value>) -> Vec<Value> {
    match sort {
        Sort::Ref(_) => vec![Value::Null],
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int | Sort::Machine(_) => {
            let integers = known.iter().filter_map(|value| match value {
                Value::Int(value) => Some(*value),
                _ => None,
            });
            let values = around(&integers.collect()).into_iter().map(Value::Int);
            values.filter(|value| value.has_sort(sort)).collect()
        }
        Sort::Float(ty) => {
            let same = known.iter().filter(|value| match value {
                Value::Single(_) => ty == FloatType::Single,
                Value::Double(_) => ty == FloatType::Double,
                _ => false,
            });
            let values: BTreeSet<Value> = same.copied().chain([Value::default_of(sort)]).collect();
            values.into_iter().collect()
        }
    }
}

/// Zero, the numbers, one below and one above all of them, and one in every gap.
fn around(numbers: &BTreeSet<i128>) -> BTreeSet<i128> {
    let mut values = numbers.clone();
    values.extend(numbers.first().map(|first| first.saturating_sub(1)));
    values.extend(numbers.last().map(|last| last.saturating_add(1)));
    for (&lower, &upper) in numbers.iter().zip(numbers.iter().skip(1)) {
        values.extend(Some(lower.saturating_add(1)).filter(|&between| between < upper));
    }
    values.insert(0);
    values
}

/// The product of the lists, or that many of its elements in which every candidate occurs.
fn combinations(lists: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let sizes = lists.iter().map(Vec::len);
    let product = sizes.clone().fold(1usize, usize::saturating_mul);
    let element = |number: usize| -> Vec<Value> {
        let mut rest = number;
        let mut chosen = Vec::with_capacity(lists.len());
        // The last parameter changes fastest.
        for list in lists.iter().rev() {
            chosen.extend(list.get(rest % list.len().max(1)));
            rest /= list.len().max(1);
        }
        chosen.reverse();
        chosen
    };
    if product <= COMBINATIONS {
        return (0..product).map(element).collect();
    }
    let turns = sizes.max().unwrap_or(0);
    let in_turn = (0..turns).map(|turn| -> Vec<Value> {
        let chosen = lists
            .iter()
            .filter_map(|list| list.get(turn % list.len().max(1)));
        chosen.copied().collect()
    });
    let mut seen = BTreeSet::new();
    (in_turn.chain((0..product).map(element)))
        .filter(|arguments| seen.insert(arguments.clone()))
        .take(COMBINATIONS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_tried_around_those_of_the_heap() {
        let tried = |numbers: &[i128]| -> Vec<i128> {
            let numbers = numbers.iter().copied().collect();
            around(&numbers).into_iter().collect()
        };
        assert_eq!(tried(&[]), [0]);
        assert_eq!(tried(&[5]), [0, 4, 5, 6]);
        assert_eq!(tried(&[-3, 1, 2]), [-4, -3, -2, 0, 1, 2, 3]);
    }

    #[test]
    fn numbers_stay_in_their_type() {
        let sort = Sort::Machine(heapwright_logic::IntType::I8);
        let known = [Value::Int(-128), Value::Int(127), Value::Null];
        let expected = [-128, -127, 0, 127].map(Value::Int);
        assert_eq!(candidates(sort, &known.into_iter().collect()), expected);
    }

    #[test]
    fn small_products_are_complete() {
        let list = |numbers: std::ops::Range<i128>| numbers.map(Value::Int).collect::<Vec<_>>();
        let all = combinations(&[list(0..8), list(0..8)]);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 64);
        assert_eq!(combinations(&[]), [Vec::new()]);
    }

    #[test]
    fn large_products_are_cut_but_use_every_candidate() {
        let list = |numbers: std::ops::Range<i128>| numbers.map(Value::Int).collect::<Vec<_>>();
        let lists = [list(0..5), list(10..60), list(70..73)];
        let some = combinations(&lists);
        assert_eq!(some.len(), COMBINATIONS);
        for (position, list) in lists.iter().enumerate() {
            let used: BTreeSet<_> = some.iter().map(|arguments| arguments[position]).collect();
            assert_eq!(used.len(), list.len());
        }
        assert_eq!(some.iter().collect::<BTreeSet<_>>().len(), COMBINATIONS);
    }
}
