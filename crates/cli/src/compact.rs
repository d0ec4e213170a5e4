//! Heaps in one line, as nested terms: `x = cons(1, null), n = 0`.
//!
//! The fields of an object are in the order of its class, as in `new` and in specifications. An
//! object of the same class as the one that it hangs from is written without its class:
//! `x = cons(1, (3, null))`. An object that several references lead to is written where the first
//! of them is, behind a name by which the others mention it: `x = #1:cons(7, #1)`. A reference to
//! what is no object any more is `freed`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use heapwright_logic::{ClassId, Definitions, Heap, Loc, Value};

use crate::picture::show_value;

/// Objects nested deeper than this are named only, and written behind the rest.
const DEEPEST: usize = 40;

/// The roots with everything that they reach. What they do not reach is left out.
pub fn terms(definitions: &Definitions, roots: &[(String, Value)], heap: &Heap) -> String {
    let mut writer = Writer {
        definitions,
        heap,
        shared: shared(roots, heap),
        written: BTreeSet::new(),
        postponed: BTreeSet::new(),
        text: String::new(),
    };
    for (name, value) in roots {
        writer.separate();
        let _ = write!(writer.text, "{name} = ");
        writer.value(*value, None, 0);
    }
    while let Some(loc) = writer.postponed.pop_first() {
        if !writer.written.contains(&loc) {
            writer.separate();
            writer.value(Value::Ref(loc), None, 0);
        }
    }
    writer.text
}

/// The roots whose value changed, or that reach an object that changed, and those that are new.
pub fn changed(
    before: (&[(String, Value)], &Heap),
    after: (&[(String, Value)], &Heap),
) -> Vec<(String, Value)> {
    let same = |(name, value): &(String, Value)| {
        let mut known = before.0.iter();
        known.any(|(other, old)| other == name && old == value)
            && reachable(*value, after.1)
                .iter()
                .all(|loc| before.1.cells.get(loc) == after.1.cells.get(loc))
    };
    let roots = after.0.iter().filter(|root| !same(root));
    roots.cloned().collect()
}

/// The addresses that a value leads to, without those of other roots.
fn reachable(value: Value, heap: &Heap) -> BTreeSet<Loc> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![value];
    while let Some(next) = pending.pop() {
        if let Value::Ref(loc) = next
            && reached.insert(loc)
            && let Some(cell) = heap.cells.get(&loc)
        {
            pending.extend(&cell.fields);
        }
    }
    reached
}

/// The objects that more than one reference leads to.
fn shared(roots: &[(String, Value)], heap: &Heap) -> BTreeSet<Loc> {
    let mut references: BTreeMap<Loc, u32> = BTreeMap::new();
    let mut pending: Vec<Value> = roots.iter().map(|(_, value)| *value).collect();
    while let Some(next) = pending.pop() {
        let Value::Ref(loc) = next else {
            continue;
        };
        let count = references.entry(loc).or_insert(0);
        *count += 1;
        if *count == 1
            && let Some(cell) = heap.cells.get(&loc)
        {
            pending.extend(&cell.fields);
        }
    }
    references.retain(|_, count| *count > 1);
    references.into_keys().collect()
}

struct Writer<'a> {
    definitions: &'a Definitions,
    heap: &'a Heap,
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

    /// Writes a value that is a field of an object of class `parent`, or a root.
    fn value(&mut self, value: Value, parent: Option<ClassId>, depth: usize) {
        let Value::Ref(loc) = value else {
            self.text.push_str(&show_value(value));
            return;
        };
        let heap = self.heap;
        let Some(cell) = heap.cells.get(&loc) else {
            self.text.push_str("freed");
            return;
        };
        if depth > DEEPEST && !self.written.contains(&loc) {
            self.postponed.insert(loc);
            self.shared.insert(loc);
        } else if self.written.insert(loc) {
            if self.shared.contains(&loc) {
                let _ = write!(self.text, "{loc}:");
            }
            if parent != Some(cell.class) {
                self.text.push_str(&self.definitions.class(cell.class).name);
            }
            self.text.push('(');
            for (index, &field) in cell.fields.iter().enumerate() {
                if index > 0 {
                    self.text.push_str(", ");
                }
                self.value(field, Some(cell.class), depth + 1);
            }
            self.text.push(')');
            return;
        }
        let _ = write!(self.text, "{loc}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_logic::{Cell, Class, Field, Sort};

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
            assert_eq!(terms(&definitions, roots, &heap(class, cells)), expected);
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
    fn deep_structures_do_not_overflow() {
        let (definitions, class) = list();
        let next = |n| (n < 20_000).then_some(n + 1);
        let cells: Vec<_> = (1..=20_000).map(|n| (n, 0, next(n))).collect();
        let text = terms(&definitions, &[root("x", 1)], &heap(class, &cells));
        assert_eq!(text.matches('(').count(), 20_000);
    }

    #[test]
    fn what_is_as_before_is_left_out() {
        let (_, class) = list();
        let before = heap(class, &[(1, 1, Some(2)), (2, 3, None), (3, 0, None)]);
        let after = heap(class, &[(1, 1, Some(2)), (2, 4, None), (3, 0, None)]);
        let roots = [root("x", 1), root("y", 3), ("n".to_owned(), Value::Int(1))];
        let mut later = roots.to_vec();
        later.insert(0, ("result".to_owned(), Value::Null));
        let names: Vec<String> = changed((&roots, &before), (&later, &after))
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["result", "x"]);
    }
}
