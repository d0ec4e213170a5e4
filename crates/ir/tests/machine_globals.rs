//! Globals: one object each, from the beginning to the end, whatever the functions do with it.

mod machine_support;

use std::collections::BTreeMap;

use heapwright_ir::machine::concrete::{Concrete, Value, export_value};
use heapwright_ir::machine::{Budget, Budgets, Machine, MachineError, MachineOutcome};
use heapwright_ir::{FaultKind, GlobalId, Program};
use heapwright_logic::{Cell, ClassId, Heap, Loc, Value as LogicValue};
use machine_support::*;

const COUNTER: &str = "
manual_memory
class Node {
  next: Node
}
abstract class Counter {
  calls: int
  list: Node
}
class Ints array of int
global counter: Counter
global table: Ints length 3
global spare: Counter
function main() -> int {
  var n: int
b0:
  n := @counter->Counter::calls
  n := add.int n, 1
  @counter->Counter::calls := n
  return n
}
function twice() -> int {
  var n: int
b0:
  n := call main()
  n := call main()
  return n
}
function push() {
  var x: Node
  var y: Node
b0:
  x := new Node
  y := @counter->Counter::list
  x->Node::next := y
  @counter->Counter::list := x
  return
}
function drop() {
b0:
  @counter->Counter::list := null
  return
}
function get(i: int) -> int {
  var n: int
b0:
  n := @table[i] @7
  return n
}
function set(i: int, n: int) {
b0:
  @table[i] := n
  return
}
function extent() -> int {
  var n: int
b0:
  n := length @table
  return n
}
function release() {
b0:
  free @counter @9
  return
}
function release_all(x: any) {
b0:
  free x @10
  return
}
function counter() -> Counter {
b0:
  return @counter
}
function same(x: Counter) -> bool {
  var b: bool
b0:
  b := eq x, @counter
  return b
}
";

const COUNTER_ID: GlobalId = GlobalId(0);
const TABLE: GlobalId = GlobalId(1);

type ConcreteMachine<'p> = Machine<'p, Concrete<'p>>;

fn session(program: &Program) -> ConcreteMachine<'_> {
    Machine::new(program, Concrete::new(program), Budgets::default())
}

