//! Heaps in one line, as nested terms: `x = cons(1, null), n = 0`.
//!
//! The fields of an object are in the order of its class, as in `new` and in specifications. An
//! object of the same class as the one that it hangs from is written without its class:
//! `x = cons(1, (3, null))`. An object that several references lead to is written where the first
//! of them is, behind a name by which the others mention it: `x = #1:cons(7, #1)`. A reference to
//! what is no object any more is `freed`. The elements of an array are in braces: `a = int[] {1, 2}`;
//! strings and boxed numbers are shown as their values: `s = "abc"`, constants of enums by their
//! names, exceptions with their messages. Collections are shown as what they hold: `[1, 2]`, `{"a"=1}`.
//! What lies inside of an object is written inside of it, and
//! a reference to it as C does: `head = list_head(&#2.link), #2:item(7, (null))`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use heapwright_logic::{Cell, ClassId, Definitions, Embedded, Heap, Loc, Sort, Value};

use crate::labels::{Collection, Labels, bare, short_texts};
use crate::picture::{show_scalar, show_value};
use crate::words;

/// Objects nested deeper than this are named only, and written behind the rest.
const DEEPEST: usize = 40;

/// Elements of an array beyond this many are only counted.
const ELEMENTS: usize = 32;

/// The roots with everything that they reach. What they do not reach is left out.
pub fn terms(
    labels: &dyn Labels,
    definitions: &Definitions,
    roots: &[(String, Value)],
    heap: &Heap,
) -> String {
    let shown = Shown::of(labels, definitions, heap);
    let embedded = Embedded::of(definitions, heap);
    let mut writer = Writer {
        definitions,
        heap,
        shared: shared(definitions, roots, heap, &shown, &embedded),
        embedded,
        shown,
        written: BTreeSet::new(),
        postponed: BTreeSet::new(),
        text: String::new(),
    };
    for (name, value) in roots {
        writer.separate();
        let _ = write!(writer.text, "{name} = ");
        writer.value(*value, None, None, 0);
    }
    while let Some(loc) = writer.postponed.pop_first() {
        if !writer.written.contains(&loc) {
            writer.separate();
            writer.value(Value::Ref(loc), None, None, 0);
        }
    }
    writer.text
}

/// The roots whose value changed, or that reach an object that changed, and those that are new.
pub fn changed(
    labels: &dyn Labels,
    definitions: &Definitions,
    before: (&[(String, Value)], &Heap),
    after: (&[(String, Value)], &Heap),
) -> Vec<(String, Value)> {
    let shown = |heap| Shown::of(labels, definitions, heap);
    let shown = (shown(before.1), shown(after.1));
    let unchanged = |loc: &Loc| match (shown.0.texts.get(loc), shown.1.texts.get(loc)) {
        // What is inside does not show.
        (Some(old), Some(new)) => old == new,
        _ => match (shown.0.collections.get(loc), shown.1.collections.get(loc)) {
            (Some(old), Some(new)) => old == new,
            _ => before.1.cells.get(loc) == after.1.cells.get(loc),
        },
    };
    let same = |(name, value): &(String, Value)| {
        let mut known = before.0.iter();
        known.any(|(other, old)| other == name && old == value)
            && reachable(*value, after.1, &shown.1).iter().all(unchanged)
    };
    let roots = after.0.iter().filter(|root| !same(root));
    roots.cloned().collect()
}

/// What is not shown with its fields.
struct Shown {
    /// The objects that are written as a text.
    texts: BTreeMap<Loc, String>,
    /// The objects that are written as what they hold.
    collections: BTreeMap<Loc, Collection>,
}

impl Shown {
    fn of(labels: &dyn Labels, definitions: &Definitions, heap: &Heap) -> Shown {
        Shown {
            texts: short_texts(labels, definitions, heap),
            collections: labels.collections(definitions, heap),
        }
    }
}

/// The addresses that a value leads to, without those in objects that are shown as a text, and those
/// that make up a collection.
fn reachable(value: Value, heap: &Heap, shown: &Shown) -> BTreeSet<Loc> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![value];
    while let Some(next) = pending.pop() {
        let Value::Ref(loc) = next else {
            continue;
        };
        if !reached.insert(loc) || shown.texts.contains_key(&loc) {
            continue;
        }
        match (shown.collections.get(&loc), heap.cells.get(&loc)) {
            (Some(collection), _) => pending.extend(collection.values()),
            (None, Some(cell)) => pending.extend(&cell.fields),
            (None, None) => {}
        }
    }
    reached
}

