//! Programs with globals: symbolic and concrete runs agree about them, and what the front end
//! made up does not count.

use std::collections::BTreeMap;

use heapwright_engine::coverage::Coverage;
use heapwright_engine::nullness::infeasible_edges;
use heapwright_engine::{
    Bound, Bounds, Limit, Mode, Options, Outcome, Report, Status, StrategyKind, Subject, explore,
};
use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{BlockId, FaultKind, FunctionId, Program, parse, verify};
use heapwright_logic::Value;

const MODES: [Mode; 3] = [Mode::Concolic, Mode::Symbolic, Mode::Lazy { filter: false }];

fn program(text: &str) -> Program {
    let text = format!("file \"test\"\n{text}");
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(verify(&program), Ok(()));
    program
}

fn main_of(program: &Program) -> FunctionId {
    program.function_named("main").expect("a function")
}

fn search(program: &Program, mode: Mode, bounds: Bounds) -> Report {
    let subject = Subject::new(program, main_of(program), None).expect("a subject");
    let options = Options {
        mode,
        stop_when_covered: false,
        bounds,
        ..Options::default()
    };
    let report = explore(&subject, &options, &mut |_| {}).expect("a report");
    assert_eq!(report.statistics.divergences, 0, "{mode:?}");
    report
}

/// What is known about the ways out of the conditional jumps, by line and way.
fn branches(report: &Report) -> BTreeMap<(u32, Successor), Status> {
    let branches = report.branches.iter();
    branches
        .map(|branch| {
            let place = (branch.position.line, branch.edge.successor);
            (place, branch.status.clone())
        })
        .collect()
}

const YES: Successor = Successor::Jump(0);
const NO: Successor = Successor::Jump(1);

const COUNTER: &str = "
abstract class Counter {
  calls: int
}
global counter: Counter
function count() -> int {
  var c: int
b0:
  c := @counter->Counter::calls
  c := add.int c, 1
  @counter->Counter::calls := c
  return c
}
function main(n: int) -> int {
  var c: int
  var b: bool
b0:
  c := call count()
  b := ge c, n
  if b goto b1 else b0 @10
b1:
  b := eq c, 3
  if b goto b2 else b3 @20
b2:
  b := eq n, 3
  if b goto b3 else b4 @30
b3:
  return c
b4:
  return 0
}";

/// Every run counts from the beginning, and the count decides which branches can be taken.
#[test]
fn a_counter_decides_branches() {
    let program = program(COUNTER);
    for mode in MODES {
        let bounds = Bounds {
            loops: Bound::fixed(5),
            ..Bounds::default()
        };
        let report = search(&program, mode, bounds);
        let found = branches(&report);
        for taken in [(10, YES), (10, NO), (20, YES), (20, NO), (30, YES)] {
            let covered = matches!(found[&taken], Status::Covered { .. });
            assert!(covered, "{mode:?}: {taken:?}");
        }
        // After three calls that were needed, `n` is 3.
        let never = matches!(found[&(30, NO)], Status::Covered { .. });
        assert!(!never, "{mode:?}");
        let results = report.tests.iter().map(|test| {
            let Value::Int(n) = test.input.arguments[0] else {
                panic!("an integer");
            };
            let result = Some(Value::Int(n.max(1)));
            assert_eq!(test.run.result, result, "{mode:?}: {n}");
            n.max(1)
        });
        let mut results: Vec<i128> = results.collect();
        results.sort_unstable();
        results.dedup();
        assert!(results.len() >= 5, "{mode:?}: {results:?}");
        assert!(
            results.starts_with(&[1, 2, 3, 4, 5]),
            "{mode:?}: {results:?}"
        );
    }
}

