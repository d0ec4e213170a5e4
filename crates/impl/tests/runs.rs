//! The examples do what they say: random sequences of operations against the collections of the
//! standard library, with every precondition and postcondition checked on the way.

mod common;

use std::collections::{BTreeSet, VecDeque};

use common::checked_run::{CheckedRun, Example, Numbers};
use heapwright_ir::machine::concrete::Value;

/// The values of a list, first to last. `next` is the position of the reference to the next node.
fn list(session: &CheckedRun<'_>, mut node: Value, next: usize) -> Vec<i128> {
    let mut values = Vec::new();
    while node != Value::Null {
        values.push(integer(session.field(node, 0)));
        node = session.field(node, next);
    }
    values
}

/// The values of a tree from left to right.
fn tree(session: &CheckedRun<'_>, node: Value, left: usize, right: usize) -> Vec<i128> {
    if node == Value::Null {
        return Vec::new();
    }
    let mut values = tree(session, session.field(node, left), left, right);
    values.push(integer(session.field(node, 0)));
    values.extend(tree(session, session.field(node, right), left, right));
    values
}

fn integer(value: Value) -> i128 {
    match value {
        Value::Int(value) => value,
        other => panic!("{other:?} is not an integer"),
    }
}

/// Insertions and removals in a set whose root is passed and returned.
fn set_by_root(file: &str, left: usize, right: usize, with_contains: bool) {
    let example = Example::new(file);
    for seed in 0..6 {
        let mut session = example.session();
        let mut numbers = Numbers(seed);
        let mut root = Value::Null;
        let mut model = BTreeSet::new();
        for _ in 0..60 {
            let x = numbers.value(24);
            let insert = numbers.below(5) < 3;
            let operation = if insert { "insert" } else { "remove" };
            root = session.call(operation, &[root, Value::Int(x)]).unwrap();
            if insert {
                model.insert(x);
            } else {
                model.remove(&x);
            }
            let expected: Vec<_> = model.iter().copied().collect();
            assert_eq!(tree(&session, root, left, right), expected);
            if let Some(&smallest) = model.first() {
                assert_eq!(session.call("min", &[root]), Some(Value::Int(smallest)));
            }
            if with_contains {
                let y = numbers.value(24);
                let found = session.call("contains", &[root, Value::Int(y)]);
                assert_eq!(found, Some(Value::Bool(model.contains(&y))));
            }
        }
    }
}

#[test]
fn search_trees_are_sets() {
    set_by_root("search_tree.impl", 1, 2, true);
}

#[test]
fn avl_trees_are_sets() {
    set_by_root("avl_tree.impl", 2, 3, false);
}

#[test]
fn red_black_trees_are_sets() {
    let example = Example::new("red_black_tree.impl");
    for seed in 0..12 {
        let mut session = example.session();
        let mut numbers = Numbers(seed);
        let object = session.object("RbTree", vec![Value::Null, Value::Bool(false)]);
        let mut model = BTreeSet::new();
        for _ in 0..80 {
            let x = numbers.value(24);
            if numbers.below(5) < 3 {
                session.call("insert", &[object, Value::Int(x)]);
                model.insert(x);
            } else {
                session.call("remove", &[object, Value::Int(x)]);
                model.remove(&x);
            }
            let expected: Vec<_> = model.iter().copied().collect();
            assert_eq!(tree(&session, session.field(object, 0), 2, 3), expected);
            let y = numbers.value(24);
            let found = session.call("contains", &[object, Value::Int(y)]);
            assert_eq!(found, Some(Value::Bool(model.contains(&y))));
        }
    }
}