/// The objects that more than one reference leads to, not counting those in objects that are
/// shown as a text.
fn shared(
    definitions: &Definitions,
    roots: &[(String, Value)],
    heap: &Heap,
    shown: &Shown,
    embedded: &Embedded,
) -> BTreeSet<Loc> {
    let mut references: BTreeMap<Loc, u32> = BTreeMap::new();
    let mut pending: Vec<Value> = roots.iter().map(|(_, value)| *value).collect();
    while let Some(next) = pending.pop() {
        let Value::Ref(loc) = next else {
            continue;
        };
        // What a reference leads into is always named.
        let (outermost, path) = embedded.outermost(loc);
        let count = references.entry(outermost).or_insert(0);
        let is_new = *count == 0;
        *count += if path.is_empty() { 1 } else { 2 };
        if let Some(collection) = shown.collections.get(&outermost) {
            // Values inside of a collection are written where they are.
            let is_object = |value: &Value| match value {
                Value::Ref(loc) => !shown.texts.contains_key(loc),
                _ => false,
            };
            if is_new {
                pending.extend(collection.values().into_iter().filter(is_object));
            }
        } else if is_new && !shown.texts.contains_key(&outermost) {
            let mut inside = vec![outermost];
            while let Some(loc) = inside.pop() {
                let Some(cell) = heap.cells.get(&loc) else {
                    continue;
                };
                let embedding = definitions.embedding(cell.class);
                for (field, &value) in cell.fields.iter().enumerate() {
                    let leads_out = embedding.is_some_and(|known| known.leads_out(field));
                    match value {
                        Value::Ref(inner) if embedded.is_at(inner, loc, field) => {
                            inside.push(inner);
                        }
                        _ if leads_out && embedded.contains(loc) => {}
                        value => pending.push(value),
                    }
                }
            }
        }
    }
    let is_named = |loc: &Loc| (shown.texts.get(loc)).is_some_and(|label| is_name(label));
    references.retain(|loc, count| *count > 1 && !is_named(loc));
    references.into_keys().collect()
}

/// Whether a text is a name, as that of a constant: there is no other object that it could mean.
fn is_name(label: &str) -> bool {
    let mut characters = label.chars();
    characters.all(|character| character.is_alphanumeric() || matches!(character, '_' | '$'))
}

struct Writer<'a> {
    definitions: &'a Definitions,
    heap: &'a Heap,
    shown: Shown,
    /// What lies inside of others.
    embedded: Embedded,
    shared: BTreeSet<Loc>,
    written: BTreeSet<Loc>,
    postponed: BTreeSet<Loc>,
    text: String,
}

