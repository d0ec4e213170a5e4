//! Pictures of small, of deep and of hostile heaps.

use heapwright_logic::{Cell, Class, ClassId, Definitions, Field, Heap, IntType, Loc, Sort, Value};

use super::draw;
use super::marks::width;
use crate::labels::java::JavaTexts;

fn node() -> (Definitions, ClassId) {
    let mut definitions = Definitions::new();
    let class = definitions.add_class(Class {
        name: "Node".to_owned(),
        fields: Vec::new(),
        superclass: None,
    });
    let field = |name: &str, sort| Field {
        name: name.to_owned(),
        sort,
    };
    definitions.class_mut(class).fields = vec![
        field("value", Sort::Int),
        field("left", Sort::Ref(class)),
        field("right", Sort::Ref(class)),
    ];
    (definitions, class)
}

fn check(cells: &[(u32, i128, Option<u32>, Option<u32>)], root: u32, expected: &str) {
    let (definitions, class) = node();
    let reference = |target: Option<u32>| target.map_or(Value::Null, |t| Value::Ref(Loc(t)));
    let mut heap = Heap::default();
    for &(loc, value, left, right) in cells {
        let fields = vec![Value::Int(value), reference(left), reference(right)];
        heap.cells.insert(Loc(loc), Cell { class, fields });
    }
    let roots = [("x".to_owned(), Value::Ref(Loc(root)))];
    let picture = draw(&JavaTexts, &definitions, &roots, &heap);
    assert_eq!(
        picture.trim_end(),
        expected.trim_matches('\n'),
        "\n{picture}"
    );
}

#[test]
fn a_tree_branches() {
    check(
        &[
            (7, 1, Some(8), Some(9)),
            (8, 0, None, None),
            (9, 2, None, Some(4)),
            (4, 3, None, None),
        ],
        7,
        "
x ─► #1 Node(value: 1)
     ├─left──► #2 Node(value: 0, left: null, right: null)
     └─right─► #3 Node(value: 2, left: null) ─right─► #4 Node(value: 3, left: null, right: null)",
    );
}

#[test]
fn a_cycle_ends_in_a_number() {
    check(
        &[(1, 0, None, Some(2)), (2, 5, None, Some(1))],
        1,
        "x ─► #1 Node(value: 0, left: null) ─right─► #2 Node(value: 5, left: null, right: #1)",
    );
}

#[test]
fn sharing_dangling_and_unreached_objects_are_shown() {
    check(
        &[
            (1, 0, Some(2), Some(2)),
            (2, 5, Some(30), None),
            (9, 9, None, None),
        ],
        1,
        "
x ─► #1 Node(value: 0, right: #2) ─left─► #2 Node(value: 5, left: ?3, right: null)
#4 Node(value: 9, left: null, right: null)",
    );
}

#[test]
fn a_deep_structure_neither_overflows_nor_outgrows_the_page() {
    let (definitions, class) = node();
    let mut heap = Heap::default();
    // Every node of the left spine also has a right child, so no part of it is a row.
    for level in 0..20_000 {
        let fields = vec![
            Value::Int(0),
            Value::Ref(Loc(2 * level + 2)),
            Value::Ref(Loc(2 * level + 1)),
        ];
        heap.cells.insert(Loc(2 * level), Cell { class, fields });
        let leaf = vec![Value::Int(0), Value::Null, Value::Null];
        heap.cells.insert(
            Loc(2 * level + 1),
            Cell {
                class,
                fields: leaf,
            },
        );
    }
    let roots = [("x".to_owned(), Value::Ref(Loc(0)))];
    let picture = draw(&JavaTexts, &definitions, &roots, &heap);
    assert!(picture.lines().all(|line| width(line) < 200));
    for number in [1, 2, 20_000, 40_000] {
        let object = format!("#{number} Node");
        assert_eq!(picture.matches(&object).count(), 1, "{object}");
    }
}

