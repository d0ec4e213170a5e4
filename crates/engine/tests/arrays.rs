//! Arrays as inputs: of numbers, of objects, of arrays, shared or not.

mod small_inputs;
mod specified;

use std::collections::BTreeSet;

use heapwright_engine::{Input, Limit, Options, Outcome, Status, Subject, replay};
use heapwright_ir::{FaultKind, InputRules, Program};
use heapwright_logic::{Cell, Heap, Loc, Value};
use small_inputs::{MODES, Small, compare, program, search, subject};

const SMALL: Small = Small {
    objects: 3,
    elements: 2,
    number: 2,
};

/// Compares with brute force, which finds so many paths.
fn check(text: &str, small: Small, paths: usize) {
    let program = program(text);
    let (inputs, found) = compare(&program, &InputRules::default(), small);
    assert_eq!(found, paths, "of {inputs} inputs");
}

const SUM: &str = "
class Ints array of int
function main(a: Ints) -> int {
  var n: int
  var i: int
  var x: int
  var sum: int
  var b: bool
b0:
  sum := 0
  i := 0
  b := eq a, null
  if b goto b5 else b1 @1
b1:
  n := length a
  goto b2
b2:
  b := lt i, n
  if b goto b3 else b4 @2
b3:
  x := a[i]
  sum := add.int sum, x
  i := add.int i, 1
  goto b2
b4:
  b := gt sum, 2
  if b goto b6 else b5 @3
b5:
  return 0
b6:
  return sum
}";

#[test]
fn the_sum_of_the_elements_decides() {
    check(SUM, SMALL, 5);
}

/// Without the test for null the length is asked of null; an index may be outside.
#[test]
fn faults_of_arrays_are_found() {
    let text = "
class Ints array of int
function main(a: Ints, i: int) -> int {
  var x: int
  var b: bool
b0:
  x := a[i] @7
  b := eq x, 1
  if b goto b1 else b2 @8
b1:
  return 1
b2:
  return 0
}";
    check(text, SMALL, 4);
    let program = program(text);
    let subject = subject(&program, &InputRules::default());
    for mode in MODES {
        let report = search(&subject, mode, SMALL);
        for wanted in [FaultKind::NullDereference, FaultKind::OutOfBounds] {
            let mut tests = report.tests.iter();
            let found = tests.any(
                |test| matches!(test.run.outcome, Outcome::Fault { kind, .. } if kind == wanted),
            );
            assert!(found, "{mode:?}: {wanted:?}");
        }
        // Longer arrays were not looked at.
        assert!(
            matches!(report.open, Some((Limit::Elements, 1))),
            "{:?}",
            report.open
        );
    }
}

#[test]
fn binary_search() {
    let text = "
class Ints array of int
function main(a: Ints, x: int) -> int {
  var low: int
  var high: int
  var middle: int
  var y: int
  var b: bool
b0:
  low := 0
  high := length a
  goto b1
b1:
  b := lt low, high
  if b goto b2 else b6 @1
b2:
  middle := add.int low, high
  middle := div.int middle, 2
  y := a[middle]
  b := eq x, y
  if b goto b3 else b4 @2
b3:
  return middle
b4:
  b := lt y, x
  if b goto b5 else b7 @3
b5:
  low := add.int middle, 1
  goto b1
b6:
  return -1
b7:
  high := middle
  goto b1
}";
    let small = Small {
        elements: 3,
        ..SMALL
    };
    check(text, small, 11);
}

#[test]
fn elements_that_are_objects() {
    let text = "
class Node {
  value: int
  next: Node
}
class Nodes array of Node
function main(a: Nodes) -> int {
  var n: int
  var i: int
  var x: Node
  var y: Node
  var v: int
  var count: int
  var b: bool
b0:
  i := 0
  count := 0
  n := length a
  goto b1
b1:
  b := lt i, n
  if b goto b2 else b6 @1
b2:
  x := a[i]
  i := add.int i, 1
  b := eq x, null
  if b goto b1 else b3 @2
b3:
  v := x->Node::value
  b := gt v, 0
  if b goto b4 else b1 @3
b4:
  count := add.int count, 1
  y := a[0]
  b := eq x, y
  if b goto b1 else b5 @4
b5:
  y := y->Node::next
  b := eq x, y
  if b goto b6 else b1 @5
b6:
  return count
}";
    check(text, Small { number: 1, ..SMALL }, 17);
}

