//! Canonical forms of heaps: two heaps are isomorphic iff their keys are equal.
//!
//! Objects are numbered in depth-first order of first visit from the roots, fields in order.
//! That numbering does not depend on addresses, so the key is canonical for everything that the
//! roots reach. Cells out of reach are numbered afterwards in order of address: the key stays
//! deterministic there, but renaming such cells may change it.

use crate::heap::{Heap, Loc, Value};
use crate::numbering::{KeyWriter, Numbering};

/// A compact key that can be hashed and compared.
pub type CanonicalKey = Vec<u8>;

/// The key of the heap as seen from `roots`, with integers as they are.
pub fn canonical_key(roots: &[Value], heap: &Heap) -> CanonicalKey {
    key(roots, heap, |value| value)
}

/// As [`canonical_key`], with every integer of roots and cells replaced by its rank among them:
/// heaps that differ only in values, not in the order of values, have the same key.
pub fn canonical_key_ranked(roots: &[Value], heap: &Heap) -> CanonicalKey {
    let in_cells = heap.cells.values().flat_map(|cell| &cell.fields);
    let mut integers: Vec<i128> = (roots.iter().chain(in_cells))
        .filter_map(|value| match value {
            Value::Int(value) => Some(*value),
            _ => None,
        })
        .collect();
    integers.sort_unstable();
    integers.dedup();
    key(roots, heap, |value| {
        integers.partition_point(|&smaller| smaller < value) as i128
    })
}

/// The locations in canonical order, those that dangle included.
pub fn canonical_order(roots: &[Value], heap: &Heap) -> Vec<Loc> {
    numbered(roots, heap).order().to_vec()
}

fn key(roots: &[Value], heap: &Heap, integer: impl Fn(i128) -> i128) -> CanonicalKey {
    let numbering = numbered(roots, heap);
    let mut writer = Writer {
        key: KeyWriter {
            bytes: Vec::with_capacity(16 * heap.cells.len() + 8 * roots.len()),
        },
        numbering: &numbering,
        integer,
    };
    writer.key.number(roots.len() as u128);
    for &root in roots {
        writer.value(root);
    }
    for loc in numbering.order() {
        match heap.cells.get(loc) {
            None => writer.key.bytes.push(DANGLING),
            Some(cell) => {
                writer.key.bytes.push(CELL);
                writer.key.number(u128::from(cell.class.0));
                writer.key.number(cell.fields.len() as u128);
                for &field in &cell.fields {
                    writer.value(field);
                }
            }
        }
    }
    writer.key.bytes
}

/// Numbers everything: what the roots reach, then the rest.
fn numbered(roots: &[Value], heap: &Heap) -> Numbering<Loc> {
    let mut numbering = Numbering::default();
    let mut stack = Vec::new();
    push_references(roots, &mut stack);
    drain(&mut numbering, &mut stack, heap);
    if numbering.order().len() < heap.cells.len() {
        for &loc in heap.cells.keys() {
            stack.push(loc);
            drain(&mut numbering, &mut stack, heap);
        }
    }
    numbering
}

/// Depth first.
fn drain(numbering: &mut Numbering<Loc>, stack: &mut Vec<Loc>, heap: &Heap) {
    while let Some(loc) = stack.pop() {
        if numbering.number_of(loc).is_some() {
            continue;
        }
        numbering.meet(loc);
        if let Some(cell) = heap.cells.get(&loc) {
            push_references(&cell.fields, stack);
        }
    }
}

/// The first reference ends up on top.
fn push_references(values: &[Value], stack: &mut Vec<Loc>) {
    stack.extend(values.iter().rev().filter_map(|value| match value {
        Value::Ref(loc) => Some(*loc),
        _ => None,
    }));
}

const DANGLING: u8 = 0;
const CELL: u8 = 1;

struct Writer<'a, F> {
    key: KeyWriter,
    numbering: &'a Numbering<Loc>,
    integer: F,
}

