//! Which objects a check of fields alone could take for each other.
//!
//! A check follows the expected references and compares scalars. If it accepts a heap in which
//! two expected objects are one, then that object has the scalars of both, and its references
//! lead to objects that again stand for both: the pairs of merged objects are a bisimulation of
//! the expected heap. So only objects that are bisimilar there have to be compared with `/=`; for
//! all others the fields tell them apart.

use std::collections::BTreeMap;

use heapwright_logic::{ClassId, Heap, Loc, Value};

/// A class of bisimilar objects.
pub(super) type Block = u32;

/// What is compared of a field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Value(Value),
    Block(Block),
}

/// The coarsest partition of the objects such that those of one block agree in struct and
/// scalars, and refer to objects of one block. What is not in the heap is in a block of its own.
pub(super) fn bisimilar(heap: &Heap) -> BTreeMap<Loc, Block> {
    let mut blocks: BTreeMap<Loc, Block> = heap.cells.keys().map(|&loc| (loc, 0)).collect();
    let mut count = 0;
    // Each round refines the partition of the last one, by looking one step further.
    loop {
        let mut known: BTreeMap<(Block, ClassId, Vec<Seen>), Block> = BTreeMap::new();
        let mut refined = BTreeMap::new();
        for (&loc, cell) in &heap.cells {
            let fields = cell.fields.iter().map(|&field| match field {
                Value::Ref(target) => {
                    (blocks.get(&target).copied()).map_or(Seen::Value(field), Seen::Block)
                }
                scalar => Seen::Value(scalar),
            });
            let before = blocks.get(&loc).copied().unwrap_or_default();
            let key = (before, cell.class, fields.collect());
            let next = known.len() as Block;
            refined.insert(loc, *known.entry(key).or_insert(next));
        }
        blocks = refined;
        if known.len() == count {
            return blocks;
        }
        count = known.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_logic::Cell;

    fn list(cells: &[(u32, i128, u32)]) -> BTreeMap<Loc, Block> {
        let cells = cells.iter().map(|&(loc, value, next)| {
            let next = match next {
                0 => Value::Null,
                next => Value::Ref(Loc(next)),
            };
            let fields = vec![Value::Int(value), next];
            let class = ClassId(1);
            (Loc(loc), Cell { class, fields })
        });
        bisimilar(&Heap {
            cells: cells.collect(),
        })
    }

    #[test]
    fn ends_and_values_tell_objects_apart() {
        let blocks = list(&[(1, 5, 2), (2, 5, 3), (3, 5, 0)]);
        assert_eq!(
            blocks
                .values()
                .collect::<std::collections::BTreeSet<_>>()
                .len(),
            3
        );
        let ring = list(&[(1, 5, 2), (2, 5, 3), (3, 5, 1)]);
        assert!(ring.values().all(|&block| block == 0));
        let ring = list(&[(1, 5, 2), (2, 6, 3), (3, 5, 4), (4, 6, 1)]);
        assert_eq!(ring[&Loc(1)], ring[&Loc(3)]);
        assert_ne!(ring[&Loc(1)], ring[&Loc(2)]);
        // What is not there is itself only.
        let dangling = list(&[(1, 5, 7), (2, 5, 8), (3, 5, 7)]);
        assert_eq!(dangling[&Loc(1)], dangling[&Loc(3)]);
        assert_ne!(dangling[&Loc(1)], dangling[&Loc(2)]);
    }
}
