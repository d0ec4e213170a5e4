//! Models up to isomorphism: the smallest of all ways to write one down.

use std::collections::HashMap;

use super::semantics::{Heap, Value};

/// A written-down model: equal for isomorphic models, different for others.
pub type Key = Vec<i64>;

/// The key of roots and heap; `rank` replaces the integers of the heap by their ranks.
pub fn key(roots: &[Value], heap: &Heap, rank: bool) -> Key {
    let mut integers: Vec<i64> = (heap.cells.iter())
        .flat_map(|(_, fields)| fields)
        .filter_map(|field| match field {
            Value::Int(value) => Some(*value),
            _ => None,
        })
        .collect();
    integers.sort_unstable();
    integers.dedup();
    let number = |value: i64| match rank {
        true => integers.partition_point(|&smaller| smaller < value) as i64,
        false => value,
    };
    (permutations(heap.cells.len()).iter())
        .map(|order| write(roots, heap, order, &number))
        .min()
        .expect("there is at least one order")
}

/// Writes the model down with the cells in an order.
fn write(roots: &[Value], heap: &Heap, order: &[usize], number: &dyn Fn(i64) -> i64) -> Key {
    let mut dangling: HashMap<usize, i64> = HashMap::new();
    let mut encode = |value: Value| {
        let (kind, content) = match value {
            Value::Null => (0, 0),
            Value::Cell(cell) => {
                let place = order.iter().position(|&other| other == cell);
                (1, place.expect("a cell of the heap") as i64)
            }
            Value::Dangling(name) => {
                let next = dangling.len() as i64;
                (2, *dangling.entry(name).or_insert(next))
            }
            Value::Int(value) => (3, number(value)),
        };
        [kind, content]
    };
    let mut written: Key = roots.iter().flat_map(|&root| encode(root)).collect();
    for &cell in order {
        let (class, fields) = &heap.cells[cell];
        written.push(*class as i64);
        written.extend(fields.iter().flat_map(|&field| encode(field)));
    }
    written
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in permutations(count - 1) {
        for position in 0..count {
            let mut longer = shorter.clone();
            longer.insert(position, count - 1);
            all.push(longer);
        }
    }
    all
}