fn call(
    program: &Program,
    session: &mut ConcreteMachine<'_>,
    name: &str,
    args: &[Value],
) -> MachineOutcome<Value> {
    let outcome = session.run(function(program, name), args.to_vec());
    outcome.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn calls_and_runs_share_globals() {
    let program = program(COUNTER);
    let mut session = session(&program);
    assert_eq!(call(&program, &mut session, "main", &[]), returned(int(1)));
    assert_eq!(call(&program, &mut session, "twice", &[]), returned(int(3)));
    // Another memory has its own.
    assert_eq!(run(&program, &[]), returned(int(1)));
}

#[test]
fn arrays_have_their_length_and_default_contents() {
    let program = program(COUNTER);
    let mut session = session(&program);
    let mut call = |name, args: &[Value]| call(&program, &mut session, name, args);
    assert_eq!(call("extent", &[]), returned(int(3)));
    assert_eq!(call("get", &[int(2)]), returned(int(0)));
    assert_eq!(
        call("set", &[int(2), int(7)]),
        MachineOutcome::Returned(None)
    );
    assert_eq!(call("get", &[int(2)]), returned(int(7)));
    let outside = call("get", &[int(3)]);
    assert_eq!(fault(&outside), Some((FaultKind::OutOfBounds, 7)));
}

#[test]
fn a_global_is_one_object_and_not_another() {
    let program = program(COUNTER);
    let mut session = session(&program);
    let MachineOutcome::Returned(Some(counter)) = call(&program, &mut session, "counter", &[])
    else {
        panic!("it returns");
    };
    let spare = session.domain.global_object(GlobalId(2)).map(Value::object);
    let mut same = |value| call(&program, &mut session, "same", &[value]);
    assert_eq!(same(counter), returned(bool(true)));
    assert_eq!(same(spare.expect("an object")), returned(bool(false)));
    assert_eq!(same(Value::Null), returned(bool(false)));
}

#[test]
fn globals_cannot_be_freed() {
    let program = program(COUNTER);
    let mut session = session(&program);
    let freed = call(&program, &mut session, "release", &[]);
    assert_eq!(fault(&freed), Some((FaultKind::InvalidFree, 9)));
    // Not even by way of a register, and nothing has happened to it.
    let counter = session.domain.global_object(COUNTER_ID).map(Value::object);
    let counter = counter.expect("an object");
    let freed = call(&program, &mut session, "release_all", &[counter]);
    assert_eq!(fault(&freed), Some((FaultKind::InvalidFree, 10)));
    assert_eq!(call(&program, &mut session, "main", &[]), returned(int(1)));
    // Other objects of the class can be.
    let other = session.domain.new_object(ClassId(2)).map(Value::object);
    let freed = call(
        &program,
        &mut session,
        "release_all",
        &[other.expect("an object")],
    );
    assert_eq!(freed, MachineOutcome::Returned(None));
}

#[test]
fn what_globals_lead_to_is_not_leaked() {
    let program = program(COUNTER);
    let mut session = session(&program);
    call(&program, &mut session, "push", &[]);
    call(&program, &mut session, "push", &[]);
    assert_eq!(session.domain.memory.leaks([]), []);
    call(&program, &mut session, "drop", &[]);
    let nodes = session.domain.memory.objects();
    let nodes = nodes.filter(|(_, object)| object.class == ClassId(1));
    let nodes: Vec<_> = nodes.map(|(id, _)| id).collect();
    assert_eq!(nodes.len(), 2);
    assert_eq!(session.domain.memory.leaks([]), nodes);
}

#[test]
fn globals_use_up_no_budget() {
    let program = program(COUNTER);
    let none = Budgets {
        objects: 0,
        elements: 0,
        array_length: 3,
        ..Budgets::default()
    };
    let mut session = Machine::new(&program, Concrete::new(&program), none);
    for name in ["twice", "extent"] {
        let outcome = call(&program, &mut session, name, &[]);
        assert!(
            matches!(outcome, MachineOutcome::Returned(Some(_))),
            "{outcome:?}"
        );
        assert_eq!(session.used().objects, 0);
        assert_eq!(session.used().elements, 0);
    }
    // An array that is too long is never made.
    let short = Budgets {
        array_length: 2,
        ..none
    };
    let mut session = Machine::new(&program, Concrete::new(&program), short);
    let outcome = call(&program, &mut session, "extent", &[]);
    assert!(matches!(
        outcome,
        MachineOutcome::OutOfBudget {
            budget: Budget::ArrayLength,
            ..
        }
    ));
    assert_eq!(session.domain.memory.objects().count(), 0);
}

fn cell(class: u32, fields: &[LogicValue]) -> Cell {
    Cell {
        class: ClassId(class),
        fields: fields.to_vec(),
    }
}

/// A counter at 5 with a list of one node, and an array of three elements.
fn heap() -> Heap {
    let mut heap = Heap::default();
    let numbers = [1, 2, 3].map(LogicValue::Int);
    let counter = [LogicValue::Int(41), LogicValue::Ref(Loc(7))];
    heap.cells.insert(Loc(5), cell(2, &counter));
    heap.cells.insert(Loc(6), cell(3, &numbers));
    heap.cells.insert(Loc(7), cell(1, &[LogicValue::Null]));
    heap
}

#[test]
fn globals_are_imported_and_exported() {
    let program = program(COUNTER);
    let mut domain = Concrete::new(&program);
    let names = domain.import(&heap()).expect("a heap");
    let counter = domain.import_global(&names, COUNTER_ID, Loc(5));
    let table = domain.import_global(&names, TABLE, Loc(6));
    assert_eq!(counter.ok(), names.object(Loc(5)));
    assert_eq!(table.ok(), names.object(Loc(6)));
    let mut session = Machine::new(&program, domain, Budgets::default());
    assert_eq!(call(&program, &mut session, "main", &[]), returned(int(42)));
    assert_eq!(
        call(&program, &mut session, "get", &[int(1)]),
        returned(int(2))
    );
    assert_eq!(session.domain.memory.leaks([]), []);

    let memory = &session.domain.memory;
    let (after, locations) = memory.export().expect("a heap");
    let globals = memory.export_globals(&locations).expect("the globals");
    // The third one was never used.
    assert_eq!(
        globals,
        BTreeMap::from([(COUNTER_ID, Loc(5)), (TABLE, Loc(6))])
    );
    let mut expected = heap();
    let counter = expected.cells.get_mut(&Loc(5)).expect("the counter");
    counter.fields[0] = LogicValue::Int(42);
    assert_eq!(after, expected);
}

#[test]
fn globals_that_the_program_used_are_exported() {
    let program = program(COUNTER);
    let mut session = session(&program);
    call(&program, &mut session, "push", &[]);
    let memory = &session.domain.memory;
    let (heap, locations) = memory.export().expect("a heap");
    let globals = memory.export_globals(&locations).expect("the globals");
    assert_eq!(globals.keys().collect::<Vec<_>>(), [&COUNTER_ID]);
    let counter = &heap.cells[&globals[&COUNTER_ID]];
    assert_eq!(counter.class, ClassId(2));
    let node = memory
        .objects()
        .find(|(_, object)| object.class == ClassId(1));
    let node = node.map(|(id, _)| Value::object(id)).expect("a node");
    let node = export_value(&locations, node).expect("a location");
    assert_eq!(counter.fields, [LogicValue::Int(0), node]);
}

#[test]
fn cells_that_are_no_globals_are_refused() {
    let program = program(COUNTER);
    let mut domain = Concrete::new(&program);
    let mut heap = heap();
    heap.cells.insert(Loc(8), cell(3, &[LogicValue::Int(0)]));
    let counter = [LogicValue::Int(0), LogicValue::Null];
    heap.cells.insert(Loc(10), cell(2, &counter));
    let mut names = domain.import(&heap).expect("a heap");
    let freed = names.object(Loc(10)).expect("an object");
    domain.memory.object_mut(freed).expect("an object").freed = true;
    let dangling = LogicValue::Ref(Loc(9));
    domain.import_value(&mut names, dangling).expect("a value");
    let spare = GlobalId(2);
    // Nowhere, dangling, freed, of another class, of another length.
    for (global, loc) in [
        (COUNTER_ID, 4),
        (COUNTER_ID, 9),
        (COUNTER_ID, 10),
        (COUNTER_ID, 7),
        (TABLE, 8),
    ] {
        let loc = Loc(loc);
        let refused = domain.import_global(&names, global, loc);
        assert_eq!(refused, Err(MachineError::BadGlobal { global, loc }));
    }
    let unknown = domain.import_global(&names, GlobalId(3), Loc(5));
    assert_eq!(unknown, Err(MachineError::NoGlobal(GlobalId(3))));
    // A cell is one global at most, and a global one cell.
    domain
        .import_global(&names, COUNTER_ID, Loc(5))
        .expect("an object");
    for global in [COUNTER_ID, spare] {
        let loc = Loc(5);
        let refused = domain.import_global(&names, global, loc);
        assert_eq!(refused, Err(MachineError::BadGlobal { global, loc }));
    }
    domain.global_object(TABLE).expect("an object");
    let (global, loc) = (TABLE, Loc(6));
    let late = domain.import_global(&names, global, loc);
    assert_eq!(late, Err(MachineError::BadGlobal { global, loc }));
}

#[test]
fn fields_and_elements_of_globals_have_addresses() {
    let text = "
class State size 8 {
  a: int at 0 size 4
  b: int at 4 size 4
}
class Int size 4 {
  value: int at 0 size 4
}
class Ints array of int
global state: State
global table: Ints length 3
function main() -> int {
  var p: any
  var m: int
  var n: int
b0:
  p := &@state->State::b
  p->Int::value := 40
  p := &@table[2]
  p->Int::value := 2
  m := @state->State::b
  n := @table[2]
  n := add.int n, m
  return n
}
function inside() {
  var p: any
b0:
  p := &@state->State::b
  free p @3
  return
}
function beginning() {
  var p: any
b0:
  p := &@state->State::a
  free p @4
  return
}";
    let program = program(text);
    assert_eq!(run(&program, &[]), returned(int(42)));
    for (name, line) in [("inside", 3), ("beginning", 4)] {
        let freed = call(&program, &mut session(&program), name, &[]);
        assert_eq!(fault(&freed), Some((FaultKind::InvalidFree, line)));
    }
}

#[test]
fn stores_into_arrays_look_at_the_class_of_a_global() {
    let text = "
class A
class B extends A
class As array of A
class Bs array of B extends As
global a: A
global b: B
global all: As length 2
global some: Bs length 2
function main(s: As) {
b0:
  s[0] := @b
  s[1] := @a @5
  return
}
function fill(some: bool) {
b0:
  if some goto b1 else b2
b1:
  call main(@some)
  return
b2:
  call main(@all)
  return
}";
    let program = program(text);
    let fill = |some| call(&program, &mut session(&program), "fill", &[bool(some)]);
    assert_eq!(fault(&fill(true)), Some((FaultKind::BadElement, 5)));
    assert_eq!(fill(false), MachineOutcome::Returned(None));
}

#[test]
fn globals_that_do_not_exist_are_errors_of_the_machine() {
    let text = "
class A
class As array of A
global wrong: As
global worse: A length 3
function main(n: int) {
b0:
  switch n [0: b1, 1: b2] else b3
b1:
  free @wrong
  return
b2:
  free @worse
  return
b3:
  free @#2
  return
}";
    let program = unverified(text);
    let error = |n| try_run(&program, &[int(n)], Budgets::default()).expect_err("an error");
    assert_eq!(error(0), MachineError::WrongKind(ClassId(2)));
    assert_eq!(error(1), MachineError::WrongKind(ClassId(1)));
    assert_eq!(error(2), MachineError::NoGlobal(GlobalId(2)));
}