#[test]
fn arrays_of_arrays() {
    let text = "
class Ints array of int
class Rows array of Ints
function main(rows: Rows) -> int {
  var n: int
  var m: int
  var first: Ints
  var second: Ints
  var x: int
  var b: bool
b0:
  n := length rows
  b := eq n, 2
  if b goto b1 else b7 @1
b1:
  first := rows[0]
  second := rows[1]
  n := length first
  m := length second
  b := eq n, m
  if b goto b2 else b7 @2
b2:
  b := eq first, second
  if b goto b3 else b4 @3
b3:
  return 1
b4:
  x := first[0]
  second[0] := 1
  n := first[0]
  b := eq n, x
  if b goto b5 else b6 @4
b5:
  return 2
b6:
  return 3
b7:
  return 0
}";
    check(text, Small { number: 1, ..SMALL }, 7);
}

#[test]
fn swapped_elements_and_shared_arrays() {
    let text = "
class Ints array of int
function main(a: Ints, c: Ints, i: int) -> int {
  var x: int
  var y: int
  var b: bool
b0:
  x := a[i] @5
  y := c[0] @6
  a[i] := y
  c[0] := x
  y := a[i]
  b := lt x, y
  if b goto b1 else b2 @1
b1:
  return 1
b2:
  b := eq a, c
  if b goto b3 else b4 @2
b3:
  y := length a
  b := eq y, 2
  if b goto b5 else b6 @3
b4:
  return 2
b5:
  return 3
b6:
  return 4
}";
    check(text, SMALL, 8);
    // What was stored through one name is seen through the other.
    let program = program(text);
    let subject = subject(&program, &InputRules::default());
    for mode in MODES {
        let report = search(&subject, mode, SMALL);
        let shared = report.tests.iter().filter(|test| {
            let [a, c, _] = test.input.arguments[..] else {
                panic!("three arguments");
            };
            a != Value::Null && a == c
        });
        assert!(shared.count() >= 3, "{mode:?}");
    }
}

/// A branch that needs a longer array is not called infeasible.
#[test]
fn longer_arrays_are_left_open() {
    let text = "
class Ints array of int
function main(a: Ints) -> int {
  var n: int
  var b: bool
b0:
  n := length a
  b := gt n, 4
  if b goto b1 else b2 @1
b1:
  return 1
b2:
  return 0
}";
    let program = program(text);
    let subject = subject(&program, &InputRules::default());
    for mode in MODES {
        for (elements, reached) in [(4, false), (5, true)] {
            let report = search(&subject, mode, Small { elements, ..SMALL });
            let taken = &report.branches[0].status;
            match reached {
                true => assert!(matches!(taken, Status::Covered { .. }), "{taken:?}"),
                false => assert_eq!(
                    *taken,
                    Status::Unreached {
                        objects: 0,
                        limit: Limit::Elements
                    }
                ),
            }
        }
    }
}

/// Floats, booleans, bytes and wide numbers are elements like others.
#[test]
fn elements_of_every_sort() {
    for (sort, condition) in [
        ("bool", "b := eq x, true"),
        ("byte", "b := eq x, -128_byte"),
        ("char", "b := eq x, 65535_char"),
        ("long", "b := eq x, 9223372036854775807_long"),
        ("double", "b := gt x, 1.5"),
        ("float", "b := lt x, -1.5_float"),
    ] {
        let text = format!(
            "
class Array array of {sort}
function main(a: Array) -> int {{
  var x: {sort}
  var b: bool
b0:
  x := a[1]
  {condition}
  if b goto b1 else b2 @1
b1:
  return 1
b2:
  return 0
}}"
        );
        let program = program(&text);
        let subject = subject(&program, &InputRules::default());
        for mode in MODES {
            let report = search(&subject, mode, SMALL);
            let covered = |branch: &heapwright_engine::Branch| {
                matches!(branch.status, Status::Covered { .. })
            };
            assert!(report.branches.iter().all(covered), "{mode:?}: {sort}");
        }
    }
}

