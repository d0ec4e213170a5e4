//! Every fault, as the end of a program and as an exception.

mod machine_support;

use heapwright_ir::FaultKind;
use heapwright_ir::machine::MachineOutcome;
use heapwright_ir::machine::concrete::Value;
use machine_support::*;

const CLASSES: &str = "
class Node {
  value: int
  next: Node
}
class Leaf extends Node {
  value: int
  next: Node
}
class Error
class Ints array of int
class Nodes array of Node
class Leaves array of Leaf extends Nodes
";

/// The faulty statement stands on line 7.
fn check(registers: &str, statements: &str, kind: FaultKind) {
    let variables: String = registers
        .split_terminator(';')
        .map(|register| format!("var {}\n", register.trim()))
        .collect();
    let body = statements.replace(';', "\n");
    let main = format!("function main() {{\n{variables}b0:\n{body}\nreturn\n}}\n");
    let text = format!("{CLASSES}{main}");
    let ended = program(&text);
    assert_eq!(fault(&run(&ended, &[])), Some((kind, 7)), "{statements}");
    // The same with an exception for the fault, which leaves the function.
    let mapped = format!("fault {kind:?} throws Error\n{text}");
    let thrown = program(&mapped);
    let outcome = run(&thrown, &[]);
    assert_eq!(
        threw(&thrown, &outcome),
        Some(("Error".to_owned(), Some(kind), 7)),
        "{statements}"
    );
}

#[test]
fn null_dereferences() {
    let kind = FaultKind::NullDereference;
    let vars = "n: Node; i: int; a: Ints";
    check(vars, "n := null; i := n->Node::value @7", kind);
    check(vars, "n := null; n->Node::next := n @7", kind);
    check(vars, "a := null; i := a[0] @7", kind);
    check(vars, "a := null; a[0] := 1 @7", kind);
    check(vars, "a := null; i := length a @7", kind);
    check(vars, "n := null; call virtual \"m()\"(n) @7", kind);
}

#[test]
fn throwing_null_is_a_null_dereference() {
    let text = "function main() {\nb0:\n throw null @3\n}";
    let outcome = run(&program(text), &[]);
    assert_eq!(fault(&outcome), Some((FaultKind::NullDereference, 3)));
}

#[test]
fn uses_of_freed_objects() {
    let kind = FaultKind::UseAfterFree;
    let vars = "n: Node; m: Node; i: int; a: Ints; b: bool";
    let freed = "n := new Node; m := n; free m";
    check(vars, &format!("{freed}; i := n->Node::value @7"), kind);
    check(vars, &format!("{freed}; n->Node::value := 1 @7"), kind);
    check(vars, &format!("{freed}; b := instance_of n, Leaf @7"), kind);
    check(vars, &format!("{freed}; call virtual \"m()\"(n) @7"), kind);
    let freed = "a := new_array Ints, 2; free a";
    check(vars, &format!("{freed}; i := a[0] @7"), kind);
    check(vars, &format!("{freed}; i := length a @7"), kind);
}

#[test]
fn comparing_a_freed_reference_is_no_use() {
    let text = "
class Node
function main() -> bool {
  var n: Node
  var b: bool
b0:
  n := new Node
  free n
  b := ne n, null
  return b
}";
    let outcome = run(&program(text), &[]);
    assert_eq!(outcome, returned(machine_support::bool(true)));
}

#[test]
fn invalid_frees() {
    let kind = FaultKind::InvalidFree;
    check("n: Node", "n := new Node; free n; free n @7", kind);
    check("n: Node", "n := null; free n @7", kind);
}

#[test]
fn divisions_by_zero() {
    let kind = FaultKind::DivisionByZero;
    check("i: int", "i := 0; i := div.int 1, i @7", kind);
    check("i: int", "i := 0; i := rem.int 1, i @7", kind);
    check(
        "i: ulong",
        "i := 0_ulong; i := div.ulong 1_ulong, i @7",
        kind,
    );
}

#[test]
fn floats_divide_by_zero() {
    let text = "
function main(x: double) -> double {
b0:
  x := div.double x, 0.0
  return x
}";
    let one = Value::Double(1f64.to_bits());
    let infinity = Value::Double(f64::INFINITY.to_bits());
    assert_eq!(run(&program(text), &[one]), returned(infinity));
}

#[test]
fn indices_out_of_bounds() {
    let kind = FaultKind::OutOfBounds;
    let vars = "a: Ints; i: int";
    check(vars, "a := new_array Ints, 3; i := a[3] @7", kind);
    check(vars, "a := new_array Ints, 3; i := a[-1] @7", kind);
    check(vars, "a := new_array Ints, 3; a[2147483647] := 1 @7", kind);
    check(vars, "a := new_array Ints, 0; i := a[0] @7", kind);
}

#[test]
fn negative_lengths() {
    check(
        "a: Ints",
        "a := new_array Ints, -1 @7",
        FaultKind::NegativeLength,
    );
}

#[test]
fn bad_casts_and_elements() {
    let kind = FaultKind::BadCast;
    check("n: Node", "n := new Node; check_cast n, Leaf @7", kind);
    let vars = "a: Nodes; n: Node";
    let kind = FaultKind::BadElement;
    check(
        vars,
        "n := new Node; a := new_array Leaves, 1; a[0] := n @7",
        kind,
    );
}

#[test]
fn good_casts_and_elements() {
    let text = format!(
        "{CLASSES}
function main() -> bool {{
  var n: Node
  var a: Nodes
  var b: bool
b0:
  n := null
  check_cast n, Node
  check_cast n, Leaf
  n := new Leaf
  check_cast n, Leaf
  check_cast n, Node
  a := new_array Leaves, 2
  a[0] := n
  n := null
  a[1] := n
  n := a[0]
  b := instance_of n, Leaf
  return b
}}"
    );
    let outcome = run(&program(&text), &[]);
    assert_eq!(outcome, returned(machine_support::bool(true)));
}

#[test]
fn null_is_an_instance_of_nothing() {
    let text = format!(
        "{CLASSES}
function main(n: Node) -> bool {{
  var b: bool
b0:
  b := instance_of n, Node
  return b
}}"
    );
    let null = Value::Null;
    assert_eq!(
        run(&program(&text), &[null]),
        returned(machine_support::bool(false))
    );
}

#[test]
fn failed_assertions_and_missing_methods() {
    check(
        "b: bool",
        "b := false; assert b, \"no\" @7",
        FaultKind::AssertionFailed,
    );
    let kind = FaultKind::NoSuchMethod;
    check("n: Node", "n := new Node; call virtual \"m()\"(n) @7", kind);
}

#[test]
fn failed_assumptions_are_no_faults() {
    let text = "function main(b: bool) {\nb0:\n assume b @3\n return\n}";
    let program = program(text);
    let outcome = run(&program, &[machine_support::bool(false)]);
    let MachineOutcome::AssumptionFailed { position, .. } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(position.line, 3);
    let outcome = run(&program, &[machine_support::bool(true)]);
    assert_eq!(outcome, MachineOutcome::Returned(None));
}
