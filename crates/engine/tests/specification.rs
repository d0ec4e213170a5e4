//! Tests straight from the specification.

mod specified;

use std::collections::BTreeSet;

use heapwright_engine::specification::{COMBINATIONS, from_specification, satisfiable};
use heapwright_engine::{Input, Outcome, Subject, Verification, oracle};
use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{BlockId, FunctionId, Terminator};
use heapwright_logic::{Deadline, Loc, Value};
use heapwright_solver::Verdict;
use specified::*;

const UNLIMITED: usize = usize::MAX;

fn inputs(subject: &Subject, depth: u32) -> Vec<(u32, Input)> {
    from_specification(subject, depth, UNLIMITED).collect()
}

/// The counts of the running example of CSF.
#[test]
fn unfolding_keeps_shallower_formulas() {
    let example = Specified::example("tree_remove.impl");
    let subject = example.subject("remove_from");
    for (depth, expected) in [(0, 1), (1, 2), (2, 6), (3, 22)] {
        let mut found = from_specification(&subject, depth, UNLIMITED);
        let numbers: BTreeSet<u32> = found.by_ref().map(|(number, _)| number).collect();
        assert_eq!(found.formulas, expected, "depth {depth}");
        assert_eq!((found.unsatisfiable, found.unknown), (0, 0));
        assert!(!found.truncated());
        assert!(numbers.into_iter().map(u64::from).eq(0..expected));
    }
}

#[test]
fn formulas_have_the_same_inputs_at_every_depth() {
    let example = Specified::example("tree_remove.impl");
    let subject = example.subject("remove_from");
    let deep = inputs(&subject, 3);
    let shallow = inputs(&subject, 2);
    assert_eq!(deep[..shallow.len()], shallow);
}

/// CSF section 2: 14 of the 15 feasible branches; what is left is a minimum that is not the root
/// of the right subtree.
#[test]
fn search_tree_remove_reaches_all_branches_but_one() {
    let example = Specified::example("tree_remove.impl");
    let subject = example.subject("remove_from");
    let program = &subject.program;
    let find_min = program.function_named("find_min").unwrap();
    let edges: BTreeSet<Edge> = [subject.function, find_min]
        .into_iter()
        .flat_map(|function| jumps(&subject, function))
        .collect();
    assert_eq!(edges.len(), 16);
    let mut taken = BTreeSet::new();
    for (_, input) in inputs(&subject, 3) {
        let run = run(&subject, &input);
        assert_eq!(run.outcome, Outcome::Returned);
        taken.extend(run.trail);
    }
    assert!(taken.is_subset(&edges));
    let missed: Vec<(u32, u32, Successor)> = (edges.difference(&taken))
        .map(|edge| {
            let block = &program.function(edge.function).blocks[edge.block.index()];
            (edge.function.0, block.position.line, edge.successor)
        })
        .collect();
    assert_eq!(taken.len(), 14, "missed: {missed:?}");
    let text = &program.files[0].text;
    let lines: Vec<&str> = (missed.iter())
        .map(|(_, line, _)| text.lines().nth(*line as usize - 1).unwrap().trim())
        .collect();
    let expected = [
        "if (t == nil) then return nil",
        "else if (t.left == nil) then return t;",
    ];
    assert_eq!(lines, expected);
}

fn jumps(subject: &Subject, function: FunctionId) -> Vec<Edge> {
    let blocks = subject.program.function(function).blocks.iter();
    let jumps = blocks.enumerate().flat_map(|(index, block)| {
        let ways = match &block.terminator {
            Terminator::Branch { .. } => 2,
            Terminator::Switch { cases, .. } => cases.len() as u32 + 1,
            _ => 0,
        };
        (0..ways).map(move |way| Edge {
            function,
            block: BlockId(index as u32),
            successor: Successor::Jump(way),
        })
    });
    jumps.collect()
}

/// Valid inputs do not lead to faults: the examples are correct.
#[test]
fn inputs_of_all_examples_are_valid_and_run() {
    for name in examples() {
        let example = Specified::example(&name);
        for subject in example.subjects().filter(|s| s.precondition.is_some()) {
            let place = format!("{name}: {}", subject.name());
            let mut found = from_specification(&subject, 2, UNLIMITED);
            let mut count = 0;
            for (_, input) in found.by_ref() {
                count += 1;
                assert!(input.witness.is_some(), "{place}");
                assert_eq!(
                    oracle::precondition(&subject, &input),
                    Verification::Holds,
                    "{place}"
                );
                let run = run(&subject, &input);
                assert_eq!(run.outcome, Outcome::Returned, "{place}: {input:?}");
                if let Some(verification) = run.postcondition {
                    assert_eq!(verification, Verification::Holds, "{place}: {input:?}");
                }
            }
            assert_eq!(found.unknown, 0, "{place}");
            assert!(count > 0, "{place}");
        }
    }
}

