//! Collections of the JDK as what they hold: `[1, 2]` instead of an array of elements with a size,
//! `{a=1}` instead of a table of buckets.
//!
//! Only what is exactly one of these classes is read, and only if it is as its class leaves it:
//! anything else has fields that a reader may want to see.

use heapwright_logic::{Cell, Definitions, Heap, Value};

/// What a collection holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Elements, in the order in which they are iterated over.
    Elements(Vec<Value>),
    /// Keys with their values, in that order.
    Entries(Vec<(Value, Value)>),
}

use Contents::{Elements, Entries};

/// Collections inside of others that only look at them: no deeper than this.
const DEEPEST: u32 = 4;

/// What a collection holds; `None` if the object is none, or is not as its class leaves it.
pub fn contents(definitions: &Definitions, heap: &Heap, cell: &Cell) -> Option<Contents> {
    Reader { definitions, heap }.contents(cell, 0)
}

/// The objects of a heap with their classes.
struct Reader<'a> {
    definitions: &'a Definitions,
    heap: &'a Heap,
}

impl<'a> Reader<'a> {
    fn contents(&self, cell: &Cell, depth: u32) -> Option<Contents> {
        if depth > DEEPEST {
            return None;
        }
        let within = |field| self.contents(self.object(cell, field)?, depth + 1);
        let name = self.definitions.class(cell.class).name.as_str();
        let (package, class) = name.rsplit_once('.')?;
        if package != "java.util" {
            return match name {
                "java.util.concurrent.CopyOnWriteArrayList" => {
                    Some(Elements(self.array(cell, "array")?.to_vec()))
                }
                "java.util.concurrent.ConcurrentHashMap" => self.buckets(cell, "val"),
                _ => None,
            };
        }
        match class {
            "ArrayList" => self.first(cell, "elementData", "size"),
            "Vector" | "Stack" => self.first(cell, "elementData", "elementCount"),
            "PriorityQueue" => self.first(cell, "queue", "size"),
            "LinkedList" => Some(Elements(self.chain(cell, "first", "item", "next")?)),
            "ArrayDeque" => self.circle(cell),
            "HashMap" => self.buckets(cell, "value"),
            "LinkedHashMap" => {
                let keys = self.chain(cell, "head", "key", "after")?;
                let values = self.chain(cell, "head", "value", "after")?;
                Some(Entries(keys.into_iter().zip(values).collect()))
            }
            "TreeMap" => self.tree(cell),
            "HashSet" | "LinkedHashSet" => keys(within("map")?),
            "TreeSet" => keys(within("m")?),
            "HashMap$KeySet" | "LinkedHashMap$LinkedKeySet" => keys(within("this$0")?),
            "HashMap$Values" | "LinkedHashMap$LinkedValues" | "TreeMap$Values" => {
                values(within("this$0")?)
            }
            "HashMap$EntrySet" | "LinkedHashMap$LinkedEntrySet" | "TreeMap$EntrySet" => {
                within("this$0")
            }
            "TreeMap$KeySet" => keys(within("m")?),
            "Arrays$ArrayList" => Some(Elements(self.array(cell, "a")?.to_vec())),
            "ImmutableCollections$ListN" => Some(Elements(self.array(cell, "elements")?.to_vec())),
            "ImmutableCollections$SetN" => {
                let there = self.array(cell, "elements")?.iter().copied();
                Some(Elements(there.filter(is_there).collect()))
            }
            "ImmutableCollections$List12" | "ImmutableCollections$Set12" => {
                let mut elements = vec![self.field(cell, "e0")?];
                let second = self.field(cell, "e1")?;
                // An object of no class in particular stands for none.
                let is_none = match second {
                    Value::Ref(loc) => {
                        let class = self.heap.cells.get(&loc)?.class;
                        self.definitions.class(class).name == "java.lang.Object"
                    }
                    _ => true,
                };
                elements.extend((!is_none).then_some(second));
                Some(Elements(elements))
            }
            "ImmutableCollections$Map1" => {
                let entry = (self.field(cell, "k0")?, self.field(cell, "v0")?);
                Some(Entries(vec![entry]))
            }
            "ImmutableCollections$MapN" => {
                let pairs = self.array(cell, "table")?.chunks_exact(2);
                let pairs = pairs.filter_map(|pair| match pair {
                    [key, value] if is_there(key) => Some((*key, *value)),
                    _ => None,
                });
                Some(Entries(pairs.collect()))
            }
            "Collections$EmptyList" | "Collections$EmptySet" => Some(Elements(Vec::new())),
            "Collections$EmptyMap" => Some(Entries(Vec::new())),
            "Collections$SingletonList" | "Collections$SingletonSet" => {
                Some(Elements(vec![self.field(cell, "element")?]))
            }
            "Collections$SingletonMap" => {
                let entry = (self.field(cell, "k")?, self.field(cell, "v")?);
                Some(Entries(vec![entry]))
            }
            _ => {
                let view = class.strip_prefix("Collections$")?;
                let of = ["Unmodifiable", "Synchronized"];
                let of = of.iter().find_map(|kind| view.strip_prefix(kind))?;
                within(if of.ends_with("Map") { "m" } else { "c" })
            }
        }
    }

