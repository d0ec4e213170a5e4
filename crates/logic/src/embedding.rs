//! Objects that lie inside of other objects, as structs of C do.
//!
//! In formulas and heaps such an object is a cell of its own, which a field of the object around it
//! leads to, and perhaps a field of its own leads back. People see one object: whoever shows heaps
//! asks here what belongs together.

use std::collections::BTreeMap;

use crate::definitions::Definitions;
use crate::heap::{Cell, Heap, Loc, Value};

/// Which references of the objects of a class lead to objects inside of or around them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Embedding {
    /// The fields that lead to objects inside.
    pub inside: Vec<u32>,
    /// For arrays: whether their elements are objects inside.
    pub elements: bool,
    /// The field that leads to the object around.
    pub outer: Option<u32>,
}

impl Embedding {
    /// Whether a field or element leads to an object inside.
    pub fn embeds(&self, field: usize) -> bool {
        self.elements || self.inside.iter().any(|&known| known as usize == field)
    }

    /// Whether a field leads to the object around.
    pub fn leads_out(&self, field: usize) -> bool {
        self.outer.is_some_and(|outer| outer as usize == field)
    }
}

/// The objects of a heap that lie inside of others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Embedded {
    /// The object directly around each, and the field or element that leads from there.
    holders: BTreeMap<Loc, (Loc, usize)>,
}

impl Embedded {
    /// Looks through a heap.
    pub fn of(definitions: &Definitions, heap: &Heap) -> Embedded {
        let mut holders = BTreeMap::new();
        for (&loc, cell) in &heap.cells {
            for (field, inner) in inside(definitions, cell) {
                if inner != loc && heap.cells.contains_key(&inner) {
                    holders.entry(inner).or_insert((loc, field));
                }
            }
        }
        Embedded { holders }
    }

    /// What is inside of others in either of two heaps.
    pub fn and(mut self, other: Embedded) -> Embedded {
        for (inner, holder) in other.holders {
            self.holders.entry(inner).or_insert(holder);
        }
        self
    }

    /// Whether an object lies inside of another one.
    pub fn contains(&self, loc: Loc) -> bool {
        self.holders.contains_key(&loc)
    }

    /// Whether an object lies directly in a field or element of another one.
    pub fn is_at(&self, inner: Loc, holder: Loc, field: usize) -> bool {
        self.holders.get(&inner) == Some(&(holder, field))
    }

    /// All objects that do.
    pub fn locs(&self) -> impl Iterator<Item = Loc> + '_ {
        self.holders.keys().copied()
    }

    /// The outermost object around one, which may be itself, and the fields that lead from there,
    /// each with the object that has it.
    pub fn outermost(&self, loc: Loc) -> (Loc, Vec<(Loc, usize)>) {
        let mut path = Vec::new();
        let mut outermost = loc;
        // Made-up heaps may have objects that are inside of each other.
        while let Some(&holder) = self.holders.get(&outermost)
            && path.len() < self.holders.len()
        {
            path.push(holder);
            outermost = holder.0;
        }
        path.reverse();
        (outermost, path)
    }

    /// The way from the outermost object to one inside as C writes it: `link`, `slots[2].link`;
    /// empty for an object that is not inside of another one.
    pub fn path(&self, definitions: &Definitions, heap: &Heap, loc: Loc) -> String {
        let mut text = String::new();
        for (holder, field) in self.outermost(loc).1 {
            let Some(cell) = heap.cells.get(&holder) else {
                continue;
            };
            extend_path(&mut text, definitions, cell, field);
        }
        text
    }
}

/// Adds a field or an element to a way through objects inside of each other.
pub fn extend_path(text: &mut String, definitions: &Definitions, cell: &Cell, field: usize) {
    let declared = definitions.fields_of(cell.class).get(field);
    match declared {
        Some(declared) => {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(&declared.name);
        }
        None => text.push_str(&format!("[{field}]")),
    }
}

/// The objects inside of one, by field or element.
fn inside<'c>(
    definitions: &'c Definitions,
    cell: &'c Cell,
) -> impl Iterator<Item = (usize, Loc)> + 'c {
    let embedding = definitions.embedding(cell.class);
    let fields = cell.fields.iter().enumerate();
    fields.filter_map(move |(field, value)| match value {
        Value::Ref(loc) if embedding.is_some_and(|known| known.embeds(field)) => {
            Some((field, *loc))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::{Class, Field};
    use crate::sort::{ClassId, Sort};

    #[test]
    fn objects_inside_of_objects_are_found_with_their_way() {
        let mut definitions = Definitions::new();
        let mut class = |name: &str, fields: &[&str]| {
            definitions.add_class(Class {
                name: name.to_owned(),
                fields: (fields.iter())
                    .map(|name| Field {
                        name: (*name).to_owned(),
                        sort: Sort::Ref(ClassId::ANY),
                    })
                    .collect(),
                superclass: None,
            })
        };
        let (table, slots, item, link) = (
            class("table", &["slots"]),
            class("item[]", &[]),
            class("item", &["link"]),
            class("item.link", &["next", "outer"]),
        );
        let inside = |field| Embedding {
            inside: vec![field],
            ..Embedding::default()
        };
        definitions.set_embedding(table, inside(0));
        definitions.set_embedding(item, inside(0));
        let elements = Embedding {
            elements: true,
            ..Embedding::default()
        };
        definitions.set_embedding(slots, elements);
        let outer = Embedding {
            outer: Some(1),
            ..Embedding::default()
        };
        definitions.set_embedding(link, outer);
        let mut heap = Heap::default();
        let mut add = |loc, class, fields: &[u32]| {
            let fields = fields.iter().map(|&to| Value::Ref(Loc(to))).collect();
            heap.cells.insert(Loc(loc), Cell { class, fields });
        };
        add(1, table, &[2]);
        add(2, slots, &[3, 5]);
        add(3, item, &[4]);
        add(4, link, &[6, 3]);
        add(5, item, &[6]);
        add(6, link, &[4, 5]);
        let embedded = Embedded::of(&definitions, &heap);
        let inner: Vec<Loc> = embedded.locs().collect();
        assert_eq!(inner, [2, 3, 4, 5, 6].map(Loc));
        assert_eq!(embedded.outermost(Loc(6)).0, Loc(1));
        assert_eq!(embedded.outermost(Loc(1)).0, Loc(1));
        let path = |loc| embedded.path(&definitions, &heap, Loc(loc));
        assert_eq!(path(6), "slots[1].link");
        assert_eq!(path(1), "");
    }
}
