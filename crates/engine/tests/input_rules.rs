//! What a language says about the objects of inputs: classes with one object, objects that have to
//! be valid, fields that lead back to their object.

use heapwright_engine::{
    Input, Mode, Options, Outcome, Report, Status, Subject, Verification, explore, oracle,
};
use heapwright_ir::{
    Candidates, Constant, Content, FieldRule, FunctionId, InputRules, Program, parse, verify,
};
use heapwright_logic::{ClassId, IntType, Value};

const MODES: [Mode; 3] = [Mode::Concolic, Mode::Symbolic, Mode::Lazy { filter: false }];

fn program(text: &str) -> Program {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(verify(&program), Ok(()));
    program
}

fn class(program: &Program, name: &str) -> ClassId {
    program.definitions.class_named(name).expect("a class")
}

fn function(program: &Program, name: &str) -> FunctionId {
    program.function_named(name).expect("a function")
}

fn search(program: &Program, rules: InputRules, mode: Mode) -> (Subject, Report) {
    let subject = Subject::new(program, function(program, "main"), None).expect("a subject");
    let subject = subject.with_rules(rules);
    let options = Options {
        mode,
        stop_when_covered: false,
        ..Options::default()
    };
    let report = explore(&subject, &options, &mut |_| {}).expect("a report");
    assert_eq!(report.statistics.divergences, 0, "{mode:?}");
    (subject, report)
}

fn covered(report: &Report) -> usize {
    let branches = report.branches.iter();
    branches
        .filter(|branch| matches!(branch.status, Status::Covered { .. }))
        .count()
}

/// Two colours, which the program numbers before it looks at its input.
const COLOURS: &str = "
class Colour {
  number: int
}
class Red extends Colour {
  number: int
}
class Green extends Colour {
  number: int
}
class Card {
  colour: Colour
}
global red: Red
global green: Green
function main(a: Card, b: Card) -> int {
  var x: Colour
  var y: Colour
  var n: int
  var c: bool
b0:
  @red->Colour::number := 1
  @green->Colour::number := 2
  x := a->Card::colour
  y := b->Card::colour
  c := eq x, y
  if c goto b1 else b3
b1:
  c := eq x, @green
  if c goto b2 else b3
b2:
  return 5
b3:
  c := eq y, null
  if c goto b4 else b5
b4:
  return 0
b5:
  n := y->Colour::number
  c := eq n, 1
  if c goto b6 else b7
b6:
  return 1
b7:
  return n
}";

fn colours(program: &Program) -> InputRules {
    let mut rules = InputRules::default();
    let mut classes = Vec::new();
    for (name, global) in [("Red", "red"), ("Green", "green")] {
        let class = class(program, name);
        let global = program.global_named(global).expect("a global");
        rules.singletons.insert(class, global);
        let number = FieldRule {
            field: 0,
            content: Content::Constant(Constant::Int(IntType::I32, 0)),
        };
        rules.fields.insert(class, vec![number]);
        classes.push(class);
    }
    let complete = true;
    let candidates = Candidates { classes, complete };
    rules
        .candidates
        .insert(class(program, "Colour"), candidates);
    rules
}

/// References are null or one of two objects; no input has one of them twice, and what they hold
/// the program has put there.
#[test]
fn constants_are_objects_of_the_program() {
    let program = program(COLOURS);
    for mode in MODES {
        let (subject, report) = search(&program, colours(&program), mode);
        assert_eq!(covered(&report), report.branches.len(), "{mode:?}");
        let result = |value| Some(Value::Int(value));
        for expected in [0, 1, 2, 5] {
            let mut tests = report.tests.iter();
            let found = tests.any(|test| test.run.result == result(expected));
            assert!(found, "{mode:?}: {expected}");
        }
        for test in &report.tests {
            let verdict = oracle::precondition(&subject, &test.input);
            assert_eq!(verdict, Verification::Holds, "{mode:?}");
        }
    }
}

/// An input with two objects of a class that has one is none.
#[test]
fn singletons_are_single() {
    let program = program(COLOURS);
    let (subject, report) = search(&program, colours(&program), Mode::Concolic);
    let red = class(&program, "Red");
    let with_red = |input: &&Input| input.heap.cells.values().any(|cell| cell.class == red);
    let inputs = report.tests.iter().map(|test| &test.input);
    let mut input = inputs.clone().find(with_red).expect("an input").clone();
    let cell = input.heap.cells.values().find(|cell| cell.class == red);
    let (cell, last) = (cell.cloned(), input.heap.cells.keys().last().copied());
    let (Some(cell), Some(mut last)) = (cell, last) else {
        panic!("a cell");
    };
    last.0 += 1;
    input.heap.cells.insert(last, cell);
    let verdict = oracle::precondition(&subject, &input);
    assert!(matches!(verdict, Verification::Violated(_)), "{verdict:?}");
}