/// A search tree made by plain insertion, with its values.
fn random_tree(session: &mut CheckedRun<'_>, numbers: &mut Numbers, class: &str) -> Value {
    fn build(
        session: &mut CheckedRun<'_>,
        class: &str,
        values: &[i128],
        numbers: &mut Numbers,
    ) -> Value {
        if values.is_empty() {
            return Value::Null;
        }
        let middle = numbers.below(values.len() as u64) as usize;
        let left = build(session, class, &values[..middle], numbers);
        let right = build(session, class, &values[middle + 1..], numbers);
        session.object(class, vec![Value::Int(values[middle]), left, right])
    }
    let values: BTreeSet<_> = (0..numbers.below(12)).map(|_| numbers.value(20)).collect();
    let values: Vec<_> = values.into_iter().collect();
    build(session, class, &values, numbers)
}

#[test]
fn the_tree_of_the_paper_loses_its_values() {
    let example = Example::new("tree_remove.impl");
    for seed in 0..30 {
        let mut session = example.session();
        let mut numbers = Numbers(seed);
        let root = random_tree(&mut session, &mut numbers, "BinaryNode");
        let object = session.object("Tree", vec![root]);
        let mut model: BTreeSet<_> = tree(&session, root, 1, 2).into_iter().collect();
        for _ in 0..10 {
            let x = numbers.value(20);
            session.call("remove", &[object, Value::Int(x)]);
            model.remove(&x);
            let expected: Vec<_> = model.iter().copied().collect();
            assert_eq!(tree(&session, session.field(object, 0), 1, 2), expected);
        }
        assert!(session.call("find_min", &[Value::Null]) == Some(Value::Null));
    }
}

fn make_list(session: &mut CheckedRun<'_>, class: &str, values: &[i128]) -> Value {
    (values.iter().rev()).fold(Value::Null, |next, &value| {
        session.object(class, vec![Value::Int(value), next])
    })
}

#[test]
fn lists_are_sequences() {
    let example = Example::new("list.impl");
    for seed in 0..20 {
        let mut session = example.session();
        let mut numbers = Numbers(seed);
        let mut first = Value::Null;
        let mut model: Vec<i128> = Vec::new();
        for _ in 0..40 {
            let x = numbers.value(8);
            match numbers.below(6) {
                0 | 1 => {
                    let position = numbers.value(12);
                    let args = [first, Value::Int(position), Value::Int(x)];
                    first = session.call("insert", &args).unwrap();
                    let place = usize::try_from(position).unwrap_or(0).min(model.len());
                    model.insert(place, x);
                }
                2 => {
                    first = session.call("remove", &[first, Value::Int(x)]).unwrap();
                    if let Some(place) = model.iter().position(|&value| value == x) {
                        model.remove(place);
                    }
                }
                3 => {
                    first = session.call("reverse", &[first]).unwrap();
                    model.reverse();
                }
                4 => {
                    let more: Vec<_> = (0..numbers.below(3)).map(|_| numbers.value(8)).collect();
                    let second = make_list(&mut session, "ListNode", &more);
                    first = session.call("append", &[first, second]).unwrap();
                    model.extend(more);
                }
                _ => {
                    let found = session.call("contains", &[first, Value::Int(x)]);
                    assert_eq!(found, Some(Value::Bool(model.contains(&x))));
                }
            }
            assert_eq!(list(&session, first, 1), model);
            let length = session.call("length", &[first]);
            assert_eq!(length, Some(Value::Int(model.len() as i128)));
        }
    }
}

#[test]
fn sorted_lists_stay_sorted() {
    let example = Example::new("sorted_list.impl");
    for seed in 0..20 {
        let mut session = example.session();
        let mut numbers = Numbers(seed);
        let mut first = Value::Null;
        let mut model: Vec<i128> = Vec::new();
        for _ in 0..30 {
            let x = numbers.value(10);
            match numbers.below(5) {
                0..3 => {
                    first = session.call("insert", &[first, Value::Int(x)]).unwrap();
                    model.push(x);
                }
                3 => {
                    first = session.call("remove", &[first, Value::Int(x)]).unwrap();
                    if let Some(place) = model.iter().position(|&value| value == x) {
                        model.remove(place);
                    }
                }
                _ => {
                    let mut more: Vec<_> =
                        (0..numbers.below(4)).map(|_| numbers.value(10)).collect();
                    more.sort_unstable();
                    let second = make_list(&mut session, "ListNode", &more);
                    first = session.call("merge", &[first, second]).unwrap();
                    model.extend(more);
                }
            }
            model.sort_unstable();
            assert_eq!(list(&session, first, 1), model);
        }
    }
}

