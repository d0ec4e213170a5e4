//! Which objects assertions about fields could take for each other.
//!
//! The assertions of a test follow the expected references and compare values. If they accept a
//! heap in which two expected objects are one, then that object has the values of both, and its
//! references lead to objects that again stand for both: the pairs of merged objects are a
//! bisimulation of the expected heap. So only objects that are bisimilar there have to be told
//! apart by `assertNotSame`; for all others the fields do it.

use std::collections::BTreeMap;

use heapwright_logic::Loc;

/// A class of bisimilar objects.
pub(super) type Block = usize;

/// What the assertions see of a field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seen {
    /// A value, as it is written.
    Value(String),
    /// An object whose fields are asserted.
    Object(Loc),
    /// Nothing is asserted.
    Nothing,
}

/// What the assertions see of an object: its class, and its fields.
pub(super) struct View {
    pub class: String,
    pub fields: Vec<Seen>,
}

/// A field where objects stand for their blocks.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Look<'a> {
    Value(&'a Seen),
    Block(Block),
}

/// The coarsest partition of the objects such that those of one block agree in class and values,
/// and refer to objects of one block.
pub(super) fn bisimilar(views: &BTreeMap<Loc, View>) -> BTreeMap<Loc, Block> {
    let mut blocks: BTreeMap<Loc, Block> = views.keys().map(|&loc| (loc, 0)).collect();
    let mut count = 0;
    // Each round refines the partition of the last one, by looking one step further.
    loop {
        let mut known: BTreeMap<(Block, &str, Vec<Look<'_>>), Block> = BTreeMap::new();
        let mut refined = BTreeMap::new();
        for (&loc, view) in views {
            let fields = view.fields.iter().map(|field| match field {
                Seen::Object(target) => blocks
                    .get(target)
                    .map_or(Look::Value(field), |&block| Look::Block(block)),
                other => Look::Value(other),
            });
            let before = blocks.get(&loc).copied().unwrap_or_default();
            let key = (before, view.class.as_str(), fields.collect());
            let next = known.len();
            refined.insert(loc, *known.entry(key).or_insert(next));
        }
        let refined_count = known.len();
        drop(known);
        blocks = refined;
        if refined_count == count {
            return blocks;
        }
        count = refined_count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(cells: &[(u32, &str, u32)]) -> BTreeMap<Loc, Block> {
        let views = cells.iter().map(|&(loc, value, next)| {
            let next = match next {
                0 => Seen::Value("null".to_owned()),
                next => Seen::Object(Loc(next)),
            };
            let fields = vec![Seen::Value(value.to_owned()), next];
            let class = "Node".to_owned();
            (Loc(loc), View { class, fields })
        });
        bisimilar(&views.collect())
    }

    #[test]
    fn ends_and_values_tell_objects_apart() {
        let blocks = list(&[(1, "5", 2), (2, "5", 3), (3, "5", 0)]);
        assert_ne!(blocks[&Loc(1)], blocks[&Loc(2)]);
        assert_ne!(blocks[&Loc(2)], blocks[&Loc(3)]);
        let ring = list(&[(1, "5", 2), (2, "6", 3), (3, "5", 4), (4, "6", 1)]);
        assert_eq!(ring[&Loc(1)], ring[&Loc(3)]);
        assert_ne!(ring[&Loc(1)], ring[&Loc(2)]);
    }
}
