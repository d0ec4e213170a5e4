//! Concrete runs of inputs: how they end, and what is told about them.

mod specified;

use heapwright_engine::specification::from_specification;
use heapwright_engine::{Input, Outcome, Run, Subject, Verification, replay};
use heapwright_ir::machine::{Budget, Budgets, MachineError, Successor};
use heapwright_ir::{FaultKind, Position};
use heapwright_logic::{Loc, Value};
use specified::*;

const NODE: &str = "struct Node { int value; Node next; }\n";

/// Runs `proc f` on a heap of nodes.
fn run_on(body: &str, cells: &[&[Value]], arguments: &[Value]) -> Run {
    let specified = Specified::new(&format!("{NODE}{body}"), "");
    let subject = specified.subject("f");
    run(&subject, &input(&subject, "Node", cells, arguments))
}

fn fault(kind: FaultKind, line: u32, column: u32) -> Outcome {
    Outcome::Fault {
        kind,
        position: Position {
            file: 0,
            line,
            column,
        },
    }
}

#[test]
fn a_run_that_returns_shows_result_parameters_and_heap() {
    let body = "proc f(Node a, int x) returns Node {
    a.next := new Node(x, a);
    x := 0;
    return a.next;
}";
    let run = run_on(body, &[&[int(7), Value::Null]], &[cell(1), int(5)]);
    assert_eq!(run.outcome, Outcome::Returned);
    let named = |name: &str, value| (name.to_owned(), value);
    // Parameters have the values that the caller gave.
    let roots = [
        named("result", cell(2)),
        named("a", cell(1)),
        named("x", int(5)),
    ];
    assert_eq!(run.roots(), roots);
    assert_eq!((run.result, run.exception), (Some(cell(2)), None));
    assert_eq!(run.heap.cells[&Loc(1)].fields, [int(7), cell(2)]);
    assert_eq!(run.heap.cells[&Loc(2)].fields, [int(5), cell(1)]);
    assert_eq!(
        (run.freed, run.leaks, run.postcondition),
        (vec![], vec![], None)
    );
}

#[test]
fn outputs_have_their_last_values() {
    let specified = Specified::example("equal_neighbours.impl");
    let subject = specified.subject("main");
    let list = input(
        &subject,
        "cons",
        &[
            &[int(1), cell(2)],
            &[int(3), cell(3)],
            &[int(3), Value::Null],
        ],
        &[cell(1)],
    );
    let returned = run(&subject, &list);
    assert_eq!(returned.outcome, Outcome::Returned);
    assert_eq!(returned.roots(), [("x".to_owned(), cell(2))]);
    assert_eq!(returned.heap.cells[&Loc(2)].fields, [int(3), Value::Null]);
    // A run that ends otherwise leaves the caller with what it had.
    let short = input(&subject, "cons", &[&[int(1), Value::Null]], &[cell(1)]);
    let ended = run(&subject, &short);
    assert!(matches!(
        ended.outcome,
        Outcome::Fault {
            kind: FaultKind::NullDereference,
            position: Position { line: 2, .. },
        }
    ));
    assert_eq!(ended.roots(), [("x".to_owned(), cell(1))]);
}

#[test]
fn faults_are_outcomes() {
    let cases = [
        ("a.next.value := 1;", FaultKind::NullDereference),
        ("free a; a.value := 1;", FaultKind::UseAfterFree),
        ("free a; free a;", FaultKind::InvalidFree),
        ("assert a == nil;", FaultKind::AssertionFailed),
        ("a.value := 1 / a.value;", FaultKind::DivisionByZero),
    ];
    for (statements, kind) in cases {
        let body = format!("proc f(Node a) {{\n{statements}\n}}");
        let run = run_on(&body, &[&[int(0), Value::Null]], &[cell(1)]);
        let Outcome::Fault {
            kind: found,
            position,
        } = run.outcome
        else {
            panic!("{statements}: {:?}", run.outcome);
        };
        assert_eq!((found, position.line), (kind, 3), "{statements}");
        assert_eq!(run.roots(), [("a".to_owned(), cell(1))]);
        assert_eq!(run.postcondition, None);
    }
}

