//! What a language says about inputs: the classes behind a reference, and what is in fields.

mod small_inputs;

use std::collections::BTreeSet;

use heapwright_engine::{Limit, Outcome, Status};
use heapwright_ir::{Candidates, Constant, Content, FaultKind, FieldRule, InputRules, Program};
use heapwright_logic::{ClassId, IntType, Value};
use small_inputs::{MODES, Small, compare, program, search, subject};

const SMALL: Small = Small {
    objects: 3,
    elements: 2,
    number: 1,
};

const OBJECTS: &str = "
class Object
class Integer extends Object {
  value: int
}
class Bytes array of byte extends Object
class Text extends Object {
  bytes: Bytes
  coder: int
  hash: int
}
class Other extends Object
";

fn class(program: &Program, name: &str) -> ClassId {
    program.definitions.class_named(name).expect("a class")
}

/// Candidates for `Object`, and the fields of texts.
fn rules(program: &Program, names: &[&str], complete: bool) -> InputRules {
    let mut rules = InputRules::default();
    let classes = names.iter().map(|name| class(program, name)).collect();
    let candidates = Candidates { classes, complete };
    rules
        .candidates
        .insert(class(program, "Object"), candidates);
    let zero = Content::Constant(Constant::Int(IntType::I32, 0));
    let of_text = [(0, Content::Present), (1, zero), (2, zero)];
    let of_text = of_text.map(|(field, content)| FieldRule { field, content });
    rules
        .fields
        .insert(class(program, "Text"), of_text.to_vec());
    rules
}

const CASCADE: &str = "
function main(o: Object) -> int {
  var i: Integer
  var a: Bytes
  var t: Text
  var n: int
  var b: bool
b0:
  b := instance_of o, Integer
  if b goto b1 else b2 @1
b1:
  i := o
  n := i->Integer::value
  b := gt n, 0
  if b goto b8 else b9 @2
b2:
  b := instance_of o, Bytes
  if b goto b3 else b4 @3
b3:
  a := o
  n := length a
  b := eq n, 2
  if b goto b8 else b9 @4
b4:
  b := instance_of o, Text
  if b goto b5 else b6 @5
b5:
  t := o
  a := t->Text::bytes
  n := length a
  b := eq n, 1
  if b goto b7 else b9 @6
b6:
  b := eq o, null
  if b goto b8 else b9 @7
b7:
  n := t->Text::hash
  b := eq n, 0
  if b goto b8 else b9 @8
b8:
  return 1
b9:
  return 0
}";

#[test]
fn every_candidate_is_tried_and_nothing_else() {
    let program = program(&format!("{OBJECTS}{CASCADE}"));
    let names = ["Object", "Integer", "Bytes", "Text"];
    let rules = rules(&program, &names, true);
    let (inputs, paths) = compare(&program, &rules, SMALL);
    assert!(inputs > paths && paths >= 8, "{inputs} {paths}");
    let subject = subject(&program, &rules);
    for mode in MODES {
        let report = search(&subject, mode, SMALL);
        let classes: BTreeSet<&str> = (report.tests.iter())
            .filter_map(|test| match test.input.arguments[0] {
                Value::Ref(loc) => Some(test.input.heap.cells[&loc].class),
                _ => None,
            })
            .map(|class| program.definitions.class(class).name.as_str())
            .collect();
        assert_eq!(classes, names.into_iter().collect());
        for branch in &report.branches {
            let (line, way) = (branch.position.line, branch.edge.successor);
            match branch.status {
                Status::Covered { .. } => {}
                // The hash of a text is zero in every input.
                _ => assert_eq!((line, format!("{way:?}")), (8, "Jump(1)".to_owned())),
            }
        }
    }
}

/// Texts of inputs are what the rules say, whoever made them.
#[test]
fn fields_are_what_the_rules_say() {
    let text = "
class Holder {
  first: Text
  second: Text
}
function main(h: Holder, t: Text) -> int {
  var x: Text
  var y: Text
  var b: bool
b0:
  b := eq t, null
  if b goto b1 else b2 @1
b1:
  return 0
b2:
  x := h->Holder::first
  y := h->Holder::second
  b := eq x, y
  if b goto b3 else b4 @2
b3:
  return 1
b4:
  b := eq x, t
  if b goto b5 else b6 @3
b5:
  return 2
b6:
  b := ne y, null
  if b goto b7 else b8 @4
b7:
  return 3
b8:
  return 4
}";
    let program = program(&format!("{OBJECTS}{text}"));
    let rules = rules(&program, &["Text"], true);
    let small = Small {
        objects: 5,
        elements: 0,
        ..SMALL
    };
    let (_, paths) = compare(&program, &rules, small);
    assert!(paths >= 6, "{paths}");
    let subject = subject(&program, &rules);
    let (texts, bytes) = (class(&program, "Text"), class(&program, "Bytes"));
    for mode in MODES {
        let report = search(&subject, mode, small);
        let mut seen = 0;
        for test in &report.tests {
            let cells = &test.input.heap.cells;
            for cell in cells.values().filter(|cell| cell.class == texts) {
                let [Value::Ref(array), Value::Int(0), Value::Int(0)] = cell.fields[..] else {
                    panic!("{mode:?}: {:?}", cell.fields);
                };
                assert_eq!(cells[&array].class, bytes);
                seen += 1;
            }
        }
        assert!(seen > 0, "{mode:?}");
    }
}

