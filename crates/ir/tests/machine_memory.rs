//! Arrays, references into objects, virtual calls, intrinsic functions, switches.

mod machine_support;

use heapwright_ir::machine::concrete::{Concrete, Memory, Value};
use heapwright_ir::machine::{
    Address, Budgets, Intrinsic, Machine, MachineError, MachineOutcome, Missing, ObjectId,
};
use heapwright_ir::{FaultKind, Program};
use machine_support::*;

#[test]
fn new_objects_hold_defaults() {
    let program = program(
        "
class All {
  a: bool
  b: char
  c: float
  d: double
  e: All
}
class Refs array of All
function main() -> All {
  var o: All
b0:
  o := new All
  return o
}
function refs() -> Refs {
  var o: Refs
b0:
  o := new_array Refs, 2
  return o
}",
    );
    let mut machine = Machine::new(&program, Concrete::new(&program), Budgets::default());
    for name in ["main", "refs"] {
        machine.run(function(&program, name), vec![]).unwrap();
    }
    let contents = |id| &machine.domain.memory.object(ObjectId(id)).unwrap().contents;
    let expected = [
        bool(false),
        int(0),
        Value::Single(0),
        Value::Double(0),
        Value::Null,
    ];
    assert_eq!(contents(0), &expected);
    assert_eq!(contents(1), &[Value::Null, Value::Null]);
}

/// The sum of the squares below `n`, kept in an array.
#[test]
fn arrays_keep_what_is_stored() {
    let program = program(
        "
class Longs array of long
function main(n: int) -> long {
  var a: Longs
  var i: int
  var x: long
  var sum: long
  var b: bool
b0:
  a := new_array Longs, n
  i := 0
  goto b1
b1:
  b := lt i, n
  if b goto b2 else b3
b2:
  x := convert i as long
  x := mul.long x, x
  a[i] := x
  i := add.int i, 1
  goto b1
b3:
  sum := 0_long
  i := length a
  goto b4
b4:
  b := gt i, 0
  if b goto b5 else b6
b5:
  i := sub.int i, 1
  x := a[i]
  sum := add.long sum, x
  goto b4
b6:
  return sum
}",
    );
    let expected: i128 = (0..100).map(|i| i * i).sum();
    assert_eq!(run(&program, &[int(100)]), returned(int(expected)));
    assert_eq!(run(&program, &[int(0)]), returned(int(0)));
}

const SHAPES: &str = "
abstract class Shape {
  method \"area()\" = Shape.area
}
class Square extends Shape {
  side: int
  method \"area()\" = Square.area
}
class Cube extends Square {
  side: int
  method \"area()\" = Cube.area
}
class Plain extends Square {
  side: int
  method \"area()\" = Square.area
}
function Shape.area(this: Shape) -> int {
b0:
  return -1
}
function Square.area(this: Square) -> int {
  var s: int
b0:
  s := this->Square::side
  s := mul.int s, s
  return s
}
function Cube.area(this: Cube) -> int {
  var a: int
b0:
  a := call Square.area(this)
  a := mul.int a, 6
  return a
}
function main(which: int) -> int {
  var s: Square
  var shape: Shape
  var a: int
b0:
  switch which [0: b1, 1: b2, -7: b3] else b5
b1:
  s := new Square
  goto b4
b2:
  s := new Cube
  goto b4
b3:
  s := new Plain
  goto b4
b4:
  s->Square::side := 3
  shape := s
  a := call virtual \"area()\"(shape)
  return a
b5:
  return 0
}";

#[test]
fn virtual_calls_go_by_the_class_of_the_object() {
    let program = program(SHAPES);
    for (which, area) in [(0, 9), (1, 54), (-7, 9), (2, 0)] {
        assert_eq!(run(&program, &[int(which)]), returned(int(area)), "{which}");
    }
}

/// A struct in a struct is a run of fields of the outer one.
const NESTED: &str = "
class Inner size 8 {
  x: int at 0 size 4
  y: int at 4 size 4
}
class Outer size 24 {
  tag: byte at 0 size 1
  inner.x: int at 4 size 4
  inner.y: int at 8 size 4
  next: Outer at 16 size 8
}
class Ints array of int
class Bytes array of ubyte
class Floats array of float
class Longs array of ulong
";

