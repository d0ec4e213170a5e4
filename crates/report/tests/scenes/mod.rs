//! Heaps that tests and the gallery draw.

use heapwright_logic::{Cell, Class, ClassId, Definitions, Field, Heap, Loc, Sort, Value};
use heapwright_report::Scene;

/// Everything that a [`Scene`] borrows.
pub struct Example {
    pub name: &'static str,
    pub definitions: Definitions,
    pub roots: Vec<(String, Value)>,
    pub heap: Heap,
    pub before: Option<(Vec<(String, Value)>, Heap)>,
}

impl Example {
    pub fn scene(&self) -> Scene<'_> {
        let scene = Scene::new(&self.definitions, &self.roots, &self.heap).titled(self.name);
        match &self.before {
            Some((roots, heap)) => scene.compared_with(roots, heap),
            None => scene,
        }
    }

    fn root(mut self, name: &str, value: Value) -> Self {
        self.roots.push((name.to_owned(), value));
        self
    }
}

/// Objects written as addresses and field values.
type Cells<'a> = &'a [(u32, &'a [Value])];

pub const NULL: Value = Value::Null;

pub fn at(address: u32) -> Value {
    Value::Ref(Loc(address))
}

pub fn int(value: i128) -> Value {
    Value::Int(value)
}

/// A class whose fields are integers, or references to itself if their names end in `*`.
pub fn class(definitions: &mut Definitions, name: &str, fields: &[&str]) -> ClassId {
    let id = definitions.add_class(Class {
        name: name.to_owned(),
        fields: Vec::new(),
        superclass: None,
    });
    definitions.class_mut(id).fields = (fields.iter())
        .map(|field| match field.strip_suffix('*') {
            Some(name) => (name, Sort::Ref(id)),
            None => match field.strip_suffix('?') {
                Some(name) => (name, Sort::Bool),
                None => (*field, Sort::Int),
            },
        })
        .map(|(name, sort)| Field {
            name: name.to_owned(),
            sort,
        })
        .collect();
    id
}

pub fn fill(heap: &mut Heap, class: ClassId, cells: Cells) {
    for (address, fields) in cells {
        let fields = fields.to_vec();
        heap.cells.insert(Loc(*address), Cell { class, fields });
    }
}

pub fn example(name: &'static str, class_name: &str, fields: &[&str], cells: Cells) -> Example {
    let mut definitions = Definitions::new();
    let id = class(&mut definitions, class_name, fields);
    let mut heap = Heap::default();
    fill(&mut heap, id, cells);
    Example {
        name,
        definitions,
        roots: Vec::new(),
        heap,
        before: None,
    }
}

pub fn list(name: &'static str, length: u32) -> Example {
    let mut list = example(name, "Node", &["value", "next*"], &[]);
    let class = list.definitions.class_named("Node").unwrap();
    for address in 1..=length {
        let next = if address < length {
            at(address + 1)
        } else {
            NULL
        };
        fill(
            &mut list.heap,
            class,
            &[(address, &[int(i128::from(address) * 3), next])],
        );
    }
    list.root("head", at(1))
}

fn ring() -> Example {
    let fields = ["value", "next*"];
    let cells: Cells = &[
        (1, &[int(4), at(2)]),
        (2, &[int(8), at(3)]),
        (3, &[int(15), at(4)]),
        (4, &[int(16), at(1)]),
    ];
    example("circular list", "Node", &fields, cells).root("head", at(1))
}

fn doubly_linked() -> Example {
    let fields = ["item", "next*", "prev*"];
    let cells: Cells = &[
        (1, &[int(1), at(2), NULL]),
        (2, &[int(2), at(3), at(1)]),
        (3, &[int(3), at(4), at(2)]),
        (4, &[int(5), NULL, at(3)]),
    ];
    let list = example("doubly linked list", "Node", &fields, cells);
    list.root("first", at(1))
        .root("last", at(4))
        .root("size", int(4))
}

fn doubly_linked_ring() -> Example {
    let fields = ["next*", "prev*", "key"];
    let cells: Cells = &[
        (1, &[at(2), at(4), int(0)]),
        (2, &[at(3), at(1), int(2)]),
        (3, &[at(4), at(2), int(3)]),
        (4, &[at(1), at(3), int(5)]),
    ];
    example("circular doubly linked list", "Node", &fields, cells).root("sentinel", at(1))
}

fn list_with_header() -> Example {
    let mut example = list("list with header", 6);
    let node = example.definitions.class_named("Node").unwrap();
    let header = class(
        &mut example.definitions,
        "com.acme.util.LinkedList",
        &["size"],
    );
    for name in ["head", "tail"] {
        example.definitions.class_mut(header).fields.push(Field {
            name: name.to_owned(),
            sort: Sort::Ref(node),
        });
    }
    fill(&mut example.heap, header, &[(9, &[int(6), at(1), at(6)])]);
    example.roots.clear();
    example
        .root("this", at(9))
        .root("x", int(7))
        .root("other", NULL)
}

const TREE: [&str; 3] = ["key", "left*", "right*"];

pub fn search_tree() -> Example {
    let cells: Cells = &[
        (1, &[int(8), at(2), at(3)]),
        (2, &[int(3), at(4), at(5)]),
        (3, &[int(10), NULL, at(6)]),
        (4, &[int(1), NULL, NULL]),
        (5, &[int(6), at(7), at(8)]),
        (6, &[int(14), at(9), NULL]),
        (7, &[int(4), NULL, NULL]),
        (8, &[int(7), NULL, NULL]),
        (9, &[int(13), NULL, NULL]),
    ];
    example("search tree", "Node", &TREE, cells).root("root", at(1))
}

fn red_black_tree() -> Example {
    let fields = ["key", "red?", "left*", "right*", "parent*"];
    let (red, black) = (Value::Bool(true), Value::Bool(false));
    let cells: Cells = &[
        (1, &[int(13), black, at(2), at(3), NULL]),
        (2, &[int(8), red, at(4), at(5), at(1)]),
        (3, &[int(17), red, at(6), at(7), at(1)]),
        (4, &[int(1), black, NULL, at(8), at(2)]),
        (5, &[int(11), black, NULL, NULL, at(2)]),
        (6, &[int(15), black, NULL, NULL, at(3)]),
        (7, &[int(25), black, at(9), at(10), at(3)]),
        (8, &[int(6), red, NULL, NULL, at(4)]),
        (9, &[int(22), red, NULL, NULL, at(7)]),
        (10, &[int(27), red, NULL, NULL, at(7)]),
    ];
    example(
        "red-black tree with parents",
        "java.util.TreeMap$Entry",
        &fields,
        cells,
    )
    .root("root", at(1))
    .root("cursor", at(5))
}

fn linked_leaves() -> Example {
    let fields = ["parent*", "left*", "right*", "next*"];
    let cells: Cells = &[
        (1, &[NULL, at(2), at(3), NULL]),
        (2, &[at(1), at(4), at(5), NULL]),
        (3, &[at(1), NULL, NULL, NULL]),
        (4, &[at(2), NULL, NULL, at(6)]),
        (5, &[at(2), at(6), at(7), NULL]),
        (6, &[at(5), NULL, NULL, at(7)]),
        (7, &[at(5), NULL, NULL, at(3)]),
    ];
    example("tree with linked leaves", "TLL", &fields, cells)
        .root("root", at(1))
        .root("first", at(4))
}

fn shared() -> Example {
    let cells: Cells = &[
        (1, &[int(1), at(2), at(3)]),
        (2, &[int(2), at(4), at(5)]),
        (3, &[int(3), at(5), at(6)]),
        (4, &[int(4), at(7), at(7)]),
        (5, &[int(5), at(7), NULL]),
        (6, &[int(6), NULL, at(7)]),
        (7, &[int(7), NULL, NULL]),
    ];
    example("shared graph", "Node", &TREE, cells)
        .root("bdd", at(1))
        .root("sub", at(5))
}

fn graph() -> Example {
    let cells: Cells = &[
        (1, &[int(1), at(2), at(3)]),
        (2, &[int(2), at(4), at(1)]),
        (3, &[int(3), at(3), at(2)]),
        (4, &[int(4), at(5), at(1)]),
        (5, &[int(5), at(3), at(2)]),
    ];
    example("cyclic graph", "Node", &TREE, cells)
        .root("x", at(1))
        .root("y", at(4))
}

fn self_loop() -> Example {
    let cells: Cells = &[(1, &[int(1), at(1)])];
    example("self loop", "Node", &["value", "next*"], cells).root("x", at(1))
}

fn loops() -> Example {
    let cells: Cells = &[(1, &[int(1), at(1), at(2)]), (2, &[int(2), at(2), at(2)])];
    example("self loops in a tree", "Node", &TREE, cells).root("x", at(1))
}

fn two_structures() -> Example {
    let mut both = search_tree();
    both.name = "two structures";
    let class = class(&mut both.definitions, "Item", &["value", "next*"]);
    fill(
        &mut both.heap,
        class,
        &[
            (20, &[int(i64::MAX.into()), at(21)]),
            (21, &[int(-1), at(22)]),
            (22, &[int(0), at(77)]),
        ],
    );
    fill(&mut both.heap, class, &[(30, &[int(9), NULL])]);
    both.root("list", at(20))
        .root("lo", int(0))
        .root("gone", at(99))
}

/// Removing 3 from the search tree: its key becomes 4, and the node of 4 is out of reach.
fn removal() -> Example {
    let mut after = search_tree();
    after.name = "search tree, after remove(3)";
    let before = search_tree();
    let class = after.definitions.class_named("Node").unwrap();
    fill(
        &mut after.heap,
        class,
        &[(2, &[int(4), at(4), at(5)]), (5, &[int(6), NULL, at(8)])],
    );
    after.before = Some((before.roots, before.heap));
    after
}

/// Removing the root 8 in C: the node of 10 takes its place, and the cell of 8 is freed; a node
/// for 2 is inserted.
fn replacement() -> Example {
    let mut after = search_tree();
    after.name = "search tree, root freed and node inserted";
    let before = search_tree();
    let class = after.definitions.class_named("Node").unwrap();
    after.heap.cells.remove(&Loc(1));
    fill(
        &mut after.heap,
        class,
        &[
            (3, &[int(10), at(2), at(6)]),
            (4, &[int(1), NULL, at(40)]),
            (40, &[int(2), NULL, NULL]),
        ],
    );
    after.roots = vec![
        ("root".to_owned(), at(3)),
        ("old".to_owned(), at(1)),
        ("n".to_owned(), int(9)),
    ];
    after.before = Some((
        vec![("root".to_owned(), at(1)), ("n".to_owned(), int(8))],
        before.heap,
    ));
    after
}

fn list_removal() -> Example {
    let mut after = list("list, after remove", 5);
    let before = list("", 5);
    let class = after.definitions.class_named("Node").unwrap();
    fill(&mut after.heap, class, &[(2, &[int(6), at(4)])]);
    after.before = Some((before.roots, before.heap));
    after
}

fn hostile() -> Example {
    let name = "a.b.<script>alert('x')</script>&\"]]>\u{202e}\u{0}";
    let fields = [
        "</text>*",
        "{|}<>\\\"&amp;",
        "aVeryLongFieldNameThatDoesNotFitAnywhere",
    ];
    let cells: Cells = &[
        (1, &[at(2), int(i128::MIN), int(3)]),
        (
            2,
            &[
                at(1),
                Value::Double(f64::NAN.to_bits()),
                Value::Single(1.5f32.to_bits()),
            ],
        ),
    ];
    example("<title> & \"more\"", name, &fields, cells)
        .root("<root attr='x'>&", at(1))
        .root("\u{1}]]>", int(1))
}

fn degenerate() -> Example {
    let cells: Cells = &[
        (1, &[int(1), NULL, at(2)]),
        (2, &[int(2), NULL, at(3)]),
        (3, &[int(3), NULL, NULL]),
    ];
    example("degenerate tree", "Node", &TREE, cells).root("root", at(1))
}

/// A graph without any order, the same every time.
fn tangle() -> Example {
    let mut tangle = example("tangle", "Node", &["a*", "b*", "c*"], &[]);
    let class = tangle.definitions.class_named("Node").unwrap();
    let mut state = 12345u32;
    let mut next = || {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        state >> 16
    };
    for address in 1..=12 {
        let mut link = || match next() % 18 {
            to @ 1..=12 => at(to),
            _ => NULL,
        };
        fill(
            &mut tangle.heap,
            class,
            &[(address, &[link(), link(), link()])],
        );
    }
    tangle.root("x", at(1)).root("y", at(6))
}

fn empty() -> Example {
    example("empty", "Node", &TREE, &[]).root("root", NULL)
}

pub fn all() -> Vec<Example> {
    vec![
        list("list of five", 5),
        list("long list", 45),
        list("too long list", 1000),
        ring(),
        doubly_linked(),
        doubly_linked_ring(),
        list_with_header(),
        search_tree(),
        red_black_tree(),
        linked_leaves(),
        shared(),
        graph(),
        self_loop(),
        loops(),
        two_structures(),
        removal(),
        replacement(),
        list_removal(),
        hostile(),
        degenerate(),
        empty(),
        tangle(),
    ]
}