#[test]
fn the_limit_bounds_the_number_of_formulas() {
    let example = Specified::example("tree_remove.impl");
    let subject = example.subject("remove_from");
    let mut found = from_specification(&subject, 100, 10);
    assert!(found.by_ref().count() > 0);
    assert_eq!(found.formulas, 10);
    assert!(found.truncated());
    let mut none = from_specification(&subject, 1, 0);
    assert_eq!(none.next(), None);
    assert!(none.truncated());
    let mut exact = from_specification(&subject, 2, 6);
    assert!(exact.by_ref().count() > 0);
    assert!(!exact.truncated());
}

#[test]
fn nothing_is_solved_before_it_is_asked_for() {
    let example = Specified::example("tree_remove.impl");
    let subject = example.subject("remove_from");
    let mut found = from_specification(&subject, 3, UNLIMITED);
    assert_eq!(found.formulas, 0);
    assert!(found.next().is_some());
    assert_eq!(found.formulas, 1);
}

const LIST: &str = "struct Node { int value; Node next; }
proc f(Node first, Node last, int x, bool b) returns int { return 0; }
";

/// What a specification leaves open has many values where nothing else finds inputs.
#[test]
fn what_is_left_open_is_varied_widely() {
    let text = "pre f(first, last, x, b) := first -> Node(_, next);";
    let specified = Specified::new(LIST, text);
    let subject = specified.subject("f");
    let found: Vec<Input> = (from_specification(&subject, 1, UNLIMITED).varied())
        .map(|(_, input)| input)
        .collect();
    let first = |input: &Input| {
        let Value::Ref(loc) = input.arguments[0] else {
            panic!("{input:?}");
        };
        (loc, input.heap.cells[&loc].fields.clone())
    };
    for number in [0, 17, -25, i128::from(i32::MAX), i128::from(i32::MIN)] {
        let has = |input: &&Input| first(input).1[0] == int(number);
        assert!(found.iter().any(|input| has(&input)), "{number}");
        let has = |input: &&Input| input.arguments[2] == int(number);
        assert!(found.iter().any(|input| has(&input)), "{number}");
    }
    // Less, equal and greater.
    for (x, value) in [(0, 1), (1, 1), (1, 0)] {
        let has = |input: &&Input| input.arguments[2] == int(x) && first(input).1[0] == int(value);
        assert!(found.iter().any(|input| has(&input)), "{x} {value}");
    }
    // Null, another object, the object itself.
    let next = |input: &Input| match first(input) {
        (_, fields) if fields[1] == Value::Null => 0,
        (loc, fields) if fields[1] == Value::Ref(loc) => 1,
        _ => 2,
    };
    let all: BTreeSet<i32> = found.iter().map(next).collect();
    assert_eq!(all, BTreeSet::from([0, 1, 2]));
    for input in &found {
        assert_eq!(oracle::precondition(&subject, input), Verification::Holds);
    }
    let again = from_specification(&subject, 1, UNLIMITED).varied();
    assert!(again.map(|(_, input)| input).eq(found));
}

#[test]
fn parameters_that_nothing_is_said_about_are_varied() {
    let specified = Specified::new(LIST, "pre f(first, last, x, b) := first -> Node(7, null);");
    let subject = specified.subject("f");
    let found = inputs(&subject, 1);
    let arguments: Vec<_> = found
        .iter()
        .map(|(_, input)| input.arguments.clone())
        .collect();
    let mut expected = Vec::new();
    for x in [0, 6, 7, 8] {
        for b in [false, true] {
            expected.push(vec![cell(1), Value::Null, int(x), Value::Bool(b)]);
        }
    }
    assert_eq!(arguments, expected);
}

#[test]
fn parameters_that_the_precondition_mentions_have_the_value_of_the_model() {
    let text = "pre f(first, last, x, b) := first -> Node(v, null) & x = v + 3 & b = true;";
    let specified = Specified::new(LIST, text);
    let subject = specified.subject("f");
    let found = inputs(&subject, 1);
    assert_eq!(found.len(), 1);
    let input = &found[0].1;
    let Value::Int(stored) = input.heap.cells[&Loc(1)].fields[0] else {
        panic!("{input:?}");
    };
    assert_eq!(input.arguments[2..], [int(stored + 3), Value::Bool(true)]);
}