fn nested(main: &str) -> Program {
    // References are cast freely here, as in C, which the verifier may or may not like.
    unverified(&format!("{NESTED}{main}"))
}

#[test]
fn references_into_objects_see_nested_structs() {
    let program = nested(
        "
function main() -> int {
  var o: Outer
  var p: Inner
  var q: Ints
  var i: int
b0:
  o := new Outer
  p := &o->Outer::inner.x
  p->Inner::y := 7
  p->Inner::x := 5
  i := o->Outer::inner.y
  i := mul.int i, 10
  q := &p->Inner::x
  q[1] := 8
  q := &q[1]
  q[0] := 9
  i := p->Inner::y
  return i
}",
    );
    assert_eq!(run(&program, &[]), returned(int(9)));
}

#[test]
fn references_into_arrays_count_from_where_they_point() {
    let program = nested(
        "
function main(back: int) -> int {
  var a: Ints
  var p: Ints
  var i: int
b0:
  a := new_array Ints, 4
  a[1] := 11
  a[3] := 33
  p := &a[4]
  i := p[back]
  return i
}",
    );
    assert_eq!(run(&program, &[int(-1)]), returned(int(33)));
    assert_eq!(run(&program, &[int(-3)]), returned(int(11)));
    for outside in [0, -5, i32::MIN] {
        let outcome = run(&program, &[int(outside.into())]);
        assert_eq!(fault(&outcome), Some((FaultKind::OutOfBounds, 0)));
    }
}

#[test]
fn addresses_outside_an_object_are_faults_where_they_are_used() {
    let program = nested(
        "
function main(i: int, use: bool) {
  var a: Ints
b0:
  a := new_array Ints, 4
  a := &a[i]
  if use goto b1 else b2
b1:
  a[0] := 1
  goto b2
b2:
  return
}",
    );
    let formed = |i| fault(&run(&program, &[int(i), bool(false)]));
    let outcome = |i| fault(&run(&program, &[int(i), bool(true)]));
    assert_eq!(outcome(3), None);
    for outside in [4, 5, -1] {
        assert_eq!(formed(outside), None);
        assert_eq!(outcome(outside), Some((FaultKind::OutOfBounds, 0)));
    }
    // A caller may pass what no register of the program could hold.
    assert_eq!(outcome(i128::MAX), Some((FaultKind::OutOfBounds, 0)));
    assert_eq!(outcome(i128::MIN), Some((FaultKind::OutOfBounds, 0)));
}

#[test]
fn only_the_beginning_of_an_object_is_freed() {
    let program = nested(
        "
function main() {
  var o: Outer
  var p: Inner
b0:
  o := new Outer
  p := &o->Outer::inner.x
  free p
  return
}",
    );
    let outcome = run(&program, &[]);
    assert_eq!(fault(&outcome), Some((FaultKind::InvalidFree, 0)));
}

#[test]
fn bytes_can_be_read_and_written_one_by_one() {
    let program = nested(
        "
function main(value: uint, k: int, u: ubyte) -> uint {
  var a: Longs
  var p: Bytes
  var q: Ints
  var i: uint
  var l: ulong
b0:
  a := new_array Longs, 1
  l := convert value as ulong
  a[0] := l
  p := &a[0]
  p[k] := u
  q := p
  i := q[0]
  return i
}",
    );
    for value in [0u32, 0x0102_0304, u32::MAX] {
        for at in 0..4 {
            let mut bytes = value.to_le_bytes();
            bytes[at] = 0xab;
            let args = [int(value.into()), int(at as i128), int(0xab)];
            let expected = int(u32::from_le_bytes(bytes).into());
            assert_eq!(run(&program, &args), returned(expected));
        }
    }
}

