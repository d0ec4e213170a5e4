//! Sequences of calls: how many states there are, against formulas and against brute force.

mod specified;

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_engine::sequences::{
    Argument, Call, DataType, Exploration, Goal, Operation, Record, Sequence, SequenceBounds,
    construct, explore, play, report,
};
use heapwright_engine::{
    Conditions, Keep, Limit, NothingMore, Outcome, Status, StopReason, Subject, keep,
};
use heapwright_ir::machine::Budgets;
use heapwright_ir::machine::concrete::Value;
use heapwright_ir::{FaultKind, Program, parse, verify};
use heapwright_logic::{CanonicalKey, Cell, Heap, Loc, Value as LogicValue, canonical_key};
use specified::*;

const STACK: &str = "
struct Node { int value; Node next; }
struct Stack { Node top; int changes; }
proc init(Stack s) { s.top := nil; }
proc push(Stack s, int x) { s.top := new Node(x, s.top); s.changes := s.changes + 1; }
proc pop(Stack s) returns int {
    Node n := s.top;
    int x := n.value;
    s.top := n.next;
    s.changes := s.changes + 1;
    free n;
    return x;
}
";

const TREE: &str = "
struct Node { int value; Node left; Node right; }
struct Tree { Node root; }
proc init(Tree t) { t.root := nil; }
proc insert(Tree t, int x) {
    if (t.root == nil) { t.root := new Node(x, nil, nil); }
    else {
        Node n := t.root;
        bool done := false;
        while (!done) {
            if (x == n.value) { done := true; }
            else {
                if (x < n.value) {
                    if (n.left == nil) { n.left := new Node(x, nil, nil); done := true; }
                    else { n := n.left; }
                } else {
                    if (n.right == nil) { n.right := new Node(x, nil, nil); done := true; }
                    else { n := n.right; }
                }
            }
        }
    }
}
";

/// A data type in ImpL: `init` makes objects of a class, and each operation has one list of numbers
/// for every parameter behind the receiver.
struct Example {
    program: Arc<Program>,
    data_type: DataType,
}

impl Example {
    fn new(text: &str, class: &str, operations: &[(&str, &[i128])]) -> Example {
        let program = Specified::new(text, "").read.program;
        Example::of(program, class, operations)
    }

    fn of(program: Program, class: &str, operations: &[(&str, &[i128])]) -> Example {
        let operation = |name: &str, numbers: &[i128]| {
            let function = program.function_named(name).expect("a function");
            let parameters = program.function(function).params as usize - 1;
            let values = numbers.iter().map(|&n| Argument::Value(Value::Int(n)));
            let values: Vec<Argument> = values.collect();
            Operation {
                function,
                domains: vec![values; parameters],
                probes: Vec::new(),
                builds: true,
                tested: true,
                gives: false,
            }
        };
        let data_type = DataType {
            class: program.definitions.class_named(class).expect("a class"),
            initialisers: Vec::new(),
            own: BTreeSet::new(),
            constructors: vec![operation("init", &[])],
            operations: (operations.iter())
                .map(|(name, numbers)| operation(name, numbers))
                .collect(),
            ignored: BTreeSet::new(),
            invariant: program.function_named("valid"),
        };
        Example {
            program: Arc::new(program),
            data_type,
        }
    }

    fn ignoring(mut self, field: &str) -> Example {
        self.data_type.ignored.insert(field.to_owned());
        self
    }

    fn explore(&self, length: Option<u32>) -> Exploration {
        self.explore_within(SequenceBounds {
            length,
            time: None,
            ..SequenceBounds::default()
        })
    }

    fn explore_within(&self, bounds: SequenceBounds) -> Exploration {
        let program = Arc::clone(&self.program);
        explore(
            program,
            &mut NothingMore,
            &self.data_type,
            &bounds,
            &mut |_| {},
        )
    }

    fn subject(&self, operation: usize) -> Subject {
        let function = self.data_type.operations[operation].function;
        Subject::new(&self.program, function, None).expect("a subject")
    }