impl<F: Fn(i128) -> i128> Writer<'_, F> {
    /// Every value starts with a byte that says what it is, so keys can be read in one way only.
    fn value(&mut self, value: Value) {
        let key = &mut self.key;
        match value {
            Value::Null => key.bytes.push(0),
            Value::Ref(loc) => {
                key.bytes.push(1);
                let number = self.numbering.number_of(loc);
                key.number(u128::from(number.unwrap_or(u32::MAX)));
            }
            Value::Bool(value) => key.bytes.push(2 + u8::from(value)),
            Value::Int(value) => {
                key.bytes.push(4);
                key.integer((self.integer)(value));
            }
            Value::Single(bits) => {
                key.bytes.push(5);
                key.number(u128::from(bits));
            }
            Value::Double(bits) => {
                key.bytes.push(6);
                key.number(u128::from(bits));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{World, value};
    use proptest::prelude::*;

    fn key_of(root: &str, text: &str) -> CanonicalKey {
        canonical_key(&[value(root)], &World::with_nodes().heap(text))
    }

    #[test]
    fn addresses_do_not_matter_but_shape_and_contents_do() {
        let list = key_of("#1", "1: Cell(5, #2); 2: Cell(6, null)");
        assert_eq!(list, key_of("#9", "9: Cell(5, #4); 4: Cell(6, null)"));
        assert_ne!(list, key_of("#1", "1: Cell(6, #2); 2: Cell(5, null)"));
        assert_ne!(list, key_of("#1", "1: Cell(5, #2); 2: Cell(6, #1)"));
        assert_ne!(list, key_of("#1", "1: Cell(5, #2); 2: Cell(6, #3)"));
        let tree = key_of(
            "#1",
            "1: Node(5, #2, #3); 2: Node(6, null, null); 3: Node(6, null, null)",
        );
        let shared = key_of("#1", "1: Node(5, #2, #2); 2: Node(6, null, null)");
        assert_ne!(tree, shared);
        let two = |heap| canonical_key(&[value("#1"), value("#2")], &heap);
        let empty = Heap::default();
        assert_ne!(
            two(empty.clone()),
            canonical_key(&[value("#1"), value("#1")], &empty)
        );
        // A cell out of reach counts.
        assert_ne!(
            list,
            key_of("#1", "1: Cell(5, #2); 2: Cell(6, null); 3: Cell(0, null)")
        );
    }

    #[test]
    fn ranks_keep_the_order_of_values_only() {
        let world = World::with_nodes();
        let ranked = |text| canonical_key_ranked(&[value("#1")], &world.heap(text));
        let list = ranked("1: Cell(5, #2); 2: Cell(60, null)");
        assert_eq!(list, ranked("1: Cell(-7, #2); 2: Cell(0, null)"));
        assert_ne!(list, ranked("1: Cell(5, #2); 2: Cell(5, null)"));
        assert_ne!(list, ranked("1: Cell(5, #2); 2: Cell(4, null)"));
    }

    /// Equality up to renaming, by trying all bijections of the addresses.
    fn isomorphic(a: &Heap, b: &Heap, roots: (Value, Value)) -> bool {
        let addresses: Vec<u32> = (0..4).collect();
        permutations(&addresses).into_iter().any(|to| {
            let rename = |value: Value| match value {
                Value::Ref(loc) => Value::Ref(Loc(to[loc.0 as usize])),
                other => other,
            };
            let renamed = Heap {
                cells: (a.cells.iter())
                    .map(|(loc, cell)| {
                        let mut cell = cell.clone();
                        cell.fields
                            .iter_mut()
                            .for_each(|field| *field = rename(*field));
                        (Loc(to[loc.0 as usize]), cell)
                    })
                    .collect(),
            };
            rename(roots.0) == roots.1 && renamed == *b
        })
    }

    fn permutations(list: &[u32]) -> Vec<Vec<u32>> {
        if list.is_empty() {
            return vec![Vec::new()];
        }
        (0..list.len())
            .flat_map(|at| {
                let mut rest = list.to_vec();
                let first = rest.remove(at);
                let tails = permutations(&rest);
                tails.into_iter().map(move |mut tail| {
                    tail.insert(0, first);
                    tail
                })
            })
            .collect()
    }

    /// Heaps with addresses 0..4, all cells reachable from the root or dropped.
    fn heap() -> impl Strategy<Value = (Value, Heap)> {
        let reference = || {
            prop_oneof![
                1 => Just(Value::Null),
                3 => (0u32..4).prop_map(|loc| Value::Ref(Loc(loc)))
            ]
        };
        let cell = (0i128..2, reference(), reference()).prop_map(|(value, left, right)| {
            let fields = vec![Value::Int(value), left, right];
            crate::Cell {
                class: crate::ClassId(1),
                fields,
            }
        });
        (
            reference(),
            proptest::collection::vec(proptest::option::of(cell), 4),
        )
            .prop_map(|(root, cells)| {
                let all = Heap {
                    cells: (cells.into_iter().enumerate())
                        .filter_map(|(loc, cell)| Some((Loc(loc as u32), cell?)))
                        .collect(),
                };
                let mut reached = Numbering::default();
                let mut stack = Vec::new();
                push_references(&[root], &mut stack);
                drain(&mut reached, &mut stack, &all);
                let cells = all.cells.into_iter();
                let cells = cells
                    .filter(|(loc, _)| reached.number_of(*loc).is_some())
                    .collect();
                (root, Heap { cells })
            })
    }

    proptest! {
        #[test]
        fn equal_keys_are_isomorphism(a in heap(), b in heap()) {
            let same = canonical_key(&[a.0], &a.1) == canonical_key(&[b.0], &b.1);
            prop_assert_eq!(same, isomorphic(&a.1, &b.1, (a.0, b.0)));
        }

        #[test]
        fn renamed_heaps_have_equal_keys(a in heap(), shift in 1u32..4) {
            let rename = |value: Value| match value {
                Value::Ref(loc) => Value::Ref(Loc((loc.0 + shift) % 4)),
                other => other,
            };
            let cells = a.1.cells.iter().map(|(loc, cell)| {
                let mut cell = cell.clone();
                cell.fields.iter_mut().for_each(|field| *field = rename(*field));
                (Loc((loc.0 + shift) % 4), cell)
            });
            let renamed = Heap { cells: cells.collect() };
            prop_assert_eq!(
                canonical_key(&[a.0], &a.1),
                canonical_key(&[rename(a.0)], &renamed)
            );
        }
    }

    #[test]
    fn two_hundred_thousand_heaps_are_quick() {
        let world = World::with_nodes();
        let cells: Vec<_> = (1..=12)
            .map(|n| match 2 * n < 12 {
                true => format!("{n}: Node({n}, #{}, #{})", 2 * n, 2 * n + 1),
                false => format!("{n}: Node({n}, null, null)"),
            })
            .collect();
        let heap = world.heap(&cells.join("; "));
        let start = std::time::Instant::now();
        let length: usize = (0..200_000)
            .map(|_| canonical_key(&[value("#1")], &heap).len())
            .sum();
        assert!(length > 0);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }
}
