//! What the oracle accepts and what it rejects.

mod specified;

use std::collections::BTreeSet;

use heapwright_engine::specification::from_specification;
use heapwright_engine::{Footprint, Input, Subject, Verification, oracle};
use heapwright_logic::{Cell, Loc, Value};
use specified::*;

type Change<'a> = &'a dyn Fn(&mut Input);

fn violated(verification: &Verification) -> bool {
    matches!(verification, Verification::Violated(_))
}

/// The first input with at least this many cells.
fn some_input(subject: &Subject, cells: usize) -> Input {
    let mut inputs = from_specification(subject, 3, usize::MAX).map(|(_, input)| input);
    inputs
        .find(|input| input.heap.cells.len() >= cells)
        .unwrap()
}

#[test]
fn a_witness_is_verified_against_the_input() {
    let example = Specified::example("tree_remove.impl");
    let subject = example.subject("remove_from");
    let valid = some_input(&subject, 2);
    let check = |change: Change| {
        let mut input = valid.clone();
        change(&mut input);
        oracle::precondition(&subject, &input)
    };
    let witness = |input: &mut Input, change: &dyn Fn(&mut Footprint)| {
        change(input.witness.as_mut().unwrap());
    };
    let node = subject.definitions.class_named("BinaryNode").unwrap();
    let spare = || Cell {
        class: node,
        fields: vec![int(0), Value::Null, Value::Null],
    };
    assert_eq!(check(&|_| {}), Verification::Holds);
    // More objects than the precondition describes are fine as a frame, and only so.
    let add = |input: &mut Input| {
        input.heap.cells.insert(Loc(90), spare());
    };
    assert!(violated(&check(&add)));
    let framed = check(&|input| {
        add(input);
        witness(input, &|witness| {
            witness.frame.insert(Loc(90));
        });
    });
    assert_eq!(framed, Verification::Holds);
    // Wrong inputs.
    let root = Loc(1);
    assert_eq!(valid.arguments[1], Value::Ref(root));
    let changes: [(&str, Change); 9] = [
        ("an object is missing", &|input| {
            input.heap.cells.retain(|&loc, _| loc == root);
        }),
        ("a reference dangles", &|input| {
            input.heap.cells.get_mut(&root).unwrap().fields[1] = cell(70);
        }),
        ("the order of values is wrong", &|input| {
            for cell in input.heap.cells.values_mut() {
                cell.fields[0] = int(5);
            }
        }),
        ("an argument differs from the witness", &|input| {
            input.arguments[1] = Value::Null;
        }),
        ("an argument is of the wrong sort", &|input| {
            input.arguments[0] = Value::Null;
        }),
        ("an argument is missing", &|input| {
            input.arguments.pop();
        }),
        ("a field is missing", &|input| {
            input.heap.cells.get_mut(&root).unwrap().fields.pop();
        }),
        ("the frame has an object that there is not", &|input| {
            witness(input, &|witness| {
                witness.frame.insert(Loc(91));
            });
        }),
        ("the frame has an object of the footprint", &|input| {
            witness(input, &|witness| {
                witness.frame.insert(root);
            });
        }),
    ];
    for (what, change) in changes {
        assert!(violated(&check(change)), "{what}");
    }
}

#[test]
fn inputs_without_a_witness_are_parsed() {
    let example = Specified::example("tree_remove.impl");
    let subject = example.subject("remove_from");
    let leaf = |value| [int(value), Value::Null, Value::Null];
    let check = |cells: &[&[Value]], root: Value| {
        let input = input(&subject, "BinaryNode", cells, &[int(0), root]);
        oracle::precondition(&subject, &input)
    };
    let tree: &[&[Value]] = &[&[int(5), cell(2), cell(3)], &leaf(4), &leaf(6)];
    assert_eq!(check(tree, cell(1)), Verification::Holds);
    assert_eq!(check(tree, Value::Null), Verification::Holds);
    let unordered: &[&[Value]] = &[&[int(5), cell(2), cell(3)], &leaf(6), &leaf(4)];
    assert!(violated(&check(unordered, cell(1))));
    let shared: &[&[Value]] = &[&[int(5), cell(2), cell(2)], &leaf(4)];
    assert!(violated(&check(shared, cell(1))));
    let cyclic: &[&[Value]] = &[&[int(5), cell(1), Value::Null]];
    assert!(violated(&check(cyclic, cell(1))));
}

/// The node behind the last leaf is not part of the tree, but the input may have it.
#[test]
fn a_footprint_may_be_a_part_of_what_can_be_reached() {
    let example = Specified::example("leaf_count.impl");
    let subject = example.subject("count_below");
    let leaf = |next| [int(1), Value::Null, Value::Null, Value::Null, next];
    let cells: &[&[Value]] = &[&leaf(cell(2)), &leaf(Value::Null)];
    let input = input(&subject, "LeafNode", cells, &[cell(1)]);
    assert_eq!(oracle::precondition(&subject, &input), Verification::Holds);
    let whole = example.subject("leaf_count");
    assert!(violated(&oracle::precondition(&whole, &input)));
}

