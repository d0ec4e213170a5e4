//! What the papers say about their running examples.

mod specified;

use std::collections::BTreeSet;

use heapwright_engine::{
    Bounds, Input, Mode, Options, Outcome, Report, Status, Subject, Test, ValueChoice,
    Verification, explore, oracle,
};
use heapwright_logic::{Heap, Loc, Value};
use specified::{Specified, cell, input, int};

fn search(subject: &Subject, options: &Options) -> Report {
    let report = explore(subject, options, &mut |_| {}).unwrap();
    assert_eq!(report.statistics.divergences, 0);
    report
}

/// The options for a mode, without the clock, which would make searches differ.
fn options(mode: Mode) -> Options {
    Options {
        mode,
        bounds: Bounds {
            time: None,
            ..Bounds::default()
        },
        ..Options::default()
    }
}

/// Options with a bound on the objects of the input, under which everything is searched.
fn everything_up_to(objects: u32, mode: Mode) -> Options {
    let mut options = options(mode);
    options.bounds.objects = heapwright_engine::Bound::fixed(objects);
    options.stop_when_covered = false;
    options
}

fn covered(report: &Report) -> usize {
    let covered = |status: &Status| matches!(status, Status::Covered { .. });
    let branches = report.branches.iter();
    branches.filter(|branch| covered(&branch.status)).count()
}

/// CSF section 2: unfolding the precondition three times gives 22 formulas, and their tests take
/// all feasible branches but one.
#[test]
fn the_specification_of_search_trees_reaches_all_branches_but_one() {
    let example = Specified::example("tree_remove.impl");
    let subject = example.subject("remove_from");
    let options = Options {
        unfolding: Some(3),
        ..options(Mode::Specification)
    };
    let report = search(&subject, &options);
    assert_eq!(report.statistics.formulas, 22);
    assert_eq!(report.branches.len(), 16);
    assert_eq!(covered(&report), 14);
    // Below, equal to and above the keys: on a tree with one node, all three occur.
    let single = (report.tests.iter()).filter(|test| test.input.heap.cells.len() == 1);
    let orders: BTreeSet<_> = single
        .map(
            |test| match (&test.input.arguments[..], root_element(test)) {
                ([Value::Int(x), _], Value::Int(element)) => x.cmp(&element),
                other => panic!("{other:?}"),
            },
        )
        .collect();
    assert_eq!(orders.len(), 3);
}

fn root_element(test: &Test) -> Value {
    let cells = &test.input.heap.cells;
    cells.values().next().unwrap().fields[0]
}

/// CSF section 2: concolic execution takes the branch that is left. The last one of the 16 would
/// need the minimum of an empty tree.
#[test]
fn concolic_execution_of_search_tree_remove_reaches_the_last_branch() {
    let example = Specified::example("tree_remove.impl");
    let subject = example.subject("remove_from");
    let report = search(&subject, &options(Mode::Concolic));
    assert_eq!((covered(&report), report.branches.len()), (15, 16));
    assert_eq!(
        uncovered(&subject, &report),
        ["if (t == nil) then return nil"]
    );
}

/// However long it is looked for, there is no tree with up to five nodes that takes it.
#[test]
fn no_search_tree_of_five_nodes_takes_the_infeasible_branch() {
    let example = Specified::example("tree_remove.impl");
    let subject = example.subject("remove_from");
    let report = search(&subject, &everything_up_to(5, Mode::Concolic));
    assert_eq!((covered(&report), report.branches.len()), (15, 16));
    for branch in &report.branches {
        match branch.status {
            Status::Covered { .. } | Status::Infeasible(_) => {}
            Status::Unreached { objects, .. } => assert!(objects >= 5, "{objects}"),
            Status::Open(limit) => panic!("{limit:?}"),
        }
    }
}

/// The lines of the branches that are not covered.
fn uncovered<'p>(subject: &'p Subject, report: &Report) -> Vec<&'p str> {
    let text = &subject.program.files[0].text;
    let open = |status: &Status| !matches!(status, Status::Covered { .. });
    let branches = report.branches.iter();
    branches
        .filter(|branch| open(&branch.status))
        .map(|branch| text.lines().nth(branch.position.line as usize - 1).unwrap())
        .map(str::trim)
        .collect()
}

// The invalid inputs of JSF section 2, recognised by looking at the heap alone.

/// The cells from a value on, along the last field of each, and whether they come to an end.
fn walk(heap: &Heap, mut value: Value) -> (Vec<Loc>, bool) {
    let mut cells = Vec::new();
    while let Value::Ref(loc) = value {
        if cells.contains(&loc) {
            return (cells, false);
        }
        cells.push(loc);
        value = *heap.cells[&loc].fields.last().unwrap();
    }
    (cells, true)
}