    fn field(&self, cell: &Cell, name: &str) -> Option<Value> {
        let at = self.definitions.field_index(cell.class, name)?;
        cell.fields.get(at).copied()
    }

    fn at(&self, value: Value) -> Option<&'a Cell> {
        match value {
            Value::Ref(loc) => self.heap.cells.get(&loc),
            _ => None,
        }
    }

    fn object(&self, cell: &Cell, name: &str) -> Option<&'a Cell> {
        self.at(self.field(cell, name)?)
    }

    fn array(&self, cell: &Cell, name: &str) -> Option<&'a [Value]> {
        let array = self.object(cell, name)?;
        self.definitions.element_sort(array.class)?;
        Some(&array.fields)
    }

    fn count(&self, cell: &Cell, name: &str) -> Option<usize> {
        match self.field(cell, name)? {
            Value::Int(count) => usize::try_from(count).ok(),
            _ => None,
        }
    }

    /// As many elements of an array as a field says; there is nothing behind them.
    fn first(&self, cell: &Cell, array: &str, size: &str) -> Option<Contents> {
        let (known, behind) =
            (self.array(cell, array)?).split_at_checked(self.count(cell, size)?)?;
        let is_clean = behind.iter().all(|value| !is_there(value));
        is_clean.then(|| Elements(known.to_vec()))
    }

    /// The elements of an array from `head` to `tail`, round its end.
    fn circle(&self, cell: &Cell) -> Option<Contents> {
        let array = self.array(cell, "elements")?;
        let (head, tail) = (self.count(cell, "head")?, self.count(cell, "tail")?);
        if head >= array.len() || tail >= array.len() {
            return None;
        }
        let count = (tail + array.len() - head) % array.len();
        let round = array.iter().cycle().skip(head);
        let elements: Vec<Value> = round.take(count).copied().collect();
        elements.iter().all(is_there).then_some(Elements(elements))
    }

    /// A field of every node of a chain.
    fn chain(&self, cell: &Cell, first: &str, item: &str, next: &str) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        let mut node = self.field(cell, first)?;
        while is_there(&node) {
            let here = self.at(node)?;
            items.push(self.field(here, item)?);
            node = self.field(here, next)?;
            if items.len() > self.heap.cells.len() {
                return None;
            }
        }
        Some(items)
    }

    /// The entries in a table of chains.
    fn buckets(&self, cell: &Cell, value: &str) -> Option<Contents> {
        let mut entries = Vec::new();
        if !is_there(&self.field(cell, "table")?) {
            return Some(Entries(entries));
        }
        for &bucket in self.array(cell, "table")? {
            let mut node = bucket;
            while is_there(&node) {
                let here = self.at(node)?;
                entries.push((self.field(here, "key")?, self.field(here, value)?));
                node = self.field(here, "next")?;
                if entries.len() > self.heap.cells.len() {
                    return None;
                }
            }
        }
        Some(Entries(entries))
    }

    /// The entries of a search tree, in their order.
    fn tree(&self, cell: &Cell) -> Option<Contents> {
        let mut entries = Vec::new();
        let mut above: Vec<&Cell> = Vec::new();
        let mut node = self.field(cell, "root")?;
        loop {
            while is_there(&node) {
                let here = self.at(node)?;
                above.push(here);
                node = self.field(here, "left")?;
                if above.len() > self.heap.cells.len() {
                    return None;
                }
            }
            let Some(here) = above.pop() else {
                return Some(Entries(entries));
            };
            entries.push((self.field(here, "key")?, self.field(here, "value")?));
            node = self.field(here, "right")?;
            if entries.len() > self.heap.cells.len() {
                return None;
            }
        }
    }
}