/// Objects that need others need not go on forever.
#[test]
fn present_fields_may_be_cyclic() {
    let text = "
class Node {
  next: Node
  other: Node
}
function main(x: Node) -> int {
  var y: Node
  var b: bool
b0:
  b := eq x, null
  if b goto b1 else b2 @1
b1:
  return 0
b2:
  y := x->Node::next
  b := eq x, y
  if b goto b3 else b4 @2
b3:
  return 1
b4:
  y := y->Node::next
  b := eq x, y
  if b goto b3 else b5 @3
b5:
  return 2
}";
    let program = program(text);
    let mut rules = InputRules::default();
    let present = |field| FieldRule {
        field,
        content: Content::Present,
    };
    let node = class(&program, "Node");
    rules.fields.insert(node, vec![present(0), present(1)]);
    let (_, paths) = compare(&program, &rules, SMALL);
    assert_eq!(paths, 4);
}

/// Where classes are missing, nothing is called infeasible.
#[test]
fn unknown_classes_leave_the_tree_open() {
    let text = "
function main(o: Object) -> int {
  var b: bool
b0:
  b := instance_of o, Other
  if b goto b1 else b2 @1
b1:
  return 1
b2:
  return 0
}";
    let program = program(&format!("{OBJECTS}{text}"));
    for (complete, expected) in [(false, Some((Limit::Classes, 1))), (true, None)] {
        let rules = rules(&program, &["Object", "Integer"], complete);
        let subject = subject(&program, &rules);
        for mode in MODES {
            let report = search(&subject, mode, SMALL);
            assert_eq!(report.open, expected, "{mode:?}");
            let taken = &report.branches[0].status;
            match complete {
                true => assert!(matches!(taken, Status::Infeasible(_)), "{taken:?}"),
                false => assert!(matches!(taken, Status::Unreached { .. }), "{taken:?}"),
            }
        }
    }
}

/// A class that nothing implements has no objects, which is no bug.
#[test]
fn a_reference_without_candidates_is_null() {
    let text = "
abstract class Shape
function main(s: Shape) -> int {
  var b: bool
b0:
  b := eq s, null
  if b goto b1 else b2 @1
b1:
  return 1
b2:
  return 0
}";
    let program = program(text);
    let subject = subject(&program, &InputRules::default());
    for mode in MODES {
        let report = search(&subject, mode, SMALL);
        assert_eq!(report.tests.len(), 1, "{mode:?}");
        assert!(
            matches!(report.open, Some((Limit::Classes, 0))),
            "{mode:?}: {:?}",
            report.open
        );
    }
}

/// Casts that fail are faults that are looked for, even when every branch is covered.
#[test]
fn casts_that_fail_are_found() {
    let text = "
function main(o: Object) -> int {
  var i: Integer
  var n: int
b0:
  check_cast o, Integer @1
  i := o
  n := i->Integer::value @2
  return n
}";
    let program = program(&format!("{OBJECTS}{text}"));
    let rules = rules(&program, &["Integer", "Object"], true);
    compare(&program, &rules, SMALL);
    let subject = subject(&program, &rules);
    for mode in MODES {
        let options = heapwright_engine::Options {
            mode,
            ..heapwright_engine::Options::default()
        };
        let report = heapwright_engine::explore(&subject, &options, &mut |_| {}).expect("a report");
        let mut outcomes: Vec<_> = (report.tests.iter())
            .map(|test| match test.run.outcome {
                Outcome::Fault { kind, .. } => Some(kind),
                _ => None,
            })
            .collect();
        outcomes.sort_unstable();
        let wanted = [
            None,
            Some(FaultKind::NullDereference),
            Some(FaultKind::BadCast),
        ];
        assert_eq!(outcomes, wanted, "{mode:?}");
    }
}