/// Both numbers end, after different numbers of digits.
fn differently_long(input: &Input) -> bool {
    let walks = input
        .arguments
        .iter()
        .map(|&value| walk(&input.heap, value));
    let lengths: BTreeSet<Option<usize>> = walks
        .map(|(cells, ends)| ends.then_some(cells.len()))
        .collect();
    lengths.len() == 2 && !lengths.contains(&None)
}

/// The two numbers share a digit.
fn aliasing(input: &Input) -> bool {
    let [x, y] = [0, 1].map(|index| walk(&input.heap, input.arguments[index]).0);
    x.iter().any(|loc| y.contains(loc))
}

/// One of the numbers has no end.
fn cyclic(input: &Input) -> bool {
    (input.arguments.iter()).any(|&value| !walk(&input.heap, value).1)
}

/// What tells a kind of inputs from others.
type Recogniser = fn(&Input) -> bool;

const KINDS: [(&str, Recogniser); 3] = [
    ("different numbers of digits", differently_long),
    ("aliasing", aliasing),
    ("a cyclic list", cyclic),
];

#[test]
fn the_kinds_of_invalid_inputs_are_told_apart() {
    let example = Specified::example("add_numbers.impl");
    let subject = example.subject("add");
    let kinds = |cells: &[&[Value]], arguments: &[Value]| {
        let input = input(&subject, "Digit", cells, arguments);
        let valid = oracle::precondition(&subject, &input) == Verification::Holds;
        let found = KINDS.map(|(_, is_such)| is_such(&input));
        assert_eq!(valid, found == [false; 3]);
        found
    };
    let nil = Value::Null;
    let none = [false; 3];
    assert_eq!(kinds(&[], &[nil, nil]), none);
    let ended: &[Value] = &[int(1), nil];
    assert_eq!(kinds(&[ended, ended], &[cell(1), cell(2)]), none);
    assert_eq!(kinds(&[ended], &[cell(1), nil]), [true, false, false]);
    assert_eq!(kinds(&[ended], &[cell(1), cell(1)]), [false, true, false]);
    let around: &[Value] = &[int(1), cell(1)];
    assert_eq!(kinds(&[around], &[cell(1), nil]), [false, false, true]);
    assert_eq!(kinds(&[around], &[cell(1), cell(1)]), [false, true, true]);
    let shared: &[Value] = &[int(2), cell(1)];
    assert_eq!(
        kinds(&[ended, shared], &[cell(1), cell(2)]),
        [true, true, false]
    );
}

/// JSF section 2: plain lazy initialisation makes inputs of all three invalid kinds.
#[test]
fn lazy_initialisation_without_a_filter_makes_invalid_inputs() {
    let example = Specified::example("add_numbers.impl");
    let subject = example.subject("add");
    let report = search(&subject, &everything_up_to(4, Mode::Lazy { filter: false }));
    for (kind, is_such) in KINDS {
        let mut inputs = report.tests.iter().map(|test| &test.input);
        assert!(inputs.any(is_such), "{kind}");
    }
    let invalid = |test: &&Test| oracle::precondition(&subject, &test.input) != Verification::Holds;
    assert!(report.tests.iter().filter(invalid).count() > 0);
    assert!(report.statistics.invalid > 0);
}

/// With the precondition none of them occurs, and the valid ones still do.
#[test]
fn the_precondition_keeps_invalid_inputs_out() {
    let example = Specified::example("add_numbers.impl");
    let subject = example.subject("add");
    for mode in [Mode::Lazy { filter: true }, Mode::Symbolic] {
        let report = search(&subject, &everything_up_to(4, mode));
        for test in &report.tests {
            for (kind, is_such) in KINDS {
                assert!(!is_such(&test.input), "{mode:?}: {kind}: {:?}", test.input);
            }
            let verdict = oracle::precondition(&subject, &test.input);
            assert_eq!(verdict, Verification::Holds, "{mode:?}");
        }
        let lengths: BTreeSet<usize> = (report.tests.iter())
            .map(|test| walk(&test.input.heap, test.input.arguments[0]).0.len())
            .collect();
        assert!(lengths.is_superset(&BTreeSet::from([0, 1, 2])), "{mode:?}");
        // Only what is thrown away is counted as invalid.
        assert_eq!(report.statistics.invalid > 0, mode != Mode::Symbolic);
    }
}

