//! Mutants: which there are, which tests notice them, and what is added for those that none does.

use heapwright_engine::{
    Change, Mutation, MutationBounds, Options, Origin, Outcome, Report, Subject, Test, explore,
    keep_killing, strengthen,
};
use heapwright_ir::machine::Budgets;
use heapwright_ir::{Arithmetic, BinaryOp, Comparison};
use heapwright_logic::Value;

/// The tests of `main` with what is known about its mutants.
fn strengthened(text: &str) -> (Report, Mutation) {
    let program = heapwright_ir::parse(text).expect("a program");
    let function = program.function_named("main").expect("a function `main`");
    let subject = Subject::new(&program, function, None).expect("a subject");
    let mut report = explore(&subject, &Options::default(), &mut |_| {}).expect("a report");
    let bounds = MutationBounds::new(Budgets {
        steps: 10_000,
        ..Budgets::default()
    });
    let returns = |test: &Test| test.run.outcome == Outcome::Returned;
    let mutation = strengthen(&subject, &mut report, &bounds, &returns);
    (report, mutation)
}

/// The changes that no test notices, with the lines of the text that they are in.
fn survivors(text: &str) -> Vec<(u32, Change)> {
    let (report, mutation) = strengthened(text);
    let program = heapwright_ir::parse(text).expect("a program");
    let kept = keep_killing(&report, &mutation);
    let killed = mutation.killed_by(kept);
    let left = mutation.mutants.iter().enumerate();
    left.filter(|(index, _)| !killed.contains(index))
        .map(|(_, mutant)| (mutant.position(&program).line, mutant.change))
        .collect()
}

const LIST: &str = "
class Node {
  value: int
  next: Node
}
class List {
  first: Node
  last: Node
}
";

#[test]
fn the_edge_of_a_comparison_is_found() {
    // A path needs one input, and none of 11 and -1 tells `<` from `<=`.
    let text = "
function main(n: int) -> int {
  var b: bool
b0:
  b := lt n, 10 @1
  if b goto b1 else b2 @1
b1:
  return 1 @2
b2:
  return 2 @3
}";
    assert_eq!(survivors(text), []);
    let (report, mutation) = strengthened(text);
    let edge = Change::Operator {
        from: BinaryOp::Compare(Comparison::Lt),
        to: BinaryOp::Compare(Comparison::Le),
    };
    let index = mutation
        .mutants
        .iter()
        .position(|mutant| mutant.change == edge);
    let killer = mutation
        .kills
        .iter()
        .find_map(|(test, kills)| kills.contains(&index?).then_some(&report.tests[*test]));
    let killer = killer.expect("a test that kills it");
    assert_eq!(killer.input.arguments, [Value::Int(10)]);
}

#[test]
fn values_tell_one_end_of_a_list_from_the_other() {
    let text = format!(
        "{LIST}
function main(list: List) -> int {{
  var node: Node
  var value: int
b0:
  node := list->List::last @1
  value := node->Node::value @2
  return value @3
}}"
    );
    assert_eq!(survivors(&text), []);
    let (report, _) = strengthened(&text);
    // What is not constrained is no default.
    let mut returned = report
        .tests
        .iter()
        .filter(|test| test.run.outcome == Outcome::Returned);
    assert!(returned.any(|test| !matches!(test.run.result, Some(Value::Int(0)))));
}

#[test]
fn a_store_that_is_left_out_is_noticed() {
    let text = format!(
        "{LIST}
function main(node: Node, n: int) -> int {{
  var b: bool
b0:
  node->Node::value := n @1
  return 0 @2
}}"
    );
    assert_eq!(survivors(&text), []);
}

#[test]
fn what_makes_no_difference_survives() {
    // The sum is stored where nobody looks at it afterwards.
    let text = "
function main(n: int) -> int {
  var unused: int
  var m: int
b0:
  unused := add.int n, 1 @1
  m := mul.int n, 1 @2
  return n @3
}";
    // Nothing depends on either, so neither is changed; the result is.
    assert_eq!(survivors(text), []);
    let text = "
function main(n: int) -> int {
  var b: bool
  var m: int
b0:
  m := n @1
  b := ne n, 7 @2
  if b goto b2 else b1 @2
b1:
  m := 7 @3
  goto b2
b2:
  return m @4
}";
    // Whether 7 is replaced by 7 or not, nobody can see: but what else is, one can.
    let left = survivors(text);
    assert!(left.is_empty(), "{left:?}");
    let text = "
function main(n: int) -> int {
  var b: bool
b0:
  b := lt n, 0 @1
  if b goto b1 else b2 @1
b1:
  n := sub.int 0, n @2
  goto b2
b2:
  return n @3
}";
    // The absolute value of 0 is that of -0, whether 0 counts as negative by `<=` or by `< 1`.
    let left = survivors(text);
    let is_edge = |change: &Change| match change {
        Change::Operator { from, to } => {
            (*from, *to)
                == (
                    BinaryOp::Compare(Comparison::Lt),
                    BinaryOp::Compare(Comparison::Le),
                )
        }
        Change::Constant { operand: 1, .. } => true,
        _ => false,
    };
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(
        left.iter()
            .all(|(line, change)| *line == 1 && is_edge(change))
    );
}

#[test]
fn equal_by_construction_is_left_out() {
    let text = "
function nothing(n: int) {
b0:
  return
}
function main(n: int) -> int {
  var m: int
b0:
  call nothing(n) @1
  m := add.int n, 0 @2
  return m @3
}";
    let (_, mutation) = strengthened(text);
    let is_equal = |change: Change| {
        matches!(
            change,
            Change::LeftOut(_)
                | Change::Operator {
                    from: BinaryOp::Int(_, Arithmetic::Add),
                    ..
                }
        )
    };
    assert!(
        !mutation
            .mutants
            .iter()
            .any(|mutant| is_equal(mutant.change))
    );
    assert!(!mutation.mutants.is_empty());
}

#[test]
fn a_loop_that_does_not_end_is_noticed() {
    let text = "
function main(n: int) -> int {
  var i: int
  var b: bool
b0:
  i := 0 @1
  goto b1
b1:
  b := lt i, n @2
  if b goto b2 else b3 @2
b2:
  i := add.int i, 1 @3
  b := gt i, 3 @4
  if b goto b3 else b1 @4
b3:
  return i @5
}";
    let left = survivors(text);
    assert!(
        !(left.iter()).any(|(_, change)| matches!(
            change,
            Change::Operator {
                from: BinaryOp::Int(..),
                ..
            }
        )),
        "{left:?}"
    );
}

#[test]
fn the_same_report_gives_the_same_tests() {
    let text = format!(
        "{LIST}
function main(node: Node, n: int) -> int {{
  var b: bool
  var v: int
b0:
  v := node->Node::value @1
  b := lt v, n @2
  if b goto b1 else b2 @2
b1:
  return 1 @3
b2:
  return 2 @4
}}"
    );
    let (one, mutation) = strengthened(&text);
    let (other, again) = strengthened(&text);
    assert_eq!(mutation, again);
    assert_eq!(keep_killing(&one, &mutation), keep_killing(&other, &again));
    let inputs =
        |report: &Report| -> Vec<_> { report.tests.iter().map(|test| test.input.key()).collect() };
    assert_eq!(inputs(&one), inputs(&other));
    let added = one
        .tests
        .iter()
        .filter(|test| test.origin == Origin::Mutant);
    assert!(added.count() > 0);
}