#[test]
fn an_access_may_cover_two_fields() {
    let program = nested(
        "
function main() -> ulong {
  var o: Outer
  var p: Longs
  var l: ulong
b0:
  o := new Outer
  o->Outer::inner.x := 1
  o->Outer::inner.y := -1
  p := &o->Outer::inner.x
  l := p[0]
  p[0] := 8589934595_ulong
  l := add.ulong l, 1_ulong
  return l
}
function after() -> int {
  var o: Outer
  var p: Longs
  var i: int
  var k: int
b0:
  o := new Outer
  p := &o->Outer::inner.x
  p[0] := 8589934595_ulong
  i := o->Outer::inner.x
  k := o->Outer::inner.y
  i := mul.int i, 100
  i := add.int i, k
  return i
}",
    );
    let expected = int(0xffff_ffff_0000_0002);
    assert_eq!(run(&program, &[]), returned(expected));
    let mut machine = Machine::new(&program, Concrete::new(&program), Budgets::default());
    let outcome = machine.run(function(&program, "after"), vec![]).unwrap();
    // 8589934595 is 2 * 2^32 + 3.
    assert_eq!(outcome, returned(int(302)));
}

#[test]
fn floats_can_be_read_as_integers_and_references_as_whole_ones() {
    let program = nested(
        "
function main() -> int {
  var a: Floats
  var p: Ints
  var i: int
b0:
  a := new_array Floats, 2
  a[1] := 1.5_float
  p := &a[0]
  i := p[1]
  return i
}
function pointer(fill: bool) -> ulong {
  var o: Outer
  var p: Longs
  var l: ulong
b0:
  o := new Outer
  if fill goto b1 else b2
b1:
  o->Outer::next := o
  goto b2
b2:
  p := &o->Outer::next
  l := p[0]
  return l
}",
    );
    assert_eq!(run(&program, &[]), returned(int(1.5f32.to_bits().into())));
    let mut machine = Machine::new(&program, Concrete::new(&program), Budgets::default());
    let pointer = function(&program, "pointer");
    let outcome = machine.run(pointer, vec![bool(false)]);
    assert_eq!(outcome, Ok(returned(int(0))));
    // A number that was a reference still leads to its object.
    let outcome = machine.run(pointer, vec![bool(true)]);
    let is_reference = matches!(
        outcome,
        Ok(MachineOutcome::Returned(Some(Value::Pointer(address)))) if address.offset == 0
    );
    assert!(is_reference, "{outcome:?}");
}

#[test]
fn references_are_equal_if_object_and_offset_are() {
    let program = nested(
        "
function main() -> bool {
  var o: Outer
  var p: Inner
  var q: Inner
  var a: bool
  var b: bool
b0:
  o := new Outer
  p := &o->Outer::inner.x
  q := &o->Outer::inner.x
  a := eq p, q
  q := &o->Outer::inner.y
  b := ne p, q
  a := and.bool a, b
  return a
}",
    );
    assert_eq!(run(&program, &[]), returned(bool(true)));
}

fn clear(memory: &mut Memory, args: &[Value]) -> Intrinsic<Value> {
    match args {
        [Value::Pointer(Address { object, .. })] => match memory.object_mut(*object) {
            Ok(found) => {
                let count = found.contents.len();
                found.contents = vec![Value::Int(0); count];
                Intrinsic::Returned(Some(Value::Int(count as i128)))
            }
            Err(_) => Intrinsic::Unknown,
        },
        _ => Intrinsic::Fault(FaultKind::NullDereference),
    }
}

#[test]
fn intrinsic_functions_are_provided_from_outside() {
    let program = program(
        "
class Ints array of int
function main(full: bool) -> int {
  var a: Ints
  var i: int
b0:
  a := null
  if full goto b1 else b2
b1:
  a := new_array Ints, 3
  a[2] := 5
  goto b2
b2:
  i := call intrinsic clear(a) @9
  return i
}",
    );
    let error = try_run(&program, &[bool(true)], Budgets::default());
    assert_eq!(
        error,
        Err(MachineError::Missing(Missing::Intrinsic(
            "clear".to_owned()
        )))
    );
    let mut domain = Concrete::new(&program);
    domain.provide("clear", clear);
    let mut machine = Machine::new(&program, domain, Budgets::default());
    let main = function(&program, "main");
    assert_eq!(machine.run(main, vec![bool(true)]), Ok(returned(int(3))));
    let object = machine.domain.memory.object(ObjectId(0)).unwrap();
    assert_eq!(object.contents, vec![int(0); 3]);
    let outcome = machine.run(main, vec![bool(false)]).unwrap();
    assert_eq!(fault(&outcome), Some((FaultKind::NullDereference, 9)));
}