/// Ranges are not empty, and nobody can make one that is.
const RANGES: &str = "
class Range {
  low: int
  high: int
}
function valid(low: int, high: int) {
  var c: bool
b0:
  c := le low, high
  assume c
  return
}
function main(r: Range) -> int {
  var low: int
  var high: int
  var c: bool
b0:
  low := r->Range::low
  high := r->Range::high
  c := gt low, high
  if c goto b1 else b2
b1:
  return 1
b2:
  c := eq high, 7
  if c goto b3 else b4
b3:
  return 2
b4:
  return 3
}";

#[test]
fn objects_that_are_not_valid_are_no_inputs() {
    let program = program(RANGES);
    let mut rules = InputRules::default();
    let range = class(&program, "Range");
    rules.validators.insert(range, function(&program, "valid"));
    for mode in MODES {
        let (_, report) = search(&program, rules.clone(), mode);
        let statuses: Vec<_> = report.branches.iter().map(|b| b.status.clone()).collect();
        let [empty, full, seven, other] = &statuses[..] else {
            panic!("{statuses:?}");
        };
        // No input takes the first branch, and the tree is closed.
        assert!(
            matches!(empty, Status::Infeasible(_)),
            "{mode:?}: {empty:?}"
        );
        for taken in [full, seven, other] {
            assert!(matches!(taken, Status::Covered { .. }), "{mode:?}");
        }
        for test in &report.tests {
            assert!(!matches!(
                test.run.outcome,
                Outcome::AssumptionFailed { .. }
            ));
            for cell in test.input.heap.cells.values() {
                let [Value::Int(low), Value::Int(high)] = cell.fields[..] else {
                    panic!("two numbers");
                };
                assert!(low <= high, "{mode:?}: {low} {high}");
            }
        }
    }
}

/// Without validators the same program takes every branch.
#[test]
fn without_validators_everything_is_valid() {
    let program = program(RANGES);
    for mode in MODES {
        let (_, report) = search(&program, InputRules::default(), mode);
        assert_eq!(covered(&report), 4, "{mode:?}");
    }
}

const LOOP: &str = "
class Node {
  next: Node
}
function main(n: Node) -> bool {
  var next: Node
  var c: bool
b0:
  next := n->Node::next
  c := eq next, n
  if c goto b1 else b2
b1:
  return true
b2:
  return false
}";

#[test]
fn fields_can_lead_back_to_their_object() {
    let program = program(LOOP);
    let mut rules = InputRules::default();
    let itself = FieldRule {
        field: 0,
        content: Content::Itself,
    };
    rules.fields.insert(class(&program, "Node"), vec![itself]);
    for mode in MODES {
        let (_, report) = search(&program, rules.clone(), mode);
        for test in &report.tests {
            for (&loc, cell) in &test.input.heap.cells {
                assert_eq!(cell.fields, [Value::Ref(loc)], "{mode:?}");
            }
        }
        let statuses: Vec<_> = report.branches.iter().map(|b| b.status.clone()).collect();
        assert!(matches!(statuses[0], Status::Covered { .. }), "{mode:?}");
        assert!(!matches!(statuses[1], Status::Covered { .. }), "{mode:?}");
    }
}

/// A link is inside of an item, or it stands alone.
const LINKS: &str = "
class Link {
  next: Link
}
class Item {
  key: int
  link: Inside
}
class Inside extends Link {
  next: Link
  outer: Item
}
function main(link: Link) -> int {
  var inside: Inside
  var item: Item
  var back: Inside
  var key: int
  var c: bool
b0:
  c := instance_of link, Inside
  if c goto b1 else b5
b1:
  inside := link
  item := inside->Inside::outer
  key := item->Item::key
  c := gt key, 3
  if c goto b2 else b5
b2:
  back := item->Item::link
  c := eq back, link
  if c goto b3 else b4
b3:
  return 1
b4:
  return 2
b5:
  return 0
}";

/// An object that is a part of another one brings it along, and each leads to the other.
#[test]
fn partners_come_together() {
    let program = program(LINKS);
    let (item, inside) = (class(&program, "Item"), class(&program, "Inside"));
    let mut rules = InputRules::default();
    for (class, field, back) in [(item, 1, 1), (inside, 1, 1)] {
        let content = Content::Partner(back);
        rules
            .fields
            .insert(class, vec![FieldRule { field, content }]);
    }
    rules.parts.insert(inside);
    for mode in MODES {
        let (_, report) = search(&program, rules.clone(), mode);
        // All but the branch where an item's link is another one than the link that led to it.
        assert_eq!(covered(&report), 5, "{mode:?}");
        for test in &report.tests {
            let cells = &test.input.heap.cells;
            for (&loc, cell) in cells.iter().filter(|(_, cell)| cell.class == inside) {
                let Value::Ref(outer) = cell.fields[1] else {
                    panic!("{mode:?}: a part without a whole");
                };
                assert_eq!(cells[&outer].class, item);
                assert_eq!(cells[&outer].fields[1], Value::Ref(loc), "{mode:?}");
            }
        }
    }
}
