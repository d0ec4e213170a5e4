//! Exceptions: handlers by class, nesting, unwinding, code that runs whatever happens.

mod machine_support;

use heapwright_ir::FaultKind;
use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budgets, Edge, Machine, MachineOutcome, Successor};
use machine_support::*;

const CLASSES: &str = "
class Throwable
class Arithmetic extends Throwable
class NullPointer extends Throwable
abstract class Marker
class Marked extends Throwable implements Marker
class Box {
  log: int
}
fault DivisionByZero throws Arithmetic
fault NullDereference throws NullPointer
";

/// `choose` throws what its argument says; `log` appends a digit.
const HELPERS: &str = "
function choose(which: int) {
  var e: Throwable
  var i: int
  var b: Box
b0:
  switch which [1: b1, 2: b2, 3: b3, 4: b4] else b5
b1:
  i := div.int 1, 0 @101
  return
b2:
  b := null
  i := b->Box::log @102
  return
b3:
  e := new Throwable
  throw e @103
b4:
  e := new Marked
  throw e @104
b5:
  return
}
function log(box: Box, digit: int) {
  var i: int
b0:
  i := box->Box::log
  i := mul.int i, 10
  i := add.int i, digit
  box->Box::log := i
  return
}
";

fn with_helpers(main: &str) -> heapwright_ir::Program {
    program(&format!("{CLASSES}{HELPERS}{main}"))
}

#[test]
fn the_first_handler_that_fits_is_taken() {
    let program = with_helpers(
        "
function main(which: int) -> int {
  var e: Throwable
  var n: NullPointer
  var m: Marker
b0:
  catch NullPointer into n goto b1
  catch Marker into m goto b2
  catch Throwable into e goto b3
  call choose(which)
  return 0
b1:
  return 1
b2:
  return 2
b3:
  return 3
}",
    );
    let outcome = |which| run(&program, &[int(which)]);
    assert_eq!(outcome(0), returned(int(0)));
    assert_eq!(outcome(1), returned(int(3)));
    assert_eq!(outcome(2), returned(int(1)));
    assert_eq!(outcome(3), returned(int(3)));
    assert_eq!(outcome(4), returned(int(2)));
}

/// try { try { choose } catch (Arithmetic) { log 1; choose again } finally { log 2 } }
/// finally { log 3 }
const NESTED: &str = "
function main(which: int, again: int, box: Box) {
  var a: Arithmetic
  var e: Throwable
b0:
  catch Arithmetic into a goto b1
  catch into e goto b3
  call choose(which)
  goto b2
b1:
  catch into e goto b3
  call log(box, 1)
  call choose(again)
  goto b2
b2:
  catch into e goto b4
  call log(box, 2)
  goto b5
b3:
  catch into e goto b4
  call log(box, 2)
  throw e @203
b4:
  call log(box, 3)
  throw e @204
b5:
  call log(box, 3)
  return
}
";

#[test]
fn nested_handlers_and_code_that_always_runs() {
    let program = with_helpers(NESTED);
    let check = |which, again, log, expected: Option<(&str, Option<FaultKind>, u32)>| {
        let mut domain = Concrete::new(&program);
        let class = program.definitions.class_named("Box").unwrap();
        let id = domain.new_object(class).unwrap();
        let mut machine = Machine::new(&program, domain, Budgets::default());
        let args = vec![int(which), int(again), Value::object(id)];
        let outcome = machine.run(function(&program, "main"), args).unwrap();
        match expected {
            None => assert_eq!(outcome, MachineOutcome::Returned(None)),
            Some((class, fault, line)) => {
                let expected = (class.to_owned(), fault, line);
                assert_eq!(threw(&program, &outcome), Some(expected));
            }
        }
        let object = machine.domain.memory.object(id).unwrap();
        assert_eq!(object.contents, [int(log)], "{which} {again}");
    };
    check(0, 0, 23, None);
    check(1, 0, 123, None);
    // A fault is reported where it happened, though it was thrown again on the way.
    check(
        2,
        0,
        23,
        Some(("NullPointer", Some(FaultKind::NullDereference), 102)),
    );
    check(
        1,
        2,
        123,
        Some(("NullPointer", Some(FaultKind::NullDereference), 102)),
    );
    check(
        1,
        1,
        123,
        Some(("Arithmetic", Some(FaultKind::DivisionByZero), 101)),
    );
    check(3, 0, 23, Some(("Throwable", None, 204)));
}