/// The precondition says what the list is, and nothing about the arrays of its nodes.
const LIST_OF_ARRAYS: &str = "
class Ints array of int
class Node {
  data: Ints
  next: Node
}
function main(x: Node) -> int {
  var a: Ints
  var n: int
  var i: int
  var e: int
  var sum: int
  var b: bool
b0:
  sum := 0
  goto b1
b1:
  b := eq x, null
  if b goto b5 else b2 @1
b2:
  a := x->Node::data
  x := x->Node::next
  n := length a @2
  i := 0
  goto b3
b3:
  b := lt i, n
  if b goto b4 else b1 @3
b4:
  e := a[i]
  sum := add.int sum, e
  i := add.int i, 1
  goto b3
b5:
  b := gt sum, 2
  if b goto b6 else b7 @4
b6:
  return sum
b7:
  return 0
}";

/// Runs all lists of up to two nodes with small arrays, shared or not, and looks for their paths
/// among the tests.
#[test]
fn arrays_behind_the_precondition_are_open() {
    let program = program(LIST_OF_ARRAYS);
    let specification = specified::specification_of(
        &program,
        "pred nodes(x: Node) := emp & x = null | exists d, n. x -> Node(d, n) * nodes(n);
         pre main(x) := nodes(x);",
    );
    let main = program.function_named("main").expect("a function");
    let subject = Subject::new(&program, main, Some(&specification)).expect("a subject");
    let inputs = lists(&program);
    let mut wanted = BTreeSet::new();
    for input in &inputs {
        let run = replay(&subject, input, Options::default().budgets).expect("a run");
        wanted.insert((run.trail, format!("{:?}", run.outcome)));
    }
    let small = Small {
        objects: 4,
        elements: 1,
        number: 3,
    };
    for mode in MODES {
        let report = search(&subject, mode, small);
        let mut found = BTreeSet::new();
        for test in &report.tests {
            let witness = test.input.witness.as_ref().expect("a witness");
            let nodes = test.input.heap.cells.iter();
            for (loc, cell) in nodes {
                let is_array = program.definitions.class(cell.class).name == "Ints";
                assert_eq!(witness.frame.contains(loc), is_array, "{mode:?}");
            }
            found.insert((test.run.trail.clone(), format!("{:?}", test.run.outcome)));
        }
        let missing: Vec<_> = wanted.difference(&found).collect();
        assert!(missing.is_empty(), "{mode:?}: {missing:#?}");
        let sharing = report.tests.iter().any(|test| {
            let nodes = test.input.heap.cells.values();
            let nodes = nodes.filter(|cell| program.definitions.class(cell.class).name == "Node");
            let arrays: Vec<Value> = nodes.map(|cell| cell.fields[0]).collect();
            matches!(arrays[..], [Value::Ref(a), Value::Ref(b)] if a == b)
        });
        assert!(sharing, "{mode:?}: two nodes may have one array");
        let all = report.branches.iter();
        for branch in all {
            assert!(
                matches!(branch.status, Status::Covered { .. }),
                "{mode:?}: {branch:?}"
            );
        }
    }
    assert!(wanted.len() >= 10, "{}", wanted.len());
}

/// Lists of up to two nodes whose arrays are null, empty or have one small element.
fn lists(program: &Program) -> Vec<Input> {
    let class = |name| program.definitions.class_named(name).expect("a class");
    let contents = [None, Some(vec![]), Some(vec![0]), Some(vec![3])];
    let mut inputs = Vec::new();
    for nodes in 0..=2u32 {
        for choice in 0..contents.len().pow(nodes) {
            for shared in [false, true] {
                let mut heap = Heap::default();
                for node in 0..nodes {
                    let array = match &contents[choice / contents.len().pow(node) % contents.len()]
                    {
                        None => Value::Null,
                        Some(_) if shared && node == 1 => Value::Ref(Loc(11)),
                        Some(elements) => {
                            let fields = elements.iter().map(|&n| Value::Int(n)).collect();
                            let class = class("Ints");
                            heap.cells.insert(Loc(11 + node), Cell { class, fields });
                            Value::Ref(Loc(11 + node))
                        }
                    };
                    let next = match node + 1 < nodes {
                        true => Value::Ref(Loc(node + 2)),
                        false => Value::Null,
                    };
                    let fields = vec![array, next];
                    let class = class("Node");
                    heap.cells.insert(Loc(node + 1), Cell { class, fields });
                }
                let dangling = shared && nodes == 2 && !heap.cells.contains_key(&Loc(11));
                if !dangling {
                    inputs.push(Input {
                        arguments: vec![if nodes > 0 {
                            Value::Ref(Loc(1))
                        } else {
                            Value::Null
                        }],
                        heap,
                        witness: None,
                    });
                }
            }
        }
    }
    inputs
}