    /// The states that sequences of up to so many calls lead to, by playing every one of them and
    /// comparing what the receiver reaches.
    fn brute_force(&self, length: usize) -> usize {
        let start = Call {
            operation: 0,
            arguments: Vec::new(),
        };
        let mut calls = Vec::new();
        for (operation, known) in self.data_type.operations.iter().enumerate() {
            let values = known.domains.first();
            let values = values.map_or(vec![Vec::new()], |domain| {
                domain.iter().map(|one| vec![one.clone()]).collect()
            });
            calls.extend((values.into_iter()).map(|arguments| Call {
                operation,
                arguments,
            }));
        }
        let mut keys: BTreeSet<CanonicalKey> = BTreeSet::new();
        let mut sequences: Vec<Vec<Call>> = vec![Vec::new()];
        for _ in 0..=length {
            let mut longer = Vec::new();
            for sequence in sequences {
                for call in &calls {
                    let mut with = sequence.clone();
                    with.push(call.clone());
                    longer.push(with);
                }
            }
            // The last call is one too many: the heap before it is looked at.
            for calls in &longer {
                let Some(last) = calls.last() else { continue };
                let sequence = Sequence {
                    start: start.clone(),
                    calls: calls.clone(),
                };
                let played = play(
                    &self.subject(last.operation),
                    &self.data_type,
                    &sequence,
                    &[],
                    Budgets::default(),
                    Conditions::default(),
                    0,
                );
                if let Some(played) = played.expect("a run") {
                    let receiver = &played.input.arguments[..1];
                    keys.insert(canonical_key(receiver, &played.input.heap));
                }
            }
            sequences = longer;
        }
        keys.len()
    }
}

#[test]
fn stacks_of_two_values() {
    let example = Example::new(STACK, "Stack", &[("push", &[0, 1]), ("pop", &[])]);
    let example = example.ignoring("changes");
    for length in 0..5 {
        let found = example.explore(Some(length));
        let states = (1 << (length + 1)) - 1;
        assert_eq!(found.states, states, "length {length}");
        // Three calls in every state, and the constructor.
        assert_eq!(found.transitions, 3 * states + 1);
        assert_eq!(found.depth, length);
        assert!(found.is_cut, "larger stacks are left out");
        // Every state but the empty stack goes back to another one.
        let popped = states - 1;
        assert_eq!(found.matched, popped);
    }
}

#[test]
fn fields_that_are_ignored_do_not_tell_states_apart() {
    let text = "
struct Counter { int value; int changes; }
proc init(Counter c) { c.value := 0; }
proc add(Counter c, int x) { c.value := (c.value + x) % 7; c.changes := c.changes + 1; }
";
    let example = Example::new(text, "Counter", &[("add", &[1, 2])]);
    let found = example.explore(Some(4));
    let told_apart = found.states;
    let found = example.ignoring("changes").explore(None);
    assert_eq!((found.states, found.transitions, found.matched), (7, 15, 8));
    assert_eq!(found.stop, StopReason::Exhausted);
    assert!(!found.is_cut);
    // Six steps of at most two need three calls.
    assert_eq!(found.depth, 3);
    assert!(told_apart > 7);
}

#[test]
fn search_trees_are_counted_by_their_keys_and_shapes() {
    // The sum over all subsets of the keys of the number of binary trees of that size.
    let expected = [1, 2, 5, 15, 51, 188];
    for (keys, &expected) in expected.iter().enumerate() {
        let numbers: Vec<i128> = (0..keys as i128).collect();
        let example = Example::new(TREE, "Tree", &[("insert", &numbers)]);
        let found = example.explore(None);
        assert_eq!(found.states, expected, "{keys} keys");
        assert_eq!(found.depth as usize, keys);
        assert_eq!(found.transitions, expected * keys as u64 + 1);
        assert_eq!(found.matched, found.transitions - found.states);
        assert!(!found.is_cut);
    }
}

#[test]
fn every_sequence_leads_to_a_known_state() {
    let stack = Example::new(STACK, "Stack", &[("push", &[0, 1]), ("pop", &[])]);
    let tree = Example::new(TREE, "Tree", &[("insert", &[3, 1, 2])]);
    for (example, name) in [(stack, "stack"), (tree, "tree")] {
        for length in 0..4 {
            let found = example.explore(Some(length)).states as usize;
            assert_eq!(
                found,
                example.brute_force(length as usize),
                "{name}, {length}"
            );
        }
    }
}

#[test]
fn a_call_that_fails_is_a_test_but_no_beginning() {
    let example = Example::new(STACK, "Stack", &[("push", &[0]), ("pop", &[])]);
    let example = example.ignoring("changes");
    let found = example.explore(Some(2));
    assert_eq!(found.states, 3);
    let pop = 1;
    let bounds = SequenceBounds::default();
    let subject = example.subject(pop);
    let (report, sequences) = report(&subject, &example.data_type, &found, pop, &[], &bounds);
    let is_fault = |outcome: Outcome| {
        matches!(outcome, Outcome::Fault { kind, .. }
        if kind == FaultKind::NullDereference)
    };
    let outcomes: Vec<bool> = (report.tests.iter())
        .map(|test| is_fault(test.run.outcome))
        .collect();
    // On the empty stack, and on one with an element.
    assert_eq!(outcomes, [true, false]);
    let lengths: Vec<usize> = sequences
        .iter()
        .map(|one| one.sequence.calls.len())
        .collect();
    assert_eq!(lengths, [1, 2]);
}