/// A global is no object of the input, and keeps what is stored into it. That the input could have
/// been led to it by an earlier call leaves the branches open.
#[test]
fn references_of_the_input_are_no_globals() {
    let program = program(
        "
class Node {
  value: int
  next: Node
}
class Nodes array of Node
global sentinel: Node
global table: Nodes length 2
function main(x: Node) -> int {
  var y: Node
  var b: bool
  var n: int
b0:
  b := eq x, @sentinel
  if b goto b4 else b1 @10
b1:
  @table[1] := x
  y := @table[1]
  b := eq y, null
  if b goto b4 else b2 @20
b2:
  @sentinel->Node::value := 7
  n := y->Node::value
  b := eq n, 7
  if b goto b3 else b4 @30
b3:
  @sentinel->Node::next := y
  y := @sentinel->Node::next
  n := y->Node::value
  b := eq n, 7
  if b goto b5 else b4 @40
b4:
  return 0
b5:
  return 1
}",
    );
    for mode in MODES {
        let report = search(&program, mode, Bounds::default());
        let found = branches(&report);
        for taken in [
            (10, NO),
            (20, YES),
            (20, NO),
            (30, YES),
            (30, NO),
            (40, YES),
        ] {
            let covered = matches!(found[&taken], Status::Covered { .. });
            assert!(covered, "{mode:?}: {taken:?}");
        }
        for never in [(10, YES), (40, NO)] {
            let open = Status::Open(Limit::StaticState);
            assert_eq!(found[&never], open, "{mode:?}: {never:?}");
        }
    }
}

#[test]
fn freeing_a_global_is_a_finding() {
    let program = program(
        "
manual_memory
class Node {
  next: Node
}
global first: Node
function main(x: Node, b: bool, c: bool) {
  var y: Node
b0:
  y := x
  if b goto b1 else b2 @1
b1:
  y := @first
  goto b2
b2:
  y->Node::next := null
  free y @7
  // A run that went on after freeing a global would leave its path here.
  if c goto b3 else b4 @8
b3:
  return
b4:
  return
}",
    );
    for mode in MODES {
        let report = search(&program, mode, Bounds::default());
        let mut invalid = 0;
        for test in &report.tests {
            let global = test.input.arguments[1] == Value::Bool(true);
            let found = match test.run.outcome {
                Outcome::Fault { kind, position } => Some((kind, position.line)),
                _ => None,
            };
            let freed = found == Some((FaultKind::InvalidFree, 7));
            assert_eq!(freed, global, "{mode:?}: {found:?}");
            invalid += u32::from(freed);
            // A global is never lost.
            assert!(
                test.run
                    .leaks
                    .iter()
                    .all(|loc| test.input.heap.cells.contains_key(loc))
            );
        }
        assert!(invalid > 0, "{mode:?}");
    }
}

#[test]
fn globals_are_not_null() {
    let program = program(
        "
class Node {
  next: Node
}
global first: Node
function main(x: Node) -> int {
  var y: Node
  var b: bool
b0:
  y := @first
  b := eq y, null
  if b goto b3 else b1
b1:
  y := @first->Node::next
  b := eq y, null
  if b goto b2 else b3
b2:
  @first->Node::next := x
  b := eq x, null
  if b goto b3 else b3
b3:
  return 0
}",
    );
    let main = main_of(&program);
    let edges = infeasible_edges(&program, main, &[main], None);
    let expected = Edge {
        function: main,
        block: BlockId(0),
        successor: YES,
    };
    assert_eq!(edges.into_iter().collect::<Vec<_>>(), [expected]);
}

const GUARDED: &str = "
abstract class Statics {
  initialised: bool
  limit: int
}
global statics: Statics
synthetic function initialise() {
  var b: bool
b0:
  b := @statics->Statics::initialised
  if b goto b2 else b1 @5
b1:
  @statics->Statics::initialised := true
  @statics->Statics::limit := 10
  goto b2
b2:
  return
}
function main(n: int) -> bool {
  var limit: int
  var b: bool
b0:
  call initialise()
  call initialise()
  limit := @statics->Statics::limit
  b := lt n, limit
  if b goto b1 else b2 @9
b1:
  return true
b2:
  return false
}";