fn is_there(value: &Value) -> bool {
    *value != Value::Null
}

fn keys(contents: Contents) -> Option<Contents> {
    match contents {
        Entries(entries) => Some(Elements(entries.into_iter().map(|(key, _)| key).collect())),
        Elements(_) => None,
    }
}

fn values(contents: Contents) -> Option<Contents> {
    match contents {
        Entries(entries) => Some(Elements(
            entries.into_iter().map(|(_, value)| value).collect(),
        )),
        Elements(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_logic::{Class, ClassId, Field, Loc, Sort};

    fn class(definitions: &mut Definitions, name: &str, fields: &[&str]) -> ClassId {
        let fields = fields.iter().map(|name| Field {
            name: (*name).to_owned(),
            sort: Sort::Int,
        });
        definitions.add_class(Class {
            name: name.to_owned(),
            fields: fields.collect(),
            superclass: None,
        })
    }

    fn read(definitions: &Definitions, cells: &[(u32, ClassId, &[Value])]) -> Option<Contents> {
        let mut heap = Heap::default();
        for &(loc, class, fields) in cells {
            let fields = fields.to_vec();
            heap.cells.insert(Loc(loc), Cell { class, fields });
        }
        contents(definitions, &heap, heap.cells.get(&Loc(1))?)
    }

    fn at(loc: u32) -> Value {
        Value::Ref(Loc(loc))
    }

    #[test]
    fn lists_have_as_many_elements_as_they_say() {
        let mut definitions = Definitions::new();
        let list = class(
            &mut definitions,
            "java.util.ArrayList",
            &["elementData", "size"],
        );
        let array = class(&mut definitions, "java.lang.Object[]", &[]);
        definitions.set_element_sort(array, Sort::Ref(ClassId::ANY));
        let elements = [at(8), Value::Null, Value::Null];
        let read = |size, elements: &[Value]| {
            let size = Value::Int(size);
            read(
                &definitions,
                &[(1, list, &[at(2), size]), (2, array, elements)],
            )
        };
        assert_eq!(read(1, &elements), Some(Elements(vec![at(8)])));
        assert_eq!(read(2, &elements), Some(Elements(vec![at(8), Value::Null])));
        // No list is such: something behind its end, more elements than there are.
        assert_eq!(read(0, &elements), None);
        assert_eq!(read(4, &elements), None);
        assert_eq!(read(-1, &elements), None);
    }

    #[test]
    fn circles_are_no_chains() {
        let mut definitions = Definitions::new();
        let list = class(&mut definitions, "java.util.LinkedList", &["first"]);
        let node = class(
            &mut definitions,
            "java.util.LinkedList$Node",
            &["item", "next"],
        );
        let read = |next| {
            read(
                &definitions,
                &[(1, list, &[at(2)]), (2, node, &[at(9), next])],
            )
        };
        assert_eq!(read(Value::Null), Some(Elements(vec![at(9)])));
        assert_eq!(read(at(2)), None);
        assert_eq!(read(at(7)), None);
    }

    #[test]
    fn maps_have_entries_and_sets_their_keys() {
        let mut definitions = Definitions::new();
        let set = class(&mut definitions, "java.util.TreeSet", &["m"]);
        let map = class(&mut definitions, "java.util.TreeMap", &["root"]);
        let fields = ["key", "value", "left", "right"];
        let node = class(&mut definitions, "java.util.TreeMap$Entry", &fields);
        let left = [at(20), at(21), Value::Null, Value::Null];
        let root = [at(22), at(23), at(4), Value::Null];
        let cells: [(u32, ClassId, &[Value]); 4] = [
            (1, set, &[at(2)]),
            (2, map, &[at(3)]),
            (3, node, &root),
            (4, node, &left),
        ];
        assert_eq!(
            read(&definitions, &cells),
            Some(Elements(vec![at(20), at(22)]))
        );
        let mut cells = cells;
        let holder = [at(3)];
        cells[0] = (1, map, &holder);
        let entries = vec![(at(20), at(21)), (at(22), at(23))];
        assert_eq!(read(&definitions, &cells), Some(Entries(entries)));
        // Of a class of the user nothing is left out.
        let own = class(&mut definitions, "shop.TreeMap", &["root"]);
        cells[0] = (1, own, &holder);
        assert_eq!(read(&definitions, &cells), None);
    }
}