#[test]
fn tests_cover_what_the_search_covers() {
    let example = Example::new(TREE, "Tree", &[("insert", &[0, 1, 2])]);
    let found = example.explore(None);
    let bounds = SequenceBounds::default();
    let subject = example.subject(0);
    let (report, _) = report(&subject, &example.data_type, &found, 0, &[], &bounds);
    let covered = |status: &Status| matches!(status, Status::Covered { .. });
    assert!(report.branches.iter().all(|branch| covered(&branch.status)));
    assert_eq!(report.stop, StopReason::Covered);
    for branch in &report.branches {
        assert!(found.edges.contains(&branch.edge));
    }
    let kept = keep(&report, Keep::Coverage);
    assert!(kept.len() < report.tests.len());
    // The result of a test is that of its last call, on the heap that the others have built.
    for test in &report.tests {
        assert_eq!(test.run.outcome, Outcome::Returned);
        assert!(test.run.heap.cells.len() >= test.input.heap.cells.len());
        assert!(matches!(
            test.input.arguments[..],
            [LogicValue::Ref(_), LogicValue::Int(_)]
        ));
    }
}

#[test]
fn everything_is_kept_if_that_is_wanted() {
    let example = Example::new(TREE, "Tree", &[("insert", &[0, 1])]);
    let kept = |record| {
        let bounds = SequenceBounds {
            record,
            ..SequenceBounds::default()
        };
        example.explore_within(bounds).tests[0].len()
    };
    assert_eq!(kept(Record::Nothing), 0);
    assert_eq!(kept(Record::Everything), 5 * 2);
    let paths = kept(Record::Paths);
    assert!(0 < paths && paths < 10, "{paths}");
}

#[test]
fn limits_end_the_search_and_say_so() {
    let example = Example::new(STACK, "Stack", &[("push", &[0, 1])]);
    let bounds = SequenceBounds {
        states: 10,
        ..SequenceBounds::default()
    };
    let found = example.explore_within(bounds);
    assert_eq!(found.stop, StopReason::Limit(Limit::States));
    assert_eq!(found.states, 10);
    assert!(found.is_cut);
    let bounds = SequenceBounds {
        memory: 10_000,
        ..SequenceBounds::default()
    };
    let found = example.explore_within(bounds);
    assert_eq!(found.stop, StopReason::Limit(Limit::Memory));
    // Tests are played within the same bounds.
    let example = Example::new(TREE, "Tree", &[("insert", &[0, 1, 2])]);
    let found = example.explore(Some(3));
    let subject = example.subject(0);
    let bounds = SequenceBounds {
        memory: 1,
        ..SequenceBounds::default()
    };
    let (report, _) = report(&subject, &example.data_type, &found, 0, &[], &bounds);
    assert_eq!(report.tests.len(), 1);
    assert!(matches!(report.open, Some((Limit::Memory, _))));
}

/// A counter beside a global that is filled at its first use, and a global that counts.
const GLOBALS: &str = "
abstract class Table {
  filled: bool
  modulus: int
}
abstract class Statistics {
  calls: int
}
class Box {
  value: int
}
global table: Table
global statistics: Statistics
function fill() {
  var filled: bool
b0:
  filled := @table->Table::filled
  if filled goto b1 else b2
b1:
  return
b2:
  @table->Table::filled := true
  @table->Table::modulus := 3
  return
}
function init(this: Box) {
b0:
  this->Box::value := 0
  return
}
function next(this: Box) {
  var value: int
  var modulus: int
b0:
  call fill()
  modulus := @table->Table::modulus
  value := this->Box::value
  value := add.int value, 1
  value := rem.int value, modulus
  this->Box::value := value
  return
}
function count(this: Box) {
  var calls: int
b0:
  calls := @statistics->Statistics::calls
  calls := add.int calls, 1
  calls := rem.int calls, 2
  @statistics->Statistics::calls := calls
  return
}
";

