//! Real programs on linked data: list reversal and a search tree, beside Rust's own.

mod machine_support;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::Program;
use heapwright_ir::machine::concrete::{Concrete, Value, export_value};
use heapwright_ir::machine::{Budgets, Machine, MachineError, MachineOutcome};
use heapwright_logic::{Cell, ClassId, Heap, Loc, Stack, Value as LogicValue, VarId};
use machine_support::*;
use proptest::prelude::*;

const LISTS: &str = "
manual_memory
class Node {
  value: int
  next: Node
}
function main(list: Node) -> Node {
  var done: Node
  var rest: Node
  var b: bool
b0:
  done := null
  goto b1
b1:
  b := eq list, null
  if b goto b2 else b3
b2:
  return done
b3:
  rest := list->Node::next
  list->Node::next := done
  done := list
  list := rest
  goto b1
}
function drop_first(list: Node) -> Node {
  var rest: Node
b0:
  rest := list->Node::next
  free list
  return rest
}
function second(list: Node) -> Node {
b0:
  list := list->Node::next
  return list
}
";

fn node(program: &Program) -> ClassId {
    program.definitions.class_named("Node").expect("a class")
}

/// A list of numbers at the locations 10, 20, 30, ...
fn list(program: &Program, values: &[i128]) -> (Heap, LogicValue) {
    let mut heap = Heap::default();
    let mut next = LogicValue::Null;
    for (index, &value) in values.iter().enumerate().rev() {
        let loc = Loc(10 * (index as u32 + 1));
        let cell = Cell {
            class: node(program),
            fields: vec![LogicValue::Int(value), next],
        };
        heap.cells.insert(loc, cell);
        next = LogicValue::Ref(loc);
    }
    (heap, next)
}

fn values(heap: &Heap, mut list: LogicValue) -> Vec<(Loc, i128)> {
    let mut values = vec![];
    while let LogicValue::Ref(loc) = list {
        let [LogicValue::Int(value), next] = heap.cells[&loc].fields[..] else {
            panic!("not a node");
        };
        values.push((loc, value));
        list = next;
    }
    values
}

#[test]
fn lists_are_reversed_in_place() {
    let program = program(LISTS);
    for length in 0..6 {
        let numbers: Vec<i128> = (1..=length).collect();
        let (heap, head) = list(&program, &numbers);
        let mut domain = Concrete::new(&program);
        let mut names = domain.import(&heap).unwrap();
        let head_value = domain.import_value(&mut names, head).unwrap();
        let mut machine = Machine::new(&program, domain, Budgets::default());
        let outcome = machine.run(function(&program, "main"), vec![head_value]);
        let Ok(MachineOutcome::Returned(Some(result))) = outcome else {
            panic!("{outcome:?}");
        };
        // The cells keep their names.
        let (after, locations) = machine.domain.memory.export().unwrap();
        let reversed = values(&after, export_value(&locations, result).unwrap());
        let mut expected = values(&heap, head);
        expected.reverse();
        assert_eq!(reversed, expected);
        assert_eq!(machine.domain.memory.leaks([result]), []);
    }
}

#[test]
fn heaps_come_back_as_they_were() {
    let program = program(LISTS);
    let (mut heap, head) = list(&program, &[1, 2, 3]);
    // Shared, cyclic and dangling references included.
    heap.cells.get_mut(&Loc(30)).unwrap().fields[1] = LogicValue::Ref(Loc(10));
    heap.cells.get_mut(&Loc(20)).unwrap().fields[1] = LogicValue::Ref(Loc(77));
    let stack: Stack = [(VarId(3), head), (VarId(5), LogicValue::Int(-1))].into();
    let mut domain = Concrete::new(&program);
    let mut names = domain.import(&heap).unwrap();
    let values = domain.import_stack(&mut names, &stack).unwrap();
    let (exported, locations) = domain.memory.export().unwrap();
    assert_eq!(exported, heap);
    let back: BTreeMap<VarId, LogicValue> = (values.iter())
        .map(|(&variable, &value)| (variable, export_value(&locations, value).unwrap()))
        .collect();
    assert_eq!(back, stack);
}

#[test]
fn cells_that_do_not_fit_are_rejected() {
    let program = program(LISTS);
    let class = node(&program);
    let bad = |class, fields: Vec<LogicValue>| {
        let mut heap = Heap::default();
        heap.cells.insert(Loc(4), Cell { class, fields });
        Concrete::new(&program).import(&heap).map(|_| ())
    };
    let null = LogicValue::Null;
    assert_eq!(bad(class, vec![LogicValue::Int(1), null]), Ok(()));
    let wrong = Err(MachineError::BadCell(Loc(4)));
    assert_eq!(bad(class, vec![LogicValue::Int(1)]), wrong);
    assert_eq!(bad(class, vec![LogicValue::Int(1 << 40), null]), wrong);
    assert_eq!(bad(class, vec![null, null]), wrong);
    assert_eq!(
        bad(ClassId(99), vec![]),
        Err(MachineError::NoClass(ClassId(99)))
    );
}

