//! A third language shows what a front end needs: the core language, read from its text form, with
//! functions that take an object first as the operations of its class.

mod front_end;

use std::time::Duration;

use front_end::CoreTests;
use heapwright_engine::{Interrupt, Mode, Options, Status};
use heapwright_testgen::agreement::{Extent, compare};
use heapwright_testgen::{Conclusion, Frontend, Request, Session, Suite};

/// A list with a count of its nodes, a predicate, and a function with a branch that no valid list
/// takes.
const LIST: &str = "
class Node {
  next: Node
}
class List {
  head: Node
  count: int
}
function init(l: List) {
b0:
  return
}
function push(l: List) {
  var n: Node
  var h: Node
  var s: int
b0:
  n := new Node
  h := l->List::head
  n->Node::next := h
  l->List::head := n
  s := l->List::count
  s := add.int s, 1
  l->List::count := s
  return
}
function pop(l: List) -> int {
  var h: Node
  var s: int
  var b: bool
b0:
  h := l->List::head
  b := eq h, null
  if b goto b1 else b2 @10
b1:
  s := l->List::count
  b := eq s, 0
  if b goto b3 else b4 @11
b2:
  h := h->Node::next
  l->List::head := h
  s := l->List::count
  s := sub.int s, 1
  l->List::count := s
  return 1
b3:
  return 0
b4:
  return 2
}
function valid(l: List) -> bool {
  var h: Node
  var s: int
  var b: bool
b0:
  s := l->List::count
  h := l->List::head
  goto b1
b1:
  b := eq h, null
  if b goto b2 else b3 @20
b2:
  b := eq s, 0
  return b
b3:
  b := gt s, 0
  if b goto b4 else b5 @21
b4:
  s := sub.int s, 1
  h := h->Node::next
  goto b1
b5:
  return false
}
";

const SPECIFICATION: &str = "
import singly_linked_list;
pred nodes(x, n) :=
    emp & x = null & n = 0
  | exists m, next. x -> Node(next) * nodes(next, m) & n = m + 1;
pre pop(l) := exists h, n. l -> List(h, n) * nodes(h, n);
";

fn tested(front_end: CoreTests, mode: Mode, target: &str) -> Session<CoreTests> {
    let request = Request {
        options: Options {
            mode,
            ..Options::default()
        },
        ..Request::new([target])
    };
    let mut session = Session::new(front_end, request).expect("a target");
    while session.advance(&mut |_| ()).expect("a search") {}
    assert_eq!(session.all_complaints(), Vec::<String>::new());
    session
}

fn only(session: &Session<CoreTests>) -> &Suite {
    let mut suites = session.suites();
    let suite = suites.next().expect("a suite");
    assert!(suites.next().is_none());
    suite
}

#[test]
fn tests_are_generated_from_a_specification_and_written_out() {
    let front_end = CoreTests::new(LIST, Some(SPECIFICATION));
    let mut session = tested(front_end, Mode::Concolic, "pop");
    let branches = &only(&session).report.branches;
    let infeasible = |status: &Status| matches!(status, Status::Infeasible(_));
    let covered = |status: &Status| matches!(status, Status::Covered { .. });
    assert_eq!(branches.len(), 4);
    let count = |kind: &dyn Fn(&Status) -> bool| {
        let statuses = branches.iter().map(|branch| &branch.status);
        statuses.filter(|status| kind(status)).count()
    };
    assert_eq!((count(&covered), count(&infeasible)), (3, 1));
    assert_eq!(session.conclusion(), Conclusion::Fine);
    let (tested, request) = (&session.tested, &session.request);
    let emitted = session.frontend.emit(tested, request).expect("texts");
    assert_eq!(emitted.files.len(), 1);
    let text = &emitted.files[0].text;
    assert!(text.contains("l = List(null, 0)"), "{text}");
    let results = session.results(Vec::new());
    assert_eq!(results.procedures.len(), 1);
}

#[test]
fn a_predicate_is_the_specification() {
    let front_end = CoreTests::new(LIST, None).with_predicate("valid");
    let session = tested(front_end, Mode::Whitebox, "pop");
    let tests = &only(&session).tests;
    assert_eq!(tests.len(), 2);
}

#[test]
fn sequences_of_calls_are_tests() {
    let front_end = CoreTests::new(LIST, None).with_predicate("valid");
    let session = tested(front_end, Mode::Sequences, "pop");
    let suite = only(&session);
    let covered = suite.covered();
    assert_eq!(covered, 3);
    assert!(!suite.has_findings());
}

#[test]
fn a_specification_and_a_predicate_are_compared() {
    let agreement = |specification: &str| {
        let mut front_end = CoreTests::new(LIST, Some(specification)).with_predicate("valid");
        let target = front_end.compared_target("pop").expect("a target");
        let extent = Extent {
            scope: 4,
            first_scope: 4,
            depth: 3,
            limit: Duration::from_secs(60),
            interrupt: Interrupt::default(),
        };
        compare(&mut front_end, &target, &extent, &mut || ()).expect("a comparison")
    };
    let same = agreement(SPECIFICATION);
    assert!(same.directions().iter().all(|side| side.heaps > 1));
    assert!((same.directions().iter()).all(|side| side.counterexample.is_none()));
    // A precondition that forgets the count.
    let wide = SPECIFICATION.replace("l -> List(h, n)", "l -> List(h, _)");
    let models = agreement(&wide).models;
    let smallest = models.counterexample.expect("a difference");
    assert_eq!(smallest.input.heap.cells.len(), 1);
}

#[test]
fn a_specification_is_proposed_from_the_fields() {
    let mut front_end = CoreTests::new(LIST, None);
    let text = front_end.propose("List", "List.sl").expect("a proposal");
    let checked = CoreTests::new(LIST, Some(&text));
    let session = tested(checked, Mode::Concolic, "pop");
    assert!(only(&session).subject.precondition.is_some());
}