/// Arrays of numbers, of arrays and of objects, strings and a boxed number.
pub fn strings_and_arrays() -> (Definitions, Vec<(String, Value)>, Heap) {
    let mut definitions = Definitions::new();
    let mut class = |name: &str, fields: &[(&str, Sort)]| {
        let fields = fields.iter().map(|&(name, sort)| Field {
            name: name.to_owned(),
            sort,
        });
        definitions.add_class(Class {
            name: name.to_owned(),
            fields: fields.collect(),
            superclass: None,
        })
    };
    let machine = Sort::Machine;
    let (ints, grid) = (class("int[]", &[]), class("int[][]", &[]));
    let (chars, bytes) = (class("char[]", &[]), class("byte[]", &[]));
    let objects = class("java.lang.Object[]", &[]);
    let fields = [("value", Sort::Ref(bytes)), ("coder", machine(IntType::I8))];
    let string = class("java.lang.String", &fields);
    let integer = class("java.lang.Integer", &[("value", machine(IntType::I32))]);
    for (array, element) in [
        (ints, machine(IntType::I32)),
        (grid, Sort::Ref(ints)),
        (chars, machine(IntType::Char)),
        (bytes, machine(IntType::I8)),
        (objects, Sort::Ref(ClassId::ANY)),
    ] {
        definitions.set_element_sort(array, element);
    }
    let numbers = |values: &[i128]| values.iter().map(|&n| Value::Int(n)).collect::<Vec<_>>();
    let at = |loc| Value::Ref(Loc(loc));
    let cells = [
        (1, ints, numbers(&[3, -4])),
        (2, grid, vec![at(1), Value::Null, at(3)]),
        (3, ints, Vec::new()),
        (4, chars, numbers(&[0x78, 0xe9, 10])),
        (10, string, vec![at(11), Value::Int(0)]),
        (11, bytes, numbers(&[0x61, 0x22, 0x62, 10])),
        (12, integer, numbers(&[5])),
        (13, objects, vec![at(10), at(12), at(14), at(15)]),
        (14, bytes, numbers(&[1])),
        (15, bytes, Vec::new()),
    ];
    let mut heap = Heap::default();
    for (loc, class, fields) in cells {
        heap.cells.insert(Loc(loc), Cell { class, fields });
    }
    let roots = [
        ("a", 1),
        ("grid", 2),
        ("letters", 4),
        ("s", 10),
        ("n", 13),
        ("bytes", 14),
    ];
    let roots = roots.map(|(name, loc)| (name.to_owned(), at(loc))).to_vec();
    (definitions, roots, heap)
}

#[test]
fn arrays_are_in_braces_and_strings_in_quotes() {
    let (definitions, roots, heap) = strings_and_arrays();
    let picture = draw(&JavaTexts, &definitions, &roots, &heap);
    let expected = r#"
a ─► #1 int[] {3, -4}
grid ─► #2 int[][] {[0]: #1, [1]: null} ─[2]─► #3 int[] {}
letters ─► #4 char[] {'x', 'é', 10}
s ─► #5 "a\"b\n"
n ─► #6 java.lang.Object[] {[0]: #5}
     ├─[1]─► #7 Integer 5
     ├─[2]─► #8 byte[] {1}
     └─[3]─► #9 byte[] {}
bytes ─► #8"#;
    assert_eq!(picture.trim_end(), expected.trim_start(), "\n{picture}");
}

#[test]
fn hostile_strings_and_long_arrays_stay_in_their_line() {
    let (definitions, roots, mut heap) = strings_and_arrays();
    let hostile = (0..256).map(|byte: i128| Value::Int(if byte < 128 { byte } else { byte - 256 }));
    if let Some(cell) = heap.cells.get_mut(&Loc(11)) {
        cell.fields = hostile.collect();
    }
    if let Some(cell) = heap.cells.get_mut(&Loc(1)) {
        cell.fields = vec![Value::Int(1); 1_000_000];
    }
    let picture = draw(&JavaTexts, &definitions, &roots, &heap);
    assert_eq!(picture.lines().count(), 9, "{picture}");
    assert!(picture.contains("… 999968 more}"), "{picture}");
    assert!(
        picture.chars().all(|c| c == '\n' || !c.is_control()),
        "{picture:?}"
    );
    assert!(picture.lines().all(|line| width(line) < 150), "{picture}");
}
