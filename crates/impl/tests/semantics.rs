//! What programs mean, by running them: each of these checks itself with assertions.

mod common;

use std::collections::BTreeSet;

use heapwright_impl::read_program;
use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budgets, Machine, MachineOutcome};
use heapwright_ir::{FaultKind, Terminator};
use heapwright_spec::diagnostic::Style;

fn run(text: &str) -> MachineOutcome<Value> {
    let read = read_program("test.impl", text)
        .unwrap_or_else(|error| panic!("{}", error.render(Style::Plain)));
    let entry = read.entry.expect("a program with statements");
    assert_eq!(entry.inputs, [], "{text}");
    let program = &read.program;
    let mut machine = Machine::new(program, Concrete::new(program), Budgets::default());
    machine.run(entry.function, Vec::new()).unwrap()
}

fn returns(text: &str) {
    assert_eq!(run(text), MachineOutcome::Returned(None), "{text}");
}

fn faults(text: &str, expected: FaultKind, line: u32, column: u32) {
    match run(text) {
        MachineOutcome::Fault { kind, position, .. } => {
            assert_eq!(
                (kind, position.line, position.column),
                (expected, line, column)
            );
        }
        other => panic!("{other:?}"),
    }
}

/// The example of section 2 of the paper, with the input given there.
#[test]
fn the_example_of_the_paper() {
    returns(
        "x := new cons(1, new cons(2, new cons(3, new cons(3, new cons(4, nil)))));
         first := x;
         while (x.tail.head /= x.head) { x := x.tail };
         x.tail := nil;
         assert x.head == 3 && x.tail == nil;
         assert first.head == 1 && first.tail.head == 2 && first.tail.tail == x",
    );
}

/// The tests of the paper's Fig. 7, for the original program and the changed one.
#[test]
fn regression_tests_of_the_paper() {
    for program in [
        "x := nil;",
        "if (x == nil) then { foundnil := 1; x := nil } else { foundnil := 0; x := nil }",
    ] {
        returns(&format!(
            "x := new cons(7, nil); x.tail := x;
             {program}
             if (x == nil) then {{ accept := 1 }} else {{ accept := 0 }}
             assert accept == 1"
        ));
    }
}

#[test]
fn arithmetic_wraps_around_and_truncates() {
    returns(
        "int i := 2147483647; assert i + 1 == -2147483648;
         byte b := 127; b := b + 1; assert b == -128;
         long l := long(i) + 1; assert l == 2147483648 && int(l) == -2147483648;
         assert -7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1;
         assert -(-5) == 5 && 1 - 2 - 3 == -4 && 2 + 3 * 4 == 14",
    );
    faults("x := 0;\ny := 1 / x", FaultKind::DivisionByZero, 2, 6);
}

#[test]
fn truth_values_and_integers() {
    returns(
        "n := (1 == 1) + (2 /= 2); assert n == 1;
         if 7 then a := 1 else a := 2; assert a == 1;
         if 0 then a := 3; assert a == 1;
         bool b := n /= 0; assert b && int(b) == 1 && !bool(0)",
    );
}

#[test]
fn conditions_stop_as_soon_as_they_are_decided() {
    returns(
        "x := nil;
         if x /= nil && x.head == 1 then a := 1 else a := 2; assert a == 2;
         c := x == nil || x.tail == nil; assert c;
         while (!(x == nil || x.head > 0)) { skip }",
    );
    faults(
        "x := nil;\nassert x.head == 1 || true",
        FaultKind::NullDereference,
        2,
        8,
    );
}

/// As in the paper's rules for assignments: first the value, then the place.
#[test]
fn the_right_side_is_evaluated_before_the_left() {
    returns(
        "proc swap(cons c) returns int { c.tail := c.tail.tail; return 9 }
         x := new cons(1, new cons(2, new cons(3, nil)));
         x.tail.head := swap(x);
         assert x.tail.head == 9 && x.tail.tail == nil",
    );
}

#[test]
fn procedures_have_their_own_variables() {
    returns(
        "proc down(int n) returns int { int m := n; if n > 0 then n := down(n - 1); return m + n }
         assert down(3) == 6;
         proc set(cons c, int n) { c.head := n; c := nil; n := 0; return; assert false }
         n := 5; c := new cons; set(c, n); assert c /= nil && c.head == 5 && n == 5",
    );
}

#[test]
fn faults_are_found_where_they_are() {
    faults("x := nil;\n  y := x.head", FaultKind::NullDereference, 2, 8);
    faults(
        "x := new cons;\nfree x; y := x.head",
        FaultKind::UseAfterFree,
        2,
        14,
    );
    faults(
        "x := 1;\nassert x > 0 && x > 1",
        FaultKind::AssertionFailed,
        2,
        1,
    );
    faults("x := nil;\nfree x", FaultKind::InvalidFree, 2, 1);
    assert!(matches!(
        run("x := 1; assume x == 2; assert false"),
        MachineOutcome::AssumptionFailed { .. }
    ));
}

/// CSF section 2 counts 15 feasible jump edges in the removal; one of the 16 is infeasible from
/// the public procedure, since the successor is only looked for in a tree that is not empty.
#[test]
fn the_removal_of_the_paper_has_sixteen_edges() {
    let program = common::example("tree_remove.impl").program;
    let edges: usize = (program.functions.iter())
        .flat_map(|function| &function.blocks)
        .map(|block| match block.terminator {
            Terminator::Branch { .. } => 2,
            _ => 0,
        })
        .sum();
    assert_eq!(edges, 16);
}

#[test]
fn only_programs_that_free_manage_memory() {
    let managing: BTreeSet<_> = (common::examples().iter())
        .filter(|path| common::read(path).unwrap().program.manual_memory)
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(managing, BTreeSet::from(["stack.impl".to_owned()]));
}