#[test]
fn queues_and_stacks_keep_their_order() {
    let queues = Example::new("queue.impl");
    let stacks = Example::new("stack.impl");
    for seed in 0..10 {
        let mut numbers = Numbers(seed);
        let (mut queue, mut stack) = (queues.session(), stacks.session());
        let first = queue.object("Queue", vec![Value::Null, Value::Null]);
        let top = stack.object("Stack", vec![Value::Null, Value::Int(0)]);
        let mut model: VecDeque<i128> = VecDeque::new();
        let mut pile: Vec<i128> = Vec::new();
        for _ in 0..50 {
            let x = numbers.value(100);
            if numbers.below(2) == 0 {
                queue.call("enqueue", &[first, Value::Int(x)]);
                stack.call("push", &[top, Value::Int(x)]);
                model.push_back(x);
                pile.push(x);
            } else if let (Some(oldest), Some(newest)) = (model.pop_front(), pile.pop()) {
                assert_eq!(queue.call("dequeue", &[first]), Some(Value::Int(oldest)));
                assert_eq!(stack.call("pop", &[top]), Some(Value::Int(newest)));
            }
            let empty = stack.call("is_empty", &[top]);
            assert_eq!(empty, Some(Value::Bool(pile.is_empty())));
        }
        assert_eq!(list(&queue, queue.field(first, 0), 1), Vec::from(model));
        stack.call("clear", &[top]);
        let leaks = stack.machine.domain.memory.leaks([top]);
        assert_eq!(leaks, []);
    }
}

#[test]
fn numbers_are_added_digit_by_digit() {
    let example = Example::new("add_numbers.impl");
    for length in 0..6 {
        let mut session = example.session();
        let mut numbers = Numbers(length);
        let digits = |numbers: &mut Numbers| -> Vec<i128> {
            (0..length).map(|_| i128::from(numbers.below(5))).collect()
        };
        let (a, b) = (digits(&mut numbers), digits(&mut numbers));
        let x = make_list(&mut session, "Digit", &a);
        let y = make_list(&mut session, "Digit", &b);
        let sum = session.call("add", &[x, y]).unwrap();
        let expected: Vec<_> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        assert_eq!(list(&session, sum, 1), expected);
    }
}

#[test]
fn leaves_are_counted_both_ways() {
    let example = Example::new("leaf_count.impl");
    // The perfect tree of three levels, built from its leaves.
    let mut session = example.session();
    let mut leaf = |next| {
        session.object(
            "LeafNode",
            vec![Value::Int(7), Value::Null, Value::Null, Value::Null, next],
        )
    };
    let d = leaf(Value::Null);
    let c = leaf(d);
    let b = leaf(c);
    let a = leaf(b);
    let mut inner = |left, right| {
        session.object(
            "LeafNode",
            vec![Value::Int(0), left, right, Value::Null, Value::Null],
        )
    };
    let (ab, cd) = (inner(a, b), inner(c, d));
    let root = inner(ab, cd);
    for (child, parent) in [(a, ab), (b, ab), (c, cd), (d, cd), (ab, root), (cd, root)] {
        let Value::Pointer(address) = child else {
            panic!("{child:?}")
        };
        let memory = &mut session.machine.domain.memory;
        memory.object_mut(address.object).unwrap().contents[3] = parent;
    }
    assert_eq!(session.call("leaf_count", &[root]), Some(Value::Int(4)));
    assert_eq!(session.call("count_below", &[root]), Some(Value::Int(4)));
}
