//! Objects by the way that leads to them: `this.head.next` instead of `#3`.

use std::collections::{BTreeMap, VecDeque};

use heapwright_logic::{Definitions, Heap, Loc, Value};

/// A way with more fields than this is harder to read than a number.
const LONGEST: usize = 8;

/// The shortest way to each object that some names lead to; of several, the first.
pub fn paths(
    definitions: &Definitions,
    roots: &[(String, Value)],
    heap: &Heap,
) -> BTreeMap<Loc, String> {
    let mut paths: BTreeMap<Loc, String> = BTreeMap::new();
    let mut waiting: VecDeque<(Loc, String, usize)> = VecDeque::new();
    let mut add = |value: Value, path: String, length: usize, waiting: &mut VecDeque<_>| {
        if let Value::Ref(loc) = value
            && length <= LONGEST
            && !paths.contains_key(&loc)
        {
            paths.insert(loc, path.clone());
            waiting.push_back((loc, path, length));
        }
    };
    for (name, value) in roots {
        add(*value, name.clone(), 0, &mut waiting);
    }
    while let Some((loc, path, length)) = waiting.pop_front() {
        let Some(cell) = heap.cells.get(&loc) else {
            continue;
        };
        let names = &definitions.class(cell.class).fields;
        for (index, &value) in cell.fields.iter().enumerate() {
            // What has no name is an element of an array.
            let path = match names.get(index) {
                Some(field) => format!("{path}.{}", field.name),
                None => format!("{path}[{index}]"),
            };
            add(value, path, length + 1, &mut waiting);
        }
    }
    paths
}

/// A text in which objects are called by their numbers, with the ways to those that have one.
pub fn spelled(text: &str, paths: &BTreeMap<Loc, String>) -> String {
    let mut pieces = text.split('#');
    let mut spelled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_digit());
        let (digits, rest) = piece.split_at(end.unwrap_or(piece.len()));
        let path = (digits.parse().ok()).and_then(|number| paths.get(&Loc(number)));
        match path {
            Some(path) => spelled.push_str(path),
            None => {
                spelled.push('#');
                spelled.push_str(digits);
            }
        }
        spelled.push_str(rest);
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_logic::{Cell, Class, Field, Sort};

    #[test]
    fn objects_are_called_by_the_shortest_way() {
        let mut definitions = Definitions::default();
        let any = definitions.classes().next().expect("a class").0;
        let class = definitions.add_class(Class {
            name: "Node".to_owned(),
            fields: vec![Field {
                name: "next".to_owned(),
                sort: Sort::Ref(any),
            }],
            superclass: None,
        });
        let mut heap = Heap::default();
        for (loc, next) in [(1, 2), (2, 3), (3, 1), (4, 4)] {
            let fields = vec![Value::Ref(Loc(next))];
            heap.cells.insert(Loc(loc), Cell { class, fields });
        }
        let roots = [
            ("x".to_owned(), Value::Ref(Loc(1))),
            ("y".to_owned(), Value::Ref(Loc(3))),
        ];
        let paths = paths(&definitions, &roots, &heap);
        let text = "in list(#1, #2): next = null in #3, where it is #4 # x";
        let expected = "in list(x, x.next): next = null in y, where it is #4 # x";
        assert_eq!(spelled(text, &paths), expected);
    }
}