/// References of classes that have no object in common are equal only if both are null.
#[test]
fn references_of_unrelated_classes() {
    let text = "
abstract class Readable
abstract class Writable
class File implements Readable, Writable
class Socket implements Readable
class Printer implements Writable
function main(i: Integer, t: Text, r: Readable, w: Writable, o: Object) -> int {
  var x: Object
  var y: Object
  var b: bool
b0:
  x := i
  y := t
  b := eq x, y
  if b goto b1 else b2 @1
b1:
  b := eq x, null
  if b goto b2 else b9 @2
b2:
  b := eq o, x
  if b goto b3 else b4 @3
b3:
  b := instance_of o, Integer
  if b goto b4 else b5 @4
b4:
  b := eq r, w
  if b goto b6 else b8 @5
b5:
  return 1
b6:
  b := eq r, null
  if b goto b8 else b7 @6
b7:
  b := instance_of r, File
  if b goto b8 else b9 @7
b8:
  return 2
b9:
  return 3
}";
    let program = program(&format!("{OBJECTS}{text}"));
    let rules = rules(&program, &["Object"], false);
    let small = Small {
        objects: 3,
        elements: 0,
        number: 0,
    };
    compare(&program, &rules, small);
    let subject = subject(&program, &rules);
    for mode in MODES {
        let report = search(&subject, mode, small);
        let never: Vec<_> = (report.branches.iter())
            .filter(|branch| !matches!(branch.status, Status::Covered { .. }))
            .map(|branch| (branch.position.line, branch.edge.successor))
            .collect();
        let no = heapwright_ir::machine::Successor::Jump(1);
        assert_eq!(never, [(2, no), (7, no)], "{mode:?}");
    }
}

/// What belongs to one object alone is neither a parameter nor in another object, whatever the
/// program looks at.
#[test]
fn owned_arrays_are_never_shared() {
    let text = "
function main(a: Bytes, t: Text, u: Text, o: Object) -> int {
  var x: Bytes
  var y: Bytes
  var p: Object
  var n: int
  var b: bool
b0:
  x := t->Text::bytes @1
  b := eq x, null
  if b goto b9 else b1 @2
b1:
  b := eq x, a
  if b goto b9 else b2 @3
b2:
  p := x
  b := eq o, p
  if b goto b9 else b3 @4
b3:
  b := eq a, null
  if b goto b5 else b4 @5
b4:
  n := length a
  b := eq n, 1
  if b goto b5 else b8 @6
b5:
  n := length x
  b := eq n, 1
  if b goto b6 else b8 @7
b6:
  y := u->Text::bytes @8
  b := eq x, y
  if b goto b7 else b8 @9
b7:
  return 1
b8:
  return 0
b9:
  return 2
}";
    let program = program(&format!("{OBJECTS}{text}"));
    let mut rules = rules(&program, &["Bytes", "Text"], true);
    let (texts, bytes) = (class(&program, "Text"), class(&program, "Bytes"));
    for rule in rules.fields.entry(texts).or_default() {
        if rule.content == Content::Present {
            rule.content = Content::Owned;
        }
    }
    let small = Small {
        objects: 5,
        elements: 1,
        number: 0,
    };
    let (inputs, paths) = compare(&program, &rules, small);
    assert!(inputs > 100 && paths == 10, "{inputs} {paths}");
    let subject = subject(&program, &rules);
    for mode in MODES {
        let report = search(&subject, mode, small);
        for test in &report.tests {
            let input = &test.input;
            let contents = input.heap.cells.values().flat_map(|cell| &cell.fields);
            let references: Vec<Value> = contents.chain(&input.arguments).copied().collect();
            for cell in (input.heap.cells.values()).filter(|cell| cell.class == texts) {
                let Value::Ref(array) = cell.fields[0] else {
                    panic!("{mode:?}: {cell:?}");
                };
                assert_eq!(input.heap.cells[&array].class, bytes);
                let same = references.iter().filter(|&&value| value == cell.fields[0]);
                assert_eq!(same.count(), 1, "{mode:?}: {input:?}");
            }
        }
        // The lines where an owned array would be null or shared.
        let never: Vec<_> = (report.branches.iter())
            .filter(|branch| !matches!(branch.status, Status::Covered { .. }))
            .map(|branch| (branch.position.line, branch.edge.successor))
            .collect();
        let yes = heapwright_ir::machine::Successor::Jump(0);
        assert_eq!(never, [2, 3, 4].map(|line| (line, yes)), "{mode:?}");
    }
}