#[test]
fn exceptions_unwind_many_frames() {
    let program = with_helpers(
        "
function down(n: int) {
  var b: bool
b0:
  b := gt n, 0
  if b goto b1 else b2
b1:
  n := sub.int n, 1
  call down(n)
  return
b2:
  call choose(3)
  return
}
function main() -> int {
  var e: Throwable
b0:
  catch Throwable into e goto b1
  call down(3000)
  return 0
b1:
  return 1
}",
    );
    assert_eq!(run(&program, &[]), returned(int(1)));
}

#[test]
fn a_handler_does_not_protect_itself() {
    let program = with_helpers(
        "
function main() {
  var e: Throwable
b0:
  catch Throwable into e goto b1
  call choose(1)
  return
b1:
  call choose(2)
  return
}",
    );
    let outcome = run(&program, &[]);
    let expected = (
        "NullPointer".to_owned(),
        Some(FaultKind::NullDereference),
        102,
    );
    assert_eq!(threw(&program, &outcome), Some(expected));
}

#[test]
fn exceptional_edges_are_told_apart() {
    let program = with_helpers(
        "
function main(which: int) {
  var e: Throwable
b0:
  catch Arithmetic into e goto b1
  catch Throwable into e goto b1
  call choose(which)
  return
b1:
  return
}",
    );
    let main = function(&program, "main");
    let mut machine = Machine::new(
        &program,
        Concrete::new(&program).traced(),
        Budgets::default(),
    );
    machine.run(main, vec![int(2)]).unwrap();
    let trace = machine.domain.trace.take().unwrap();
    let edge = |function, successor| Edge {
        function,
        block: heapwright_ir::BlockId(0),
        successor,
    };
    let expected = [
        (edge(function(&program, "choose"), Successor::Jump(1)), 1),
        (edge(main, Successor::Handler(1)), 1),
    ];
    assert_eq!(trace.trail, expected.map(|(edge, _)| edge));
    assert_eq!(trace.edges.into_iter().collect::<Vec<_>>(), expected);
    let lines: Vec<u32> = (trace.points.iter())
        .map(|point| point.position(&program).line)
        .filter(|&line| line > 0)
        .collect();
    assert_eq!(lines, [102]);
}

#[test]
fn objects_of_the_program_are_thrown_as_they_are() {
    let program = program(
        "
class Failure {
  code: int
}
function main() -> int {
  var e: Failure
  var i: int
b0:
  catch Failure into e goto b1
  e := new Failure
  e->Failure::code := 42
  throw e
b1:
  i := e->Failure::code
  return i
}",
    );
    assert_eq!(run(&program, &[]), returned(int(42)));
}

/// The exception of a fault is an object of a subclass that knows the index and the length, unless
/// the function is one that nobody wrote.
#[test]
fn exceptions_of_faults_know_what_happened() {
    let text = "
class Throwable
class Bounds extends Throwable
class Unknown extends Bounds
class Known extends Bounds {
  wrong: int
  extent: int
}
class Ints array of int
fault OutOfBounds throws Bounds
function get(index: int) -> int {
  var a: Ints
  var n: int
b0:
  a := new_array Ints, 3
  n := a[index]
  return n
}
function main(index: int) -> int {
  var e: any
  var i: int
  var n: int
  var known: bool
b0:
  catch Bounds into e goto b1
  n := call get(index)
  return n
b1:
  known := instance_of e, Known
  if known goto b2 else b3
b2:
  i := e->Known::wrong
  n := e->Known::extent
  i := mul.int i, 10
  n := add.int i, n
  return n
b3:
  return -1
}";
    let mut program = program(text);
    let class = |name| program.definitions.class_named(name).unwrap();
    let object = heapwright_ir::FaultObject {
        plain: class("Unknown"),
        detailed: Some((class("Known"), vec![0, 1])),
    };
    program.fault_objects.insert(FaultKind::OutOfBounds, object);
    assert_eq!(run(&program, &[int(2)]), returned(int(0)));
    assert_eq!(run(&program, &[int(7)]), returned(int(73)));
    assert_eq!(run(&program, &[int(-1)]), returned(int(-7)));
    let get = function(&program, "get");
    let bounds = program.definitions.class_named("Bounds").unwrap();
    // People are told about the exception, not about the class that is made up.
    let mut machine = Machine::new(&program, Concrete::new(&program), Budgets::default());
    let outcome = machine.run(get, vec![int(3)]).unwrap();
    assert!(matches!(outcome, MachineOutcome::Threw { class, .. } if class == bounds));
    program.functions[get.index()].synthetic = true;
    assert_eq!(run(&program, &[int(7)]), returned(int(-1)));
}
