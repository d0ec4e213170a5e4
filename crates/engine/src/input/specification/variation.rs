//! Values for parameters that a formula says nothing about.
//!
//! References are null. A number is compared with the numbers of the heap by nearly every
//! program, so it is tried below, between, at and above those that the arguments lead to. Where
//! the specification is all that inputs come from, there are many more values (see `scalars`), and
//! fields that the formula leaves open are varied too (see `free_fields`).

use std::collections::BTreeSet;

use heapwright_logic::{FloatType, Heap, Loc, Sort, Value};

use super::scalars::usual;
use crate::input::candidates::fits;
use crate::input::reachability::reachable;
use crate::subject::Subject;

/// The largest number of argument lists that are made of one formula.
///
/// If the product of the candidates has more elements, each candidate is used once in turn, and
/// then the product is followed as far as that number allows.
pub const COMBINATIONS: usize = 64;

/// How much is varied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Breadth {
    /// Parameters, over few values.
    Narrow,
    /// Parameters and fields, over many.
    Wide,
}

/// The largest number of inputs that are made of one formula if much is varied.
pub(super) const MOST: usize = 160;

/// How many rows the complete part of a wide variation may have.
const PRODUCT: usize = 64;

/// How many values of each list are paired with each other where a product would be too large.
const PAIRED: usize = 3;

/// How many objects of a heap a reference that is left open may lead to.
const SHARED: usize = 2;

/// The argument lists for a heap; `given` has the values of those parameters that the formula
/// speaks of.
pub(super) fn variations(
    subject: &Subject,
    given: &[Option<Value>],
    heap: &Heap,
) -> Vec<Vec<Value>> {
    let known = known_values(given, heap);
    let candidates: Vec<Vec<Value>> = (subject.inputs.iter().zip(given))
        .map(|(parameter, given)| match given {
            Some(value) => vec![*value],
            None => candidates(parameter.sort, &known),
        })
        .collect();
    combinations(&candidates)
}

/// The values for the parameters, and for fields of these sorts, if much is varied: one list of
/// values for each row.
pub(super) fn wide_variations(
    subject: &Subject,
    given: &[Option<Value>],
    fields: &[Sort],
    heap: &Heap,
) -> Vec<Vec<Value>> {
    let known = known_values(given, heap);
    let mut lists: Vec<Vec<Value>> = (subject.inputs.iter().zip(given))
        .map(|(parameter, given)| match given {
            Some(value) => vec![*value],
            None => many(parameter.sort, &known),
        })
        .collect();
    let contents = heap.cells.values().flat_map(|cell| &cell.fields);
    let referred = (contents.chain(given.iter().flatten())).filter_map(|value| match value {
        Value::Ref(loc) => Some(loc.0),
        _ => None,
    });
    let used = referred.chain(heap.cells.keys().map(|loc| loc.0)).max();
    let mut next = used.unwrap_or(0).saturating_add(1);
    for &sort in fields {
        lists.push(match sort {
            Sort::Ref(class) => {
                // Nothing, an object of its own, which is made where it dangles, or one that is
                // there.
                let fresh = Value::Ref(Loc(next));
                next = next.saturating_add(1);
                let fitting = heap.cells.iter();
                let fitting = fitting.filter(|(_, cell)| fits(&subject.program, cell.class, class));
                let fitting = fitting.map(|(&loc, _)| Value::Ref(loc)).take(SHARED);
                [Value::Null, fresh].into_iter().chain(fitting).collect()
            }
            _ => many(sort, &BTreeSet::new()),
        });
    }
    rows(&lists)
}

/// What is in the objects that the given arguments lead to.
fn known_values(given: &[Option<Value>], heap: &Heap) -> BTreeSet<Value> {
    let roots = given.iter().flatten().copied();
    let reached = reachable(heap, roots, &BTreeSet::new());
    let cells = heap.cells.iter().filter(|(loc, _)| reached.contains(loc));
    cells.flat_map(|(_, cell)| &cell.fields).copied().collect()
}

/// The values of [`candidates`], and then all usual ones.
fn many(sort: Sort, known: &BTreeSet<Value>) -> Vec<Value> {
    let mut values = usual(sort);
    let near: Vec<Value> = candidates(sort, known);
    // What a program would compare with comes first.
    values.splice(0..0, near);
    let mut seen = BTreeSet::new();
    values.retain(|value| value.has_sort(sort) && seen.insert(*value));
    values
}

/// Every value once, the lists side by side; then the product of the first values of each list, or
/// all pairs of them where it would be too large.
fn rows(lists: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let at = |list: &Vec<Value>, index: usize| list.get(index % list.len().max(1)).copied();
    let turns = lists.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let in_turn = (0..turns).map(|turn| lists.iter().filter_map(|list| at(list, turn)).collect());
    let mut found: Vec<Vec<Value>> = in_turn.collect();
    let free: Vec<usize> = (0..lists.len())
        .filter(|&position| lists.get(position).is_some_and(|list| list.len() > 1))
        .collect();
    let first: Vec<Value> = lists.iter().filter_map(|list| at(list, 0)).collect();
    let product = |size: usize| {
        let sizes = free.iter().filter_map(|&position| lists.get(position));
        sizes.fold(1usize, |product, list| {
            product.saturating_mul(list.len().min(size))
        })
    };
    let largest = (2..=PRODUCT)
        .take_while(|&size| product(size) <= PRODUCT)
        .last();
    match largest {
        Some(size) if free.len() > 1 => {
            for number in 0..product(size) {
                let mut row = first.clone();
                let mut rest = number;
                for &position in free.iter().rev() {
                    let Some(list) = lists.get(position) else {
                        continue;
                    };
                    let length = list.len().min(size);
                    if let (Some(cell), Some(&value)) =
                        (row.get_mut(position), list.get(rest % length))
                    {
                        *cell = value;
                    }
                    rest /= length;
                }
                found.push(row);
            }
        }
        _ => {
            for (index, &one) in free.iter().enumerate() {
                for &other in free.iter().skip(index + 1) {
                    for pair in 0..PAIRED * PAIRED {
                        let mut row = first.clone();
                        for (position, number) in [(one, pair / PAIRED), (other, pair % PAIRED)] {
                            let value = lists.get(position).and_then(|list| at(list, number));
                            if let (Some(cell), Some(value)) = (row.get_mut(position), value) {
                                *cell = value;
                            }
                        }
                        found.push(row);
                    }
                }
            }
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|row| seen.insert(row.clone()));
    found.truncate(MOST);
    found
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
    fn rows_use_every_value_and_pair_the_first_ones() {
        let list = |numbers: std::ops::Range<i128>| numbers.map(Value::Int).collect::<Vec<_>>();
        let two = rows(&[list(0..40), vec![Value::Null], list(0..40)]);
        let pair = |a, b| vec![Value::Int(a), Value::Null, Value::Int(b)];
        assert!((0..40).all(|number| two.contains(&pair(number, number))));
        assert!((0..8).all(|a| (0..8).all(|b| two.contains(&pair(a, b)))));
        let many = rows(&vec![list(0..9); 12]);
        assert!(many.len() <= MOST);
        let of = |row: &[Value], position: usize| row[position] == Value::Int(2);
        assert!(
            many.iter()
                .any(|row| of(row, 0) && of(row, 1) && !of(row, 2))
        );
        assert_eq!(rows(&[]), [Vec::new()]);
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