#[test]
fn branches_of_synthetic_functions_do_not_count() {
    let program = program(GUARDED);
    let main = main_of(&program);
    let guard = program.function_named("initialise").expect("a function");
    let mut coverage = Coverage::new(&program, main);
    assert_eq!(coverage.functions(), [main, guard]);
    assert_eq!(coverage.total(), 2);
    assert!(coverage.branches().all(|known| known.edge.function == main));
    // They lead to what counts all the same, but are nothing to look for.
    let inside = Edge {
        function: guard,
        block: BlockId(0),
        successor: YES,
    };
    assert!(coverage.is_covered(inside));
    assert!(!coverage.cover(inside, 0));
    assert!(
        coverage
            .distance_of_edge(inside)
            .is_some_and(|distance| distance > 0)
    );
    for successor in [YES, NO] {
        let edge = Edge {
            function: main,
            successor,
            ..inside
        };
        assert!(!coverage.is_covered(edge));
        assert!(coverage.cover(edge, 0));
    }
    assert!(coverage.all_covered());
    assert_eq!(coverage.distance_of_edge(inside), None);
}

#[test]
fn guards_are_executed_and_not_reported() {
    let program = program(GUARDED);
    for mode in MODES {
        let subject = Subject::new(&program, main_of(&program), None).expect("a subject");
        let options = Options {
            mode,
            strategy: StrategyKind::Coverage,
            ..Options::default()
        };
        let report = explore(&subject, &options, &mut |_| {}).expect("a report");
        assert_eq!(report.statistics.divergences, 0, "{mode:?}");
        let found = branches(&report);
        assert_eq!(found.keys().collect::<Vec<_>>(), [&(9, YES), &(9, NO)]);
        for status in found.values() {
            assert!(matches!(status, Status::Covered { .. }), "{mode:?}");
        }
        for test in &report.tests {
            let below = matches!(test.input.arguments[0], Value::Int(n) if n < 10);
            let result = Some(Value::Bool(below));
            assert_eq!(test.run.result, result, "{mode:?}");
        }
    }
}

/// A run shows what its roots lead to, and which of that belongs to globals; an exception is a
/// root.
#[test]
fn what_only_globals_lead_to_is_not_shown() {
    let program = program(
        "
class Text {
  size_of: int
}
class Failure {
  message: Text
}
global first: Text
global second: Text
function main(n: int) -> Text {
  var f: Failure
  var b: bool
b0:
  @second->Text::size_of := 7
  @first->Text::size_of := 5
  b := eq n, 0
  if b goto b1 else b2 @1
b1:
  return @first
b2:
  f := new Failure
  f->Failure::message := @second
  throw f
}",
    );
    let second = program.global_named("second").expect("a global");
    let first = program.global_named("first").expect("a global");
    let report = search(&program, Mode::Concolic, Bounds::default());
    assert_eq!(report.tests.len(), 2);
    for test in &report.tests {
        let Some(Value::Ref(loc)) = test.run.result.or(test.run.exception) else {
            panic!("{:?}", test.run);
        };
        let cells = &test.run.heap.cells;
        let globals: Vec<_> = test.run.global_objects.iter().collect();
        match test.run.outcome {
            Outcome::Returned => {
                assert_eq!(cells.len(), 1);
                assert_eq!(cells[&loc].fields, [Value::Int(5)]);
                assert_eq!((test.run.exception, globals), (None, vec![(&loc, &first)]));
            }
            _ => {
                let [Value::Ref(message)] = cells[&loc].fields[..] else {
                    panic!("a message");
                };
                assert_eq!(cells.len(), 2);
                assert_eq!(cells[&message].fields, [Value::Int(7)]);
                let expected = vec![(&message, &second)];
                assert_eq!((test.run.result, globals), (None, expected));
            }
        }
    }
}