impl Writer<'_> {
    fn separate(&mut self) {
        if !self.text.is_empty() {
            self.text.push_str(", ");
        }
    }

    /// Writes a value that is of a sort, if that is known, and in an object of class `parent`.
    fn value(&mut self, value: Value, sort: Option<Sort>, parent: Option<ClassId>, depth: usize) {
        let Value::Ref(loc) = value else {
            let shown = match sort {
                Some(sort) => show_scalar(value, sort),
                None => show_value(value),
            };
            self.text.push_str(&shown);
            return;
        };
        let heap = self.heap;
        let Some(cell) = heap.cells.get(&loc) else {
            self.text.push_str("freed");
            return;
        };
        if let Some(label) = self.shown.texts.get(&loc).filter(|label| is_name(label)) {
            self.text.push_str(label);
            return;
        }
        if self.embedded.contains(loc) {
            let (outermost, _) = self.embedded.outermost(loc);
            let path = self.embedded.path(self.definitions, heap, loc);
            let _ = write!(self.text, "&{outermost}.{path}");
            if !self.written.contains(&outermost) {
                self.postponed.insert(outermost);
            }
            return;
        }
        if depth > DEEPEST && !self.written.contains(&loc) {
            self.postponed.insert(loc);
            self.shared.insert(loc);
        } else if self.written.insert(loc) {
            if self.shared.contains(&loc) {
                let _ = write!(self.text, "{loc}:");
            }
            if let Some(label) = self.shown.texts.get(&loc) {
                self.text.push_str(label);
                return;
            }
            if let Some(collection) = self.shown.collections.get(&loc).cloned() {
                self.collection(&collection, depth);
                return;
            }
            if parent != Some(cell.class) {
                let name = &self.definitions.class(cell.class).name;
                self.text.push_str(words::simple_class(name));
            }
            self.contents(loc, cell, depth);
            return;
        }
        let _ = write!(self.text, "{loc}");
    }

    /// `[1, 2]`, or `{"a"=1}`.
    fn collection(&mut self, collection: &Collection, depth: usize) {
        let (open, entries, close): (_, Vec<Vec<Value>>, _) = match collection {
            Collection::Elements(elements) => {
                let each = elements.iter().map(|&element| vec![element]);
                ("[", each.collect(), "]")
            }
            Collection::Entries(entries) => {
                let each = entries.iter().map(|&(key, value)| vec![key, value]);
                ("{", each.collect(), "}")
            }
        };
        self.text.push_str(open);
        for (index, entry) in entries.iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            if index >= ELEMENTS {
                let _ = write!(self.text, "… {} more", entries.len() - index);
                break;
            }
            for (position, &value) in entry.iter().enumerate() {
                if position > 0 {
                    self.text.push('=');
                }
                let text = match value {
                    Value::Ref(loc) => self.shown.texts.get(&loc),
                    _ => None,
                };
                match text.cloned() {
                    Some(text) => self.text.push_str(bare(&text)),
                    None => self.value(value, None, None, depth + 1),
                }
            }
        }
        self.text.push_str(close);
    }

    /// The fields of an object in parentheses, or the elements of an array in braces.
    fn contents(&mut self, loc: Loc, cell: &Cell, depth: usize) {
        let element = self.definitions.element_sort(cell.class);
        let (open, close) = match element {
            Some(_) if self.text.ends_with(']') => (" {", "}"),
            Some(_) => ("{", "}"),
            None => ("(", ")"),
        };
        self.text.push_str(open);
        let embedding = self.definitions.embedding(cell.class);
        for (index, &value) in cell.fields.iter().enumerate() {
            let leads_out = embedding.is_some_and(|known| known.leads_out(index));
            if leads_out && self.embedded.contains(loc) {
                continue;
            }
            if index > 0 {
                self.text.push_str(", ");
            }
            if element.is_some() && index >= ELEMENTS {
                let _ = write!(self.text, "… {} more", cell.fields.len() - index);
                break;
            }
            let heap = self.heap;
            match value {
                Value::Ref(inner) if self.embedded.is_at(inner, loc, index) => {
                    if let Some(cell) = heap.cells.get(&inner) {
                        self.contents(inner, cell, depth);
                    }
                }
                value => self.value(value, element, Some(cell.class), depth + 1),
            }
        }
        self.text.push_str(close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::java::JavaTexts;
    use heapwright_logic::{Class, Field, IntType};

    fn list() -> (Definitions, ClassId) {
        let mut definitions = Definitions::new();
        let class = definitions.add_class(Class {
            name: "cons".to_owned(),
            fields: Vec::new(),
            superclass: None,
        });
        let field = |name: &str, sort| Field {
            name: name.to_owned(),
            sort,
        };
        definitions.class_mut(class).fields =
            vec![field("head", Sort::Int), field("tail", Sort::Ref(class))];
        (definitions, class)
    }

    fn heap(class: ClassId, cells: &[(u32, i128, Option<u32>)]) -> Heap {
        let mut heap = Heap::default();
        for &(loc, head, tail) in cells {
            let tail = tail.map_or(Value::Null, |tail| Value::Ref(Loc(tail)));
            let fields = vec![Value::Int(head), tail];
            heap.cells.insert(Loc(loc), Cell { class, fields });
        }
        heap
    }

    fn root(name: &str, loc: u32) -> (String, Value) {
        (name.to_owned(), Value::Ref(Loc(loc)))
    }

    #[test]
    fn objects_are_terms_and_shared_ones_have_names() {
        let (definitions, class) = list();
        let check = |cells: &[(u32, i128, Option<u32>)], roots: &[(String, Value)], expected| {
            assert_eq!(
                terms(&JavaTexts, &definitions, roots, &heap(class, cells)),
                expected
            );
        };
        let n = ("n".to_owned(), Value::Int(-2));
        check(
            &[(1, 1, Some(2)), (2, 3, None)],
            &[root("x", 1), n],
            "x = cons(1, (3, null)), n = -2",
        );
        check(&[(1, 7, Some(1))], &[root("x", 1)], "x = #1:cons(7, #1)");
        check(
            &[(1, 1, Some(2)), (2, 3, Some(9))],
            &[root("x", 1), root("y", 2)],
            "x = cons(1, #2:(3, freed)), y = #2",
        );
        check(&[], &[], "");
    }

    #[test]
    fn strings_of_java_are_shown_as_texts() {
        let mut definitions = Definitions::new();
        let mut class = |name: &str, fields: &[&str]| {
            let field = |name: &&str| Field {
                name: (*name).to_owned(),
                sort: Sort::Int,
            };
            definitions.add_class(Class {
                name: name.to_owned(),
                fields: fields.iter().map(field).collect(),
                superclass: None,
            })
        };
        let bytes = class("byte[]", &[]);
        let string = class("java.lang.String", &["value", "coder"]);
        let mut heap = Heap::default();
        let mut add = |loc, class, fields| heap.cells.insert(Loc(loc), Cell { class, fields });
        let pointer = |loc| Value::Ref(Loc(loc));
        let numbers = |values: &[i128]| values.iter().map(|&value| Value::Int(value)).collect();
        add(1, bytes, numbers(&[97, 34, -23]));
        add(2, string, vec![pointer(1), Value::Int(0)]);
        add(3, bytes, numbers(&[0x2d, 0x4e]));
        add(4, string, vec![pointer(3), Value::Int(1)]);
        let text = terms(
            &JavaTexts,
            &definitions,
            &[root("s", 2), root("t", 4)],
            &heap,
        );
        assert_eq!(text, "s = \"a\\\"é\", t = \"中\"");
    }

    #[test]
    fn deep_structures_do_not_overflow() {
        let (definitions, class) = list();
        let next = |n| (n < 20_000).then_some(n + 1);
        let cells: Vec<_> = (1..=20_000).map(|n| (n, 0, next(n))).collect();
        let text = terms(
            &JavaTexts,
            &definitions,
            &[root("x", 1)],
            &heap(class, &cells),
        );
        assert_eq!(text.matches('(').count(), 20_000);
    }

    #[test]
    fn what_is_as_before_is_left_out() {
        let (definitions, class) = list();
        let before = heap(class, &[(1, 1, Some(2)), (2, 3, None), (3, 0, None)]);
        let after = heap(class, &[(1, 1, Some(2)), (2, 4, None), (3, 0, None)]);
        let roots = [root("x", 1), root("y", 3), ("n".to_owned(), Value::Int(1))];
        let mut later = roots.to_vec();
        later.insert(0, ("result".to_owned(), Value::Null));
        let names: Vec<String> = changed(
            &JavaTexts,
            &definitions,
            (&roots, &before),
            (&later, &after),
        )
        .into_iter()
        .map(|(name, _)| name)
        .collect();
        assert_eq!(names, ["result", "x"]);
    }

    #[test]
    fn arrays_are_in_braces_and_strings_in_quotes() {
        let example = crate::picture::tests::strings_and_arrays();
        let (definitions, roots, heap) = &example;
        assert_eq!(
            terms(&JavaTexts, definitions, roots, heap),
            "a = #1:int[] {3, -4}, grid = int[][] {#1, null, int[] {}}, \
             letters = char[] {'x', 'é', 10}, s = #10:\"a\\\"b\\n\", n = Object[] {#10, \
             Integer 5, #14:byte[] {1}, byte[] {}}, bytes = #14"
        );
        let long = vec![Value::Int(7); 40];
        let class = definitions.class_named("int[]").unwrap();
        let mut heap = Heap::default();
        heap.cells.insert(
            Loc(1),
            Cell {
                class,
                fields: long,
            },
        );
        let text = terms(&JavaTexts, definitions, &[root("x", 1)], &heap);
        assert_eq!(text.matches('7').count(), 32, "{text}");
        assert!(text.ends_with(", … 8 more}"), "{text}");
        assert_eq!(
            definitions.element_sort(class),
            Some(Sort::Machine(IntType::I32))
        );
    }
}
