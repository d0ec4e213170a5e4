//! The intrinsic functions that the machine itself knows.

use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budgets, Machine, MachineError, MachineOutcome, Missing};
use heapwright_ir::{FaultKind, Program};

const PROGRAM: &str = r#"
class Pair {
  first: int
  second: Pair
}
class Ints array of int
function identities() -> bool {
  var a: Pair
  var b: Pair
  var m: int
  var n: int
  var same: bool
b0:
  a := new Pair
  b := new Pair
  m := call intrinsic "object.identity"(a)
  n := call intrinsic "object.identity"(b)
  same := eq m, n
  return same
}
function of_null() -> int {
  var n: int
b0:
  n := call intrinsic "object.identity"(null)
  return n
}
function time() -> long {
  var a: long
  var b: long
b0:
  a := call intrinsic "environment.clock"()
  b := call intrinsic "environment.clock"()
  b := sub.long b, a
  return b
}
function fields(position: long) -> int {
  var p: Pair
  var n: int
b0:
  p := new Pair
  call intrinsic "slot.store"(p, position, 7)
  n := p->Pair::first
  position := call intrinsic "slot.load"(p, position)
  return n
}
function first() -> int {
  var p: Pair
  var n: int
b0:
  p := new Pair
  call intrinsic "slot.store"(p, 0, 7)
  n := call intrinsic "slot.load"(p, 0)
  return n
}
function element(index: int) -> int {
  var a: Ints
  var n: int
b0:
  a := new_array Ints, 3
  call intrinsic "slot.store"(a, index, 5)
  n := call intrinsic "slot.load"(a, 1)
  return n
}
function unheard() -> int {
  var p: Pair
  var n: int
b0:
  p := null
  n := call intrinsic "slot.load"(p, 0)
  return n
}
"#;

fn run(
    seed: Option<u64>,
    function: &str,
    args: Vec<Value>,
) -> Result<MachineOutcome<Value>, MachineError> {
    let program: Program = heapwright_ir::parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
    let domain = Concrete::new(&program);
    let domain = match seed {
        Some(seed) => domain.varied(seed),
        None => domain,
    };
    let function = program.function_named(function).unwrap();
    Machine::new(&program, domain, Budgets::default()).run(function, args)
}

fn returned(value: Value) -> Result<MachineOutcome<Value>, MachineError> {
    Ok(MachineOutcome::Returned(Some(value)))
}

#[test]
fn objects_usually_share_a_number_and_null_has_none() {
    assert_eq!(run(None, "identities", vec![]), returned(Value::Bool(true)));
    assert_eq!(run(None, "of_null", vec![]), returned(Value::Int(0)));
    assert_eq!(run(None, "time", vec![]), returned(Value::Int(0)));
}

#[test]
fn varied_runs_have_other_numbers_and_a_clock_that_goes_on() {
    for seed in 0..20 {
        let varied = run(Some(seed), "identities", vec![]);
        assert_eq!(varied, returned(Value::Bool(false)), "{seed}");
        assert_eq!(run(Some(seed), "of_null", vec![]), returned(Value::Int(0)));
        let Ok(MachineOutcome::Returned(Some(Value::Int(passed)))) =
            run(Some(seed), "time", vec![])
        else {
            panic!("no time");
        };
        assert!(passed > 0, "{seed}: {passed}");
    }
}

#[test]
fn fields_and_elements_have_numbers() {
    assert_eq!(run(None, "first", vec![]), returned(Value::Int(7)));
    let element = |index| run(None, "element", vec![Value::Int(index)]);
    assert_eq!(element(1), returned(Value::Int(5)));
    assert_eq!(element(2), returned(Value::Int(0)));
    let fault = |outcome| match outcome {
        Ok(MachineOutcome::Fault { kind, .. }) => kind,
        other => panic!("{other:?}"),
    };
    assert_eq!(fault(element(3)), FaultKind::OutOfBounds);
    assert_eq!(fault(element(-1)), FaultKind::OutOfBounds);
    assert_eq!(
        fault(run(None, "unheard", vec![])),
        FaultKind::NullDereference
    );
}

/// What holds something else, or does not exist, is not known: nothing is made up.
#[test]
fn slots_of_other_sorts_are_unknown() {
    for position in [1, 2, -1] {
        let outcome = run(None, "fields", vec![Value::Int(position)]);
        let unknown = MachineError::Missing(Missing::Intrinsic("slot.store".to_owned()));
        assert_eq!(outcome, Err(unknown), "{position}");
    }
    // A long is read where an int is.
    let outcome = run(None, "fields", vec![Value::Int(0)]);
    let unknown = MachineError::Missing(Missing::Intrinsic("slot.load".to_owned()));
    assert_eq!(outcome, Err(unknown));
}