fn globals(operations: &[(&str, &[i128])]) -> Example {
    let program = parse(&format!("file \"test\"\n{GLOBALS}")).expect("a program");
    assert_eq!(verify(&program), Ok(()));
    Example::of(program, "Box", operations)
}

#[test]
fn what_is_filled_at_its_first_use_is_no_change_of_state() {
    let found = globals(&[("next", &[])]).explore(None);
    assert_eq!(found.states, 3);
    assert_eq!(found.stop, StopReason::Exhausted);
}

#[test]
fn globals_of_the_data_type_belong_to_the_state() {
    let mut example = globals(&[("next", &[]), ("count", &[])]);
    let statistics = example.program.global_named("statistics");
    example.data_type.own.extend(statistics);
    let found = example.explore(None);
    assert_eq!(found.states, 6);
}

/// The heap of a stack with these elements, the top first.
fn stack_of(example: &Example, elements: &[i128]) -> Goal {
    let node = example.program.definitions.class_named("Node");
    let mut heap = Heap::default();
    let mut next = LogicValue::Null;
    for (number, &element) in (2..).zip(elements.iter().rev()) {
        let cell = Cell {
            class: node.expect("a class"),
            fields: vec![LogicValue::Int(element), next],
        };
        heap.cells.insert(Loc(number), cell);
        next = LogicValue::Ref(Loc(number));
    }
    let cell = Cell {
        class: example.data_type.class,
        fields: vec![next, LogicValue::Int(0)],
    };
    heap.cells.insert(Loc(1), cell);
    Goal {
        heap,
        receiver: Loc(1),
        values: BTreeSet::new(),
        hidden: BTreeSet::new(),
    }
}

fn built(example: &Example, goal: &Goal) -> Option<Sequence> {
    let bounds = SequenceBounds {
        states: 5_000,
        time: None,
        ..SequenceBounds::default()
    };
    let program = Arc::clone(&example.program);
    construct(program, &mut NothingMore, &example.data_type, goal, &bounds).0
}

#[test]
fn a_heap_is_built_by_calls() {
    let operations: [(&str, &[i128]); 2] = [("push", &[0, 1, 2]), ("pop", &[])];
    let example = Example::new(STACK, "Stack", &operations).ignoring("changes");
    for elements in [&[][..], &[1], &[2, 0, 1], &[0, 0, 1, 1, 2, 2]] {
        let goal = stack_of(&example, elements);
        let sequence = built(&example, &goal);
        let sequence = sequence.unwrap_or_else(|| panic!("no sequence for {elements:?}"));
        let pushed = sequence.calls.iter().map(|call| call.arguments[0].clone());
        let expected = elements
            .iter()
            .rev()
            .map(|&n| Argument::Value(Value::Int(n)));
        assert!(pushed.eq(expected), "{sequence:?}");
    }
    // Nothing makes a stack of other numbers, or a ring.
    assert_eq!(built(&example, &stack_of(&example, &[7])), None);
    let mut ring = stack_of(&example, &[1]);
    let top = ring.heap.cells.get_mut(&Loc(2)).expect("a cell");
    top.fields[1] = LogicValue::Ref(Loc(2));
    assert_eq!(built(&example, &ring), None);
}

#[test]
fn trees_are_built_in_the_order_of_their_shape() {
    let example = Example::new(TREE, "Tree", &[("insert", &[1, 2, 3, 4, 5])]);
    // Whatever sequences of insertions make, other sequences are found for.
    let found = example.explore_within(SequenceBounds {
        record: Record::Everything,
        ..SequenceBounds::default()
    });
    for sequence in found.tests[0].iter().step_by(97) {
        let subject = example.subject(0);
        let (budgets, conditions) = (Budgets::default(), Conditions::default());
        let played = play(
            &subject,
            &example.data_type,
            sequence,
            &[],
            budgets,
            conditions.clone(),
            0,
        );
        let input = played.expect("a run").expect("a test").input;
        let LogicValue::Ref(receiver) = input.arguments[0] else {
            panic!("an object");
        };
        let goal = Goal {
            heap: input.heap.clone(),
            receiver,
            values: BTreeSet::new(),
            hidden: BTreeSet::new(),
        };
        let mut again = built(&example, &goal).expect("a sequence");
        again.calls.extend(sequence.calls.last().cloned());
        let played = play(
            &subject,
            &example.data_type,
            &again,
            &[],
            budgets,
            conditions.clone(),
            0,
        );
        let rebuilt = played.expect("a run").expect("a test").input;
        assert_eq!(input.key(), rebuilt.key());
    }
}