#[test]
fn assumptions_and_budgets_are_outcomes() {
    let run = run_on("proc f(int x) {\nassume x > 3;\n}", &[], &[int(3)]);
    assert!(matches!(
        run.outcome,
        Outcome::AssumptionFailed {
            position: Position { line: 3, .. }
        }
    ));
    let run = run_on("proc f() {\nwhile (true) { skip }\n}", &[], &[]);
    assert!(matches!(
        run.outcome,
        Outcome::OutOfBudget {
            budget: Budget::Steps,
            ..
        }
    ));
    let run = run_on("proc f() {\nf();\n}", &[], &[]);
    assert!(matches!(
        run.outcome,
        Outcome::OutOfBudget {
            budget: Budget::Depth,
            ..
        }
    ));
}

#[test]
fn exceptions_are_outcomes() {
    let text = "
class Throwable
class Arithmetic extends Throwable
fault DivisionByZero throws Arithmetic
function f(x: int) -> int {
b0:
  x := div.int 1, x @12
  return x
}";
    let program = heapwright_ir::parse(text).unwrap();
    let function = program.function_named("f").unwrap();
    let subject = Subject::new(&program, function, None).unwrap();
    let input = Input {
        arguments: vec![int(0)],
        ..Input::default()
    };
    let run = run(&subject, &input);
    let Outcome::Threw {
        class,
        fault,
        position,
    } = run.outcome
    else {
        panic!("{:?}", run.outcome);
    };
    assert_eq!(program.definitions.class(class).name, "Arithmetic");
    assert_eq!(
        (fault, position.line),
        (Some(FaultKind::DivisionByZero), 12)
    );
    let exception = ("exception".to_owned(), cell(1));
    assert_eq!(run.roots(), [exception, ("x".to_owned(), int(0))]);
}

/// The parameter lost the second node; the third was not in reach before, so nobody lost it.
#[test]
fn leaks_are_objects_that_were_lost_on_the_way() {
    let cells: &[&[Value]] = &[
        &[int(1), cell(2)],
        &[int(2), Value::Null],
        &[int(3), Value::Null],
        &[int(4), Value::Null],
    ];
    let body = "proc f(Node a, Node b) {
    Node unused := new Node(5, nil);
    a.next := new Node(6, nil);
    free b;
}";
    let run = run_on(body, cells, &[cell(1), cell(4)]);
    assert_eq!(run.outcome, Outcome::Returned);
    assert_eq!(run.freed, [Loc(4)]);
    // The cell 5 is `unused`, the cell 6 hangs behind `a`.
    assert_eq!(run.leaks, [Loc(2), Loc(5)]);
    assert!(run.heap.cells.contains_key(&Loc(2)) && !run.heap.cells.contains_key(&Loc(4)));
    // Without `free`, memory is not managed by the program.
    let run = run_on("proc f(Node a) { a.next := nil; }", cells, &[cell(1)]);
    assert_eq!(run.leaks, []);
}

#[test]
fn what_is_returned_does_not_leak() {
    let body = "proc f(Node a) returns Node {
    Node rest := a.next;
    a.next := nil;
    if (a.value == 0) then free a;
    return rest;
}";
    let cells: &[&[Value]] = &[&[int(1), cell(2)], &[int(2), Value::Null]];
    let run = run_on(body, cells, &[cell(1)]);
    assert_eq!((run.outcome, run.leaks), (Outcome::Returned, vec![]));
}

#[test]
fn runs_that_do_not_return_do_not_leak() {
    let body = "proc f(Node a) {\na.next := nil; free a; assert false;\n}";
    let cells: &[&[Value]] = &[&[int(1), cell(2)], &[int(2), Value::Null]];
    let run = run_on(body, cells, &[cell(1)]);
    assert_eq!(run.outcome, fault(FaultKind::AssertionFailed, 3, 24));
    assert_eq!((run.freed, run.leaks), (vec![Loc(1)], vec![]));
}

