//! Heaps that are written and read back, and what is refused.

use super::*;
use crate::test_support::World;
use proptest::prelude::*;

fn world() -> World {
    let mut world = World::with_nodes();
    world.class("Mixed { flag: bool, letter: char, big: ulong, real: double, class: Cell }");
    world.class("Ints { }");
    world.class("Chars { }");
    world.class("Cells { }");
    world.class("Grid { }");
    world.class("Holder { elements: Cells }");
    let class = |name| world.definitions.class_named(name).unwrap();
    let arrays = [
        (class("Ints"), Sort::Machine(IntType::I32)),
        (class("Chars"), Sort::Machine(IntType::Char)),
        (class("Cells"), Sort::Ref(class("Cell"))),
        (class("Grid"), Sort::Ref(class("Ints"))),
    ];
    for (array, element) in arrays {
        world.definitions.set_element_sort(array, element);
    }
    world
        .declare("x: Cell, m: Mixed, n: integer, d: double, a: Ints, c: Chars, g: Grid, h: Holder");
    world
}

fn read(world: &World, text: &str) -> Result<(Stack, Heap), JsonError> {
    read_heap(&world.terms, &world.definitions, text, |name| {
        world.free.get(name).copied()
    })
}

#[test]
fn reads_what_is_documented() {
    let world = world();
    let text = r##"{"stack": {"x": "#a", "n": "170141183460469231731687303715884105727"},
        "objects": {"#a": {"class": "Cell", "item": 3, "next": "#1"},
                    "#1": {"class": "Cell", "item": -4, "next": "#gone"},
                    "#gone": {"dangling": true}}}"##;
    let (stack, heap) = read(&world, text).unwrap();
    assert_eq!(stack[&world.variable("n")], Value::Int(i128::MAX));
    let Value::Ref(first) = stack[&world.variable("x")] else {
        panic!("{stack:?}");
    };
    assert_eq!(heap.cells[&first].fields[1], Value::Ref(Loc(1)));
    let Value::Ref(gone) = heap.cells[&Loc(1)].fields[1] else {
        panic!("{heap:?}");
    };
    assert!(!heap.cells.contains_key(&gone) && heap.cells.len() == 2);
    let text = r##"{"stack": {"m": "#1"}, "objects": {"#1": {"class": "Mixed", "flag": true,
        "letter": "é", "big": 18446744073709551615, "real": "-Infinity", ".class": null}}}"##;
    let (_, heap) = read(&world, text).unwrap();
    let fields = &heap.cells[&Loc(1)].fields;
    assert_eq!(fields[1], Value::Int(0xe9));
    assert_eq!(fields[2], Value::Int(u64::MAX.into()));
    assert_eq!(fields[3], Value::Double(f64::NEG_INFINITY.to_bits()));
}

#[test]
fn errors_say_where_and_what() {
    let world = world();
    let error = |text: &str| read(&world, text).unwrap_err().to_string();
    for (text, message) in [
        ("[1]", "$: expected an object, found an array"),
        (
            r#"{"heap": 1}"#,
            "$: unknown key `heap`; expected `stack` or `objects`",
        ),
        (
            r#"{"stack": {"q": 1}}"#,
            "$.stack.q: no variable `q` is known here",
        ),
        (
            r##"{"stack": {"x": "#9"}}"##,
            "$.stack.x: no object `#9` is declared under \"objects\"",
        ),
        (
            r#"{"stack": {"n": 1.5}}"#,
            "$.stack.n: expected a whole number, found 1.5",
        ),
        (
            r##"{"objects": {"#1": {"class": "Nod"}}}"##,
            "$.objects[\"#1\"].class: no class `Nod` is known",
        ),
        (
            r##"{"objects": {"#1": {"class": "Cell", "item": 1}}}"##,
            "$.objects[\"#1\"]: the field `next` of class Cell is missing",
        ),
        (
            r##"{"objects": {"#1": {"class": "Cell", "item": 1, "next": null, "nxt": 2}}}"##,
            "$.objects[\"#1\"].nxt: class Cell has no field `nxt`; it has item, next",
        ),
        (
            r##"{"objects": {"#1": {"class": "Cell", "item": 2147483648, "next": null}}}"##,
            "$.objects[\"#1\"].item: 2147483648 is out of range of int",
        ),
        (
            r##"{"objects": {"#1": {"class": "Node", "value": 1, "left": "#2", "right": null}, "#2": {"class": "Cell", "item": 1, "next": null}}}"##,
            "$.objects[\"#1\"].left: the object is of class Cell, not Node",
        ),
        (
            r##"{"objects": {"#1": {"dangling": false}}}"##,
            "$.objects[\"#1\"]: expected just `\"dangling\": true`, found an object",
        ),
        (
            r##"{"objects": {"#1": {"dangling": true}, "#01": {"dangling": true}}}"##,
            "$.objects[\"#1\"]: `#1` and `#01` name the same address",
        ),
    ] {
        assert_eq!(error(text), message);
    }
    assert!(error("{").starts_with("line 1, column 1: not JSON"));
    assert!(error(&"[".repeat(100_000)).contains("recursion limit"));
}