/// However many objects there are that the precondition does not describe, the checker does not
/// give up: it takes the cells that it needs.
#[test]
fn a_large_frame_is_split_off() {
    let example = Specified::example("leaf_count.impl");
    let subject = example.subject("count_below");
    let leaf = |next| vec![int(1), Value::Null, Value::Null, Value::Null, next];
    let mut cells: Vec<Vec<Value>> = (2..40).map(|next| leaf(cell(next))).collect();
    cells.push(leaf(Value::Null));
    let check = |cells: &[Vec<Value>]| {
        let cells: Vec<&[Value]> = cells.iter().map(Vec::as_slice).collect();
        let input = input(&subject, "LeafNode", &cells, &[cell(1)]);
        oracle::precondition(&subject, &input)
    };
    assert_eq!(check(&cells), Verification::Holds);
    // A node with one child is none of a tree, whatever follows.
    cells[0][1] = cell(3);
    assert!(violated(&check(&cells)));
}

#[test]
fn postconditions_need_not_describe_the_frame() {
    let example = Specified::example("leaf_count.impl");
    let subject = example.subject("count_below");
    let leaf = |next| [int(1), Value::Null, Value::Null, Value::Null, next];
    let cells: &[&[Value]] = &[&leaf(cell(2)), &leaf(Value::Null)];
    let mut input = input(&subject, "LeafNode", cells, &[cell(1)]);
    let counted = |input: &Input, result| {
        oracle::postcondition(&subject, input, Some(int(result)), (&input.heap).into()).unwrap()
    };
    assert!(violated(&counted(&input, 1)));
    input.witness = Some(Footprint {
        frame: BTreeSet::from([Loc(2)]),
        ..Footprint::default()
    });
    assert_eq!(counted(&input, 1), Verification::Holds);
    assert!(violated(&counted(&input, 2)));
}

const CELL: &str = "struct Box { int value; }
proc f(Box a, Box b) returns int { return 0; }
";

fn post(
    formula: &str,
    before: &[&[Value]],
    after: &[&[Value]],
    arguments: &[Value],
) -> Verification {
    let specified = Specified::new(CELL, &format!("post f(a, b) := {formula};"));
    let subject = specified.subject("f");
    let before = input(&subject, "Box", before, arguments);
    let after = input(&subject, "Box", after, arguments).heap;
    oracle::postcondition(&subject, &before, Some(int(3)), (&after).into()).unwrap()
}

#[test]
fn old_values_are_those_before_the_call() {
    let one: &[&[Value]] = &[&[int(1)]];
    let two: &[&[Value]] = &[&[int(2)]];
    let arguments = [cell(1), Value::Null];
    let grown = "a -> Box(v) & v = old(a.value) + 1";
    assert_eq!(post(grown, one, two, &arguments), Verification::Holds);
    assert!(violated(&post(grown, two, two, &arguments)));
}

/// There is no `a.value` if `a` is null: what speaks of it does not hold, the rest may.
#[test]
fn old_values_that_there_were_not() {
    let grown = "a -> Box(v) & v = old(a.value) + 1";
    let arguments = [Value::Null, Value::Null];
    assert!(violated(&post(grown, &[], &[], &arguments)));
    let or_null = format!("emp & a = null | {grown}");
    assert_eq!(post(&or_null, &[], &[], &arguments), Verification::Holds);
}

#[test]
fn only_what_the_formula_mentions_matters() {
    let both: &[&[Value]] = &[&[int(1)], &[int(2)]];
    let arguments = [cell(1), cell(2)];
    assert_eq!(
        post("a -> Box(1)", both, both, &arguments),
        Verification::Holds
    );
    assert_eq!(
        post("a -> Box(1) * b -> Box(2)", both, both, &arguments),
        Verification::Holds
    );
    assert!(violated(&post(
        "a -> Box(1) & b != null & a = b",
        both,
        both,
        &arguments
    )));
    assert_eq!(
        post("emp & result = 3", both, both, &arguments),
        Verification::Holds
    );
    assert!(violated(&post("emp & result = 4", both, both, &arguments)));
}

#[test]
fn without_a_contract_everything_is_allowed() {
    let specified = Specified::new(CELL, "");
    let subject = specified.subject("f");
    let input = input(&subject, "Box", &[&[int(1)]], &[cell(1), Value::Null]);
    assert_eq!(oracle::precondition(&subject, &input), Verification::Holds);
    assert_eq!(
        oracle::postcondition(&subject, &input, None, (&input.heap).into()),
        None
    );
    let dangling = Input {
        heap: heapwright_logic::Heap::default(),
        ..input
    };
    assert!(violated(&oracle::precondition(&subject, &dangling)));
}