/// The ImpL paper, section 2, with nothing known about the input: the loop is left at once, or
/// after iterations; on lists with an end, cyclic lists, and lists that run into a cycle.
#[test]
fn equal_neighbours_are_looked_for_on_every_heap() {
    let path = specified::repository().join("examples/impl/equal_neighbours.impl");
    let program = std::fs::read_to_string(path).unwrap();
    let example = Specified::new(&program, "");
    let subject = example.subject("main");
    assert!(subject.precondition.is_none());
    for mode in [Mode::Concolic, Mode::Symbolic] {
        let report = search(&subject, &options(mode));
        assert_eq!(
            (covered(&report), report.branches.len()),
            (2, 2),
            "{mode:?}"
        );

        let report = search(&subject, &everything_up_to(3, mode));
        let returned = (report.tests.iter()).filter(|test| test.run.outcome == Outcome::Returned);
        let iterations: BTreeSet<usize> = returned.map(|test| test.run.trail.len() - 1).collect();
        assert!(
            iterations.is_superset(&BTreeSet::from([0, 1])),
            "{mode:?}: {iterations:?}"
        );
        // Where a list goes on after its last new cell: it ends, it comes back to its first
        // cell, or it comes back to a later one, which then two references share.
        let ends: BTreeSet<Option<bool>> = (report.tests.iter())
            .map(|test| {
                let heap = &test.input.heap;
                let (cells, ends) = walk(heap, test.input.arguments[0]);
                let last = cells.last().map(|loc| heap.cells[loc].fields[1]);
                (!ends).then(|| last == cells.first().map(|&loc| Value::Ref(loc)))
            })
            .collect();
        let all = BTreeSet::from([None, Some(true), Some(false)]);
        assert_eq!(ends, all, "{mode:?}");
    }
}

/// An input without its numbers: the arguments and the fields of all cells, in the order in
/// which they are met.
fn shape(input: &Input) -> String {
    let mut order: Vec<Loc> = Vec::new();
    let mut text = String::new();
    let mut show = |value: &Value, order: &mut Vec<Loc>| match value {
        Value::Null => text.push_str(" nil"),
        Value::Ref(loc) => {
            let known = order.iter().position(|other| other == loc);
            let number = known.unwrap_or_else(|| {
                order.push(*loc);
                order.len() - 1
            });
            text.push_str(&format!(" a{}", number + 1));
        }
        _ => {}
    };
    for argument in &input.arguments {
        show(argument, &mut order);
    }
    let mut next = 0;
    while let Some(loc) = order.get(next).copied() {
        for field in &input.heap.cells[&loc].fields {
            show(field, &mut order);
        }
        next += 1;
    }
    assert_eq!(order.len(), input.heap.cells.len(), "unreachable cells");
    text.trim_start().to_owned()
}

fn shapes_of(program: &str, name: &str, count: u32, mode: Mode) -> Vec<String> {
    let example = Specified::new(program, "");
    let subject = example.subject(name);
    let options = Options {
        values: ValueChoice::Shapes(count),
        ..everything_up_to(3, mode)
    };
    let report = search(&subject, &options);
    let returned = (report.tests.iter()).filter(|test| test.run.outcome == Outcome::Returned);
    returned.map(|test| shape(&test.input)).collect()
}

/// The ImpL paper, Example 3 of section 4.4: one path, many heaps. As in the paper's table, up to
/// numbers: a cell with an end, a cell that is its own tail, and two cells.
#[test]
fn one_path_has_inputs_of_many_shapes() {
    for mode in [Mode::Concolic, Mode::Symbolic] {
        let found = shapes_of("y := x.tail", "main", 5, mode);
        let different: BTreeSet<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(
            (found.len(), different.len()),
            (5, 5),
            "{mode:?}: {found:?}"
        );
        for listed in ["a1 nil", "a1 a1", "a1 a2 nil"] {
            assert!(different.contains(listed), "{mode:?}: {listed}: {found:?}");
        }
    }
}

/// The same with the first value of `y` as a part of the input, which the paper counts in.
#[test]
fn an_unused_variable_is_nil_or_an_alias() {
    let program = "proc example(cons x, cons y) { y := x.tail }";
    for mode in [Mode::Concolic, Mode::Symbolic] {
        let found = shapes_of(program, "example", 12, mode);
        let different: BTreeSet<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found.len(), different.len(), "{mode:?}: {found:?}");
        for listed in ["a1 nil nil", "a1 nil a1", "a1 a1 nil", "a1 nil a2 nil"] {
            assert!(different.contains(listed), "{mode:?}: {listed}: {found:?}");
        }
    }
}
