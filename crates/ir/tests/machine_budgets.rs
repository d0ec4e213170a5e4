//! Runs that do not end by themselves end by their budget.

mod machine_support;

use std::time::Instant;

use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budget, Budgets, Machine, MachineError, MachineOutcome};
use heapwright_logic::Deadline;
use machine_support::*;

fn spent(outcome: &MachineOutcome<Value>) -> Option<Budget> {
    match outcome {
        MachineOutcome::OutOfBudget { budget, .. } => Some(*budget),
        _ => None,
    }
}

#[test]
fn endless_loops_end() {
    let looping = program("function main() {\nb0:\n goto b0\n}");
    let budgets = Budgets {
        steps: 1000,
        ..Budgets::default()
    };
    let mut machine = Machine::new(&looping, Concrete::new(&looping), budgets);
    let outcome = machine.run(function(&looping, "main"), vec![]).unwrap();
    assert_eq!(spent(&outcome), Some(Budget::Steps));
    assert_eq!(machine.used().steps, 1000);
    assert_eq!(spent(&run(&looping, &[])), Some(Budget::Steps));
}

/// A deadline ends runs that have steps enough to go on for years.
#[test]
fn the_clock_ends_endless_loops() {
    let looping = program("function main() {\nb0:\n goto b0\n}");
    let budgets = Budgets {
        steps: u64::MAX,
        ..Budgets::default()
    };
    let main = function(&looping, "main");
    let (begin, limit) = (Instant::now(), std::time::Duration::from_millis(20));
    let soon = Deadline::after(begin, Some(limit));
    let mut machine = Machine::new(&looping, Concrete::new(&looping), budgets).until(soon.clone());
    assert_eq!(machine.run(main, vec![]), Err(MachineError::Interrupted));
    assert!(machine.used().steps > 0);
    assert!(soon.is_over());
}

#[test]
fn the_last_step_of_the_budget_can_be_used() {
    let text = "
function main() {
  var i: int
b0:
  i := 1
  i := 2
  return
}";
    let program = program(text);
    let with = |steps| Budgets {
        steps,
        ..Budgets::default()
    };
    assert_eq!(
        run_within(&program, &[], with(3)),
        MachineOutcome::Returned(None)
    );
    assert_eq!(
        spent(&run_within(&program, &[], with(2))),
        Some(Budget::Steps)
    );
}

/// The sum of the numbers up to `n`, by recursion.
const SUM: &str = "
class Overflow
function main(n: long) -> long {
  var b: bool
  var rest: long
b0:
  b := eq n, 0_long
  if b goto b1 else b2
b1:
  return 0_long
b2:
  rest := sub.long n, 1_long
  rest := call main(rest) @14
  rest := add.long rest, n
  return rest
}";

#[test]
fn a_million_calls_end_by_budget() {
    let program = program(SUM);
    let outcome = run(&program, &[int(1_000_000)]);
    assert_eq!(spent(&outcome), Some(Budget::Depth));
    // Whether calls or steps run out first is a matter of the budget alone.
    let deep = Budgets {
        depth: u32::MAX,
        steps: 3_000_000,
        ..Budgets::default()
    };
    let outcome = run_within(&program, &[int(1_000_000)], deep);
    assert_eq!(spent(&outcome), Some(Budget::Steps));
}

#[test]
fn a_million_calls_return_if_the_budget_allows() {
    let program = program(SUM);
    let deep = Budgets {
        depth: 1_000_001,
        steps: 10_000_000,
        ..Budgets::default()
    };
    let mut machine = Machine::new(&program, Concrete::new(&program), deep);
    let main = function(&program, "main");
    let outcome = machine.run(main, vec![int(1_000_000)]).unwrap();
    assert_eq!(outcome, returned(int(500_000_500_000)));
    assert_eq!(machine.used().depth, 1_000_001);
    let outcome = machine.run(main, vec![int(1_000_001)]).unwrap();
    assert_eq!(spent(&outcome), Some(Budget::Depth));
}

#[test]
fn stack_overflow_is_a_fault_where_the_program_can_catch_it() {
    let text = format!("fault StackOverflow throws Overflow\n{SUM}");
    let uncaught = program(&text);
    let outcome = run(&uncaught, &[int(1_000_000)]);
    let thrown = threw(&uncaught, &outcome);
    let kind = heapwright_ir::FaultKind::StackOverflow;
    assert_eq!(thrown, Some(("Overflow".to_owned(), Some(kind), 14)));
    let text = text.replace("main", "sum");
    let caught = program(&format!(
        "{text}
function main() -> long {{
  var result: long
  var e: Overflow
b0:
  catch Overflow into e goto b1
  result := call sum(1000000_long)
  return result
b1:
  return -1_long
}}"
    ));
    assert_eq!(run(&caught, &[]), returned(int(-1)));
}

const ALLOCATE: &str = "
class Node
class Ints array of int
function main() {
  var n: Node
b0:
  n := new Node
  goto b0
}
function arrays(n: int) {
  var a: Ints
b0:
  a := new_array Ints, n
  goto b0
}";

#[test]
fn objects_and_arrays_are_counted() {
    let program = program(ALLOCATE);
    let outcome = run(&program, &[]);
    assert_eq!(spent(&outcome), Some(Budget::Objects));
    let mut machine = Machine::new(&program, Concrete::new(&program), Budgets::default());
    let arrays = function(&program, "arrays");
    let mut with = |length| spent(&machine.run(arrays, vec![int(length)]).unwrap());
    assert_eq!(with(2_000_000_000), Some(Budget::ArrayLength));
    assert_eq!(with(1_000_000), Some(Budget::Elements));
    assert_eq!(with(0), Some(Budget::Objects));
}