#[test]
fn arrays_have_elements() {
    let world = world();
    let text = r##"{"stack": {"a": "#1", "c": "#2", "g": "#3", "h": "#4"}, "objects": {
        "#1": {"class": "Ints", "elements": [3, "-4", 2147483647]},
        "#2": {"class": "Chars", "elements": ["é", 55296, "\u0000", "\""]},
        "#3": {"class": "Grid", "elements": ["#1", null, "#1", "#6"]},
        "#4": {"class": "Holder", "elements": "#5"},
        "#5": {"class": "Cells", "elements": []},
        "#6": {"dangling": true}}}"##;
    let (stack, heap) = read(&world, text).unwrap();
    let elements = |loc: u32| heap.cells[&Loc(loc)].fields.clone();
    assert_eq!(elements(1), [3, -4, i32::MAX.into()].map(Value::Int));
    assert_eq!(elements(2), [0xe9, 0xd800, 0, 0x22].map(Value::Int));
    let first = Value::Ref(Loc(1));
    assert_eq!(elements(3), [first, Value::Null, first, Value::Ref(Loc(6))]);
    assert_eq!(elements(4), [Value::Ref(Loc(5))]);
    assert_eq!(elements(5), []);
    let again = heap_to_json(&world.terms, &world.definitions, &stack, &heap);
    assert_eq!(again["objects"]["#5"]["elements"], serde_json::json!([]));
    assert_eq!(read(&world, &again.to_string()), Ok((stack, heap)));
}

#[test]
fn elements_that_do_not_fit_are_refused() {
    let world = world();
    let check = |object: &str, expected: &str| {
        let text = format!(
            r##"{{"objects": {{"#1": {object}, "#2": {{"class": "Cells", "elements": []}}}}}}"##
        );
        let error = read(&world, &text).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    let path = r##"$.objects["#1"]"##;
    check(
        r#"{"class": "Ints"}"#,
        &format!("{path}: the field `elements` of class Ints is missing"),
    );
    check(
        r#"{"class": "Ints", "elements": {}}"#,
        &format!("{path}.elements: expected an array, found an object"),
    );
    check(
        r#"{"class": "Ints", "elements": [1, 2147483648]}"#,
        &format!("{path}.elements[1]: 2147483648 is out of range of int"),
    );
    check(
        r##"{"class": "Grid", "elements": ["#2"]}"##,
        &format!("{path}.elements[0]: the object is of class Cells, not Ints"),
    );
    check(
        r#"{"class": "Ints", "elements": [], "length": 0}"#,
        &format!("{path}.length: class Ints has no field `length`; it has elements"),
    );
    check(
        r#"{"class": "Cell", "item": 1, "next": null, "elements": []}"#,
        &format!("{path}.elements: class Cell has no field `elements`; it has item, next"),
    );
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        prop_oneof![
            Just("#1"),
            Just("Cell"),
            Just("Ints"),
            Just("Grid"),
            Just("#2"),
            Just("NaN"),
            Just("")
        ]
        .prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        let key = prop_oneof![
            Just("stack"),
            Just("objects"),
            Just("#1"),
            Just("class"),
            Just("item"),
            Just("elements"),
            Just("a"),
            Just("g"),
            Just("next"),
            Just("x"),
            Just("n"),
            Just("dangling"),
            Just("#")
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Json::from),
            proptest::collection::vec((key, inner), 0..5).prop_map(|members| {
                Json::Object(
                    members
                        .into_iter()
                        .map(|(k, v)| (k.to_owned(), v))
                        .collect(),
                )
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_read_or_refused(json in json()) {
        let world = world();
        let result = heap_from_json(&world.terms, &world.definitions, &json, |name| {
            world.free.get(name).copied()
        });
        if let Ok((stack, heap)) = result {
            let again = heap_to_json(&world.terms, &world.definitions, &stack, &heap);
            prop_assert_eq!(read(&world, &again.to_string()), Ok((stack, heap)));
        }
    }

    #[test]
    fn written_heaps_read_back(
        bits in any::<u64>(), big in any::<u64>(), letter in any::<u16>(),
        flag in any::<bool>(), n in any::<i128>(), to in 1u32..5,
    ) {
        let world = world();
        let mixed = world.definitions.class_named("Mixed").unwrap();
        let double = crate::eval::canonical(Value::Double(bits));
        let fields = vec![
            Value::Bool(flag), Value::Int(letter.into()), Value::Int(big.into()), double,
            Value::Ref(Loc(7)),
        ];
        let mut heap = Heap::default();
        heap.cells.insert(Loc(to), Cell { class: mixed, fields });
        let stack: Stack = [
            (world.variable("m"), Value::Ref(Loc(to))),
            (world.variable("n"), Value::Int(n)),
            (world.variable("d"), double),
        ].into_iter().collect();
        let json = heap_to_json(&world.terms, &world.definitions, &stack, &heap);
        prop_assert_eq!(read(&world, &json.to_string()), Ok((stack, heap)));
    }

    #[test]
    fn written_arrays_read_back(
        numbers in proptest::collection::vec(any::<i32>(), 0..5),
        letters in proptest::collection::vec(any::<u16>(), 0..5),
        links in proptest::collection::vec(0u32..5, 0..5),
    ) {
        let world = world();
        let class = |name| world.definitions.class_named(name).unwrap();
        let link = |to: u32| match to { 0 => Value::Null, to => Value::Ref(Loc(to)) };
        // Addresses 3 and 4 are no objects; 2 is one of another class, which readers refuse.
        let links = links.into_iter().map(|to| link(if to == 2 { 1 } else { to }));
        let cells = [
            (1, class("Ints"), numbers.into_iter().map(|n| Value::Int(n.into())).collect()),
            (2, class("Chars"), letters.into_iter().map(|n| Value::Int(n.into())).collect()),
            (7, class("Grid"), links.collect()),
        ];
        let mut heap = Heap::default();
        for (loc, class, fields) in cells {
            heap.cells.insert(Loc(loc), Cell { class, fields });
        }
        let stack: Stack = [("a", 1), ("c", 2), ("g", 7)]
            .map(|(name, loc)| (world.variable(name), Value::Ref(Loc(loc))))
            .into_iter().collect();
        let json = heap_to_json(&world.terms, &world.definitions, &stack, &heap);
        prop_assert_eq!(read(&world, &json.to_string()), Ok((stack, heap)));
    }
}