#[test]
fn trail_and_lines_are_in_the_order_of_execution() {
    let body = "proc f(int n) returns int {
    int sum := 0;
    while (n > 0) {
        sum := sum + n; n := n - 1;
    }
    return sum;
}";
    let run = run_on(body, &[], &[int(2)]);
    assert_eq!(run.result, Some(int(3)));
    let lines: Vec<u32> = run.lines.iter().map(|position| position.line).collect();
    assert_eq!(lines, [3, 4, 5, 4, 5, 4, 7]);
    let [first, second, last] = run.trail[..] else {
        panic!("{:?}", run.trail);
    };
    assert_eq!(first, second);
    assert_eq!((last.function, last.block), (first.function, first.block));
    assert_ne!(first.successor, last.successor);
    assert!(
        run.trail
            .iter()
            .all(|edge| matches!(edge.successor, Successor::Jump(_)))
    );
}

#[test]
fn records_of_long_runs_are_bounded() {
    let body = "proc f(int n) {\nwhile (n > 0) {\nn := n - 1 }\n}";
    let specified = Specified::new(&format!("{NODE}{body}"), "");
    let subject = specified.subject("f");
    let budgets = Budgets {
        steps: 100_000_000,
        ..Budgets::default()
    };
    let input = input(&subject, "Node", &[], &[int(1_200_000)]);
    let run = replay(&subject, &input, budgets).unwrap();
    assert_eq!(run.outcome, Outcome::Returned);
    assert_eq!(run.trail.len(), heapwright_engine::RECORDED);
    assert!(run.lines.len() <= heapwright_engine::RECORDED);
}

#[test]
fn inputs_that_do_not_fit_are_errors() {
    let specified = Specified::new(&format!("{NODE}proc f(Node a) {{ skip }}"), "");
    let subject = specified.subject("f");
    let bad = input(&subject, "Node", &[&[Value::Null, Value::Null]], &[cell(1)]);
    let found = replay(&subject, &bad, Budgets::default());
    assert_eq!(found, Err(MachineError::BadCell(Loc(1))));
    let none = input(&subject, "Node", &[], &[]);
    assert!(matches!(
        replay(&subject, &none, Budgets::default()),
        Err(MachineError::ArgumentCount { .. })
    ));
}

/// The value that takes the place of the removed one must lie between the subtrees.
#[test]
fn inputs_of_the_specification_find_mutants() {
    let text = |ending: &str| {
        let path = repository()
            .join("examples/impl/tree_remove")
            .with_extension(ending);
        std::fs::read_to_string(path).unwrap()
    };
    let violations = |program: &str| {
        let specified = Specified::new(program, &text("sl"));
        let subject = specified.subject("remove_from");
        let inputs = from_specification(&subject, 3, usize::MAX);
        let verdicts = inputs.map(|(_, input)| run(&subject, &input).postcondition);
        verdicts
            .filter(|verdict| *verdict != Some(Verification::Holds))
            .count()
    };
    let original = text("impl");
    assert_eq!(violations(&original), 0);
    let mutant = original.replace("find_min(t.right).element", "t.left.element");
    assert_ne!(mutant, original);
    assert!(violations(&mutant) > 0);
}

#[test]
fn postconditions_are_checked() {
    let specification = "import singly_linked_list;
pre  f(first) := list(first);
post f(first) := list_of_length(first, n) & result = n;";
    let correct = "struct ListNode { int value; ListNode next; }
proc f(ListNode first) returns int {
    int n := 0;
    while (first /= nil) { n := n + 1; first := first.next; }
    return n;
}";
    let mutated = correct.replace("int n := 0", "int n := 1");
    let cells: &[&[Value]] = &[&[int(4), cell(2)], &[int(4), Value::Null]];
    let verdict = |program: &str| {
        let specified = Specified::new(program, specification);
        let subject = specified.subject("f");
        run(&subject, &input(&subject, "ListNode", cells, &[cell(1)])).postcondition
    };
    assert_eq!(verdict(correct), Some(Verification::Holds));
    assert!(matches!(verdict(&mutated), Some(Verification::Violated(_))));
}