/// The end of the segment is not null and not a node of the segment, so it is an object outside.
#[test]
fn dangling_references_become_objects_of_the_frame() {
    let text = "
pred segment(x, y) := emp & x = y
  | exists next. x -> Node(_, next) * segment(next, y) & x != y;
pre f(first, last, x, b) := segment(first, last) & last != null & first != last;";
    let specified = Specified::new(LIST, text);
    let subject = specified.subject("f");
    let mut seen = 0;
    for (_, input) in inputs(&subject, 3) {
        let Value::Ref(last) = input.arguments[1] else {
            panic!("{input:?}");
        };
        let witness = input.witness.as_ref().unwrap();
        assert_eq!(witness.frame, BTreeSet::from([last]));
        assert_eq!(input.heap.cells[&last].fields, [int(0), Value::Null]);
        assert_eq!(oracle::precondition(&subject, &input), Verification::Holds);
        seen += 1;
    }
    assert!(seen > 0);
}

/// Neither the object of the precondition nor the one of the frame can be of the abstract class.
#[test]
fn objects_are_of_classes_that_have_objects() {
    let text = "
abstract class Shape {
  width: int
}
class Circle extends Shape {
  width: int
  next: Shape
}
function f(a: Shape, b: Shape) {
b0:
  return
}";
    let program = heapwright_ir::parse(text).unwrap();
    let specification = specification_of(
        &program,
        "pre f(a, b) := a -> Shape(4) & b != null & a != b;",
    );
    let function = program.function_named("f").unwrap();
    let subject = Subject::new(&program, function, Some(&specification)).unwrap();
    let found = inputs(&subject, 1);
    assert_eq!(found.len(), 1);
    let input = &found[0].1;
    let circle = program.definitions.class_named("Circle").unwrap();
    let classes: Vec<_> = input.heap.cells.values().map(|cell| cell.class).collect();
    assert_eq!(classes, [circle, circle]);
    let [Value::Ref(a), Value::Ref(b)] = input.arguments[..] else {
        panic!("{input:?}");
    };
    assert_eq!(input.heap.cells[&a].fields, [int(4), Value::Null]);
    assert_eq!(input.heap.cells[&b].fields, [int(0), Value::Null]);
    assert_eq!(input.witness.as_ref().unwrap().frame, BTreeSet::from([b]));
    assert_eq!(run(&subject, input).outcome, Outcome::Returned);
}

#[test]
fn unsatisfiable_formulas_are_dropped_and_counted() {
    let text = "
pred p(x) := emp & x = null | exists next. x -> Node(1, next) & next = null;
pre f(first, last, x, b) := p(first) & first != null;";
    let specified = Specified::new(LIST, text);
    let subject = specified.subject("f");
    let mut found = from_specification(&subject, 1, UNLIMITED);
    let numbers: BTreeSet<u32> = found.by_ref().map(|(number, _)| number).collect();
    assert_eq!(numbers, BTreeSet::from([1]));
    assert_eq!((found.formulas, found.unsatisfiable), (2, 1));
}

#[test]
fn a_precondition_that_no_heap_satisfies_is_noticed_at_once() {
    let never = Specified::new(
        LIST,
        "pre f(first, last, x, b) := first -> Node(_, _) & first = null;",
    );
    assert_eq!(
        satisfiable(&never.subject("f"), &Deadline::NEVER),
        Verdict::Unsat
    );
    let subject = never.subject("f");
    let mut found = from_specification(&subject, 1, UNLIMITED);
    assert_eq!(found.next(), None);
    assert_eq!(found.unsatisfiable, 1);
    let example = Specified::example("red_black_tree.impl");
    for subject in example.subjects() {
        assert_eq!(
            satisfiable(&subject, &Deadline::NEVER),
            Verdict::Sat,
            "{}",
            subject.name()
        );
    }
}

#[test]
fn without_a_precondition_there_is_the_empty_heap() {
    let specified = Specified::new(LIST, "");
    let subject = specified.subject("f");
    let found = inputs(&subject, 3);
    assert_eq!(found.len(), 2);
    for (number, input) in found {
        assert_eq!(number, 0);
        assert!(input.heap.cells.is_empty() && input.witness.is_none());
        assert_eq!(input.arguments[..3], [Value::Null, Value::Null, int(0)]);
    }
}

#[test]
fn combinations_are_bounded() {
    let program = "struct Node { int value; Node next; }
proc g(Node first, int a, int b, int c) returns int { return 0; }";
    let text = "pre g(first, a, b, c) := exists n, m. first -> Node(10, n) * n -> Node(20, m) \
                * m -> Node(30, null);";
    let specified = Specified::new(program, text);
    let subject = specified.subject("g");
    let found = inputs(&subject, 1);
    assert_eq!(found.len(), COMBINATIONS);
    for position in 1..4 {
        let used: BTreeSet<Value> = (found.iter())
            .map(|(_, input)| input.arguments[position])
            .collect();
        assert_eq!(
            used,
            [0, 9, 10, 11, 20, 21, 30, 31]
                .map(int)
                .into_iter()
                .collect()
        );
    }
}