#[test]
fn freed_cells_are_gone_and_lost_ones_are_leaks() {
    let program = program(LISTS);
    let (heap, head) = list(&program, &[1, 2, 3]);
    let mut domain = Concrete::new(&program);
    let mut names = domain.import(&heap).unwrap();
    let head = domain.import_value(&mut names, head).unwrap();
    let mut machine = Machine::new(&program, domain, Budgets::default());
    let rest = machine.run(function(&program, "drop_first"), vec![head]);
    let Ok(MachineOutcome::Returned(Some(rest))) = rest else {
        panic!("{rest:?}");
    };
    let memory = &machine.domain.memory;
    let (after, _) = memory.export().unwrap();
    assert_eq!(
        after.cells.keys().copied().collect::<Vec<_>>(),
        [Loc(20), Loc(30)]
    );
    // The freed cell is still there to be shown, with its contents.
    let freed = memory.object(names.object(Loc(10)).unwrap()).unwrap();
    assert!(freed.freed && freed.contents[0] == int(1));
    assert_eq!(memory.leaks([rest]), []);
    assert_eq!(memory.leaks([head]).len(), 2);
    // Whoever keeps only the third cell has lost the second one.
    let third = machine.run(function(&program, "second"), vec![rest]);
    let Ok(MachineOutcome::Returned(Some(third))) = third else {
        panic!("{third:?}");
    };
    let second = names.object(Loc(20)).unwrap();
    assert_eq!(machine.domain.memory.leaks([third]), [second]);
}

/// Insertion and removal in a search tree without parent pointers.
const TREES: &str = "
class Tree {
  key: int
  left: Tree
  right: Tree
}
function insert(t: Tree, k: int) -> Tree {
  var b: bool
  var v: int
  var s: Tree
b0:
  b := eq t, null
  if b goto b1 else b2
b1:
  t := new Tree
  t->Tree::key := k
  return t
b2:
  v := t->Tree::key
  b := lt k, v
  if b goto b3 else b4
b3:
  s := t->Tree::left
  s := call insert(s, k)
  t->Tree::left := s
  return t
b4:
  b := gt k, v
  if b goto b5 else b6
b5:
  s := t->Tree::right
  s := call insert(s, k)
  t->Tree::right := s
  return t
b6:
  return t
}
function minimum(t: Tree) -> int {
  var l: Tree
  var b: bool
  var v: int
b0:
  l := t->Tree::left
  b := eq l, null
  if b goto b1 else b2
b1:
  v := t->Tree::key
  return v
b2:
  t := l
  goto b0
}
function remove(t: Tree, k: int) -> Tree {
  var b: bool
  var v: int
  var l: Tree
  var r: Tree
b0:
  b := eq t, null
  if b goto b1 else b2
b1:
  return null
b2:
  v := t->Tree::key
  l := t->Tree::left
  r := t->Tree::right
  b := lt k, v
  if b goto b3 else b4
b3:
  l := call remove(l, k)
  t->Tree::left := l
  return t
b4:
  b := gt k, v
  if b goto b5 else b6
b5:
  r := call remove(r, k)
  t->Tree::right := r
  return t
b6:
  b := eq l, null
  if b goto b7 else b8
b7:
  free t
  return r
b8:
  b := eq r, null
  if b goto b9 else b10
b9:
  free t
  return l
b10:
  v := call minimum(r)
  t->Tree::key := v
  r := call remove(r, v)
  t->Tree::right := r
  return t
}";

/// The keys in order; fails unless they are strictly increasing.
fn keys(domain: &Concrete, tree: Value) -> Vec<i128> {
    let mut keys = vec![];
    let mut pending = vec![(tree, false)];
    while let Some((value, visited)) = pending.pop() {
        let Value::Pointer(address) = value else {
            continue;
        };
        let object = domain.memory.object(address.object).unwrap();
        assert!(!object.freed, "a freed node in the tree");
        let [Value::Int(key), left, right] = object.contents[..] else {
            panic!("not a tree");
        };
        if visited {
            keys.push(key);
        } else {
            pending.extend([(right, false), (value, true), (left, false)]);
        }
    }
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    keys
}

proptest! {
    #[test]
    fn search_trees_behave_like_sets(
        steps in prop::collection::vec((any::<bool>(), -8i32..8), 0..60)
    ) {
        let program = program(TREES);
        let mut machine = Machine::new(&program, Concrete::new(&program), Budgets::default());
        let mut tree = Value::Null;
        let mut set = BTreeSet::new();
        for (insert, key) in steps {
            let key = i128::from(key);
            let name = if insert { set.insert(key); "insert" } else { set.remove(&key); "remove" };
            let outcome = machine.run(function(&program, name), vec![tree, int(key)]);
            let Ok(MachineOutcome::Returned(Some(result))) = outcome else {
                panic!("{outcome:?}");
            };
            tree = result;
            let expected: Vec<i128> = set.iter().copied().collect();
            prop_assert_eq!(keys(&machine.domain, tree), expected);
            prop_assert_eq!(machine.domain.memory.leaks([tree]), vec![]);
        }
    }
}

#[test]
fn arrays_are_cells_with_their_elements_as_fields() {
    let program = program(
        "
class Ints array of int
function main() -> Ints {
  var a: Ints
b0:
  a := new_array Ints, 3
  a[1] := 5
  return a
}",
    );
    let mut machine = Machine::new(&program, Concrete::new(&program), Budgets::default());
    machine.run(function(&program, "main"), vec![]).unwrap();
    let (heap, _) = machine.domain.memory.export().unwrap();
    let fields = vec![LogicValue::Int(0), LogicValue::Int(5), LogicValue::Int(0)];
    let class = program.definitions.class_named("Ints").unwrap();
    assert_eq!(heap.cells[&Loc(1)], Cell { class, fields });
    let mut again = Concrete::new(&program);
    again.import(&heap).unwrap();
    assert_eq!(again.memory.export().unwrap().0, heap);
}
