//! Modes, strategies and choices of values: what they find, and what they have in common.

mod specified;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_engine::{
    Bound, Bounds, Branch, Choice, ExploreError, Input, Limit, Mode, Options, Outcome, Report, Run,
    SourceLine, Status, StopReason, StrategyKind, Subject, Test, ValueChoice, explore,
};
use heapwright_ir::FaultKind;
use heapwright_ir::machine::Edge;
use heapwright_logic::{Heap, Value};
use specified::{Specified, int, run};

const MODES: [Mode; 2] = [Mode::Concolic, Mode::Symbolic];

/// All strategies; the bound on the depth is one that no tree here exceeds.
const ALL: [StrategyKind; 6] = [
    StrategyKind::Coverage,
    StrategyKind::DepthFirst,
    StrategyKind::BreadthFirst,
    StrategyKind::IterativeDeepening,
    StrategyKind::DepthBounded(1_000),
    StrategyKind::Random,
];

/// Every path up to a number of objects is searched, straight from the beginning.
fn everything_up_to(objects: u32, mode: Mode) -> Options {
    Options {
        mode,
        unfolding: Some(0),
        stop_when_covered: false,
        bounds: Bounds {
            objects: Bound::fixed(objects),
            time: None,
            ..Bounds::default()
        },
        ..Options::default()
    }
}

fn search(subject: &Subject, options: &Options) -> Report {
    let report = explore(subject, options, &mut |_| {}).unwrap();
    assert_eq!(report.statistics.divergences, 0);
    report
}

/// The answers on a path, which say everything about it.
fn choices(test: &Test) -> Vec<Choice> {
    let decisions = test.decisions.iter();
    decisions.map(|decision| decision.choice).collect()
}

/// The paths of a report in the order in which they were found.
fn paths(report: &Report) -> Vec<Vec<Choice>> {
    report.tests.iter().map(choices).collect()
}

fn set(report: &Report) -> BTreeSet<Vec<Choice>> {
    let paths: BTreeSet<_> = paths(report).into_iter().collect();
    assert_eq!(paths.len(), report.tests.len(), "a path has one test");
    paths
}

/// Programs whose trees are small within their bounds on objects.
fn small_trees() -> [(Specified, &'static str, u32); 4] {
    let path = specified::repository().join("examples/impl/equal_neighbours.impl");
    let unspecified = Specified::new(&std::fs::read_to_string(path).unwrap(), "");
    [
        (Specified::example("list.impl"), "remove", 3),
        (Specified::example("tree_remove.impl"), "remove_from", 2),
        (Specified::example("sorted_list.impl"), "merge", 3),
        (unspecified, "main", 3),
    ]
}

#[test]
fn every_strategy_explores_the_same_paths() {
    for (example, name, objects) in small_trees() {
        let subject = example.subject(name);
        for mode in MODES {
            let explored = |strategy| {
                let options = Options {
                    strategy,
                    ..everything_up_to(objects, mode)
                };
                let report = search(&subject, &options);
                assert_eq!(report.stop, StopReason::Exhausted, "{strategy:?}");
                set(&report)
            };
            let expected = explored(ALL[0]);
            assert!(expected.len() > 5, "{name}: {}", expected.len());
            for strategy in ALL {
                let found = explored(strategy);
                let missed: Vec<_> = expected.difference(&found).collect();
                let more: Vec<_> = found.difference(&expected).collect();
                assert!(
                    missed.is_empty() && more.is_empty(),
                    "{name}, {mode:?}, {strategy:?}: missed {missed:?}, more {more:?}"
                );
            }
        }
    }
}

/// Within the bound on objects: where it cuts a path off, concolic execution still runs the input
/// that it has to its end, and symbolic execution does not.
#[test]
fn concolic_and_symbolic_execution_find_the_same_paths() {
    for (example, name, objects) in small_trees() {
        let subject = example.subject(name);
        let [concolic, symbolic] = MODES.map(|mode| {
            let mut report = search(&subject, &everything_up_to(objects, mode));
            let within = |test: &Test| test.input.heap.cells.len() <= objects as usize;
            report.tests.retain(within);
            set(&report)
        });
        assert!(concolic.len() > 5, "{name}: {}", concolic.len());
        let missed: Vec<_> = symbolic.difference(&concolic).collect();
        assert!(missed.is_empty(), "{name}: concolic misses {missed:?}");
        let missed: Vec<_> = concolic.difference(&symbolic).collect();
        assert!(missed.is_empty(), "{name}: symbolic misses {missed:?}");
    }
}

/// Whether a list has three elements is known after a few decisions only.
const THREE: &str = "
proc three(cons x) returns bool {
    int n := 0;
    while (x /= nil) { n := n + 1; x := x.tail }
    if (n == 3) then return true;
    return false;
}";

const LIST: &str = "pred list(x) := emp & x = nil | exists n. x -> cons(_, n) * list(n);";

#[test]
fn a_bound_on_the_depth_leaves_paths_out_and_says_so() {
    let specification = format!("{LIST} pre three(x) := list(x);");
    let example = Specified::new(THREE, &specification);
    let subject = example.subject("three");
    for mode in MODES {
        let all = set(&search(&subject, &everything_up_to(5, mode)));
        let mut sizes = Vec::new();
        for depth in 0..8 {
            let options = Options {
                strategy: StrategyKind::DepthBounded(depth),
                ..everything_up_to(5, mode)
            };
            let report = search(&subject, &options);
            let found = set(&report);
            assert!(found.is_subset(&all), "{mode:?}, depth {depth}");
            sizes.push(found.len());
            for branch in &report.branches {
                match branch.status {
                    Status::Covered { .. } => {}
                    Status::Unreached { limit, .. } | Status::Open(limit) => {
                        assert_eq!(limit, Limit::Depth, "{mode:?}, depth {depth}");
                    }
                    Status::Infeasible(_) => panic!("{mode:?}, depth {depth}: {branch:?}"),
                }
            }
        }
        assert!(sizes.is_sorted(), "{mode:?}: {sizes:?}");
        assert!(sizes[0] < all.len() && sizes[7] == all.len(), "{sizes:?}");
    }
}

/// The trees are wide enough for chance to have something to choose from.
#[test]
fn chance_decides_the_order_only() {
    for (file, name, objects) in [
        ("tree_remove.impl", "remove_from", 3),
        ("sorted_list.impl", "merge", 4),
        ("red_black_tree.impl", "insert_into", 2),
    ] {
        let example = Specified::example(file);
        let subject = example.subject(name);
        for mode in MODES {
            let with_seed = |seed| {
                let options = Options {
                    strategy: StrategyKind::Random,
                    seed,
                    ..everything_up_to(objects, mode)
                };
                search(&subject, &options)
            };
            let [first, again, other] = [1, 1, 2].map(with_seed);
            assert_eq!(paths(&first), paths(&again), "{name}, {mode:?}");
            assert_ne!(paths(&first), paths(&other), "{name}, {mode:?}");
            assert_eq!(set(&first), set(&other), "{name}, {mode:?}");
        }
    }
}

/// The sum of the absolute values of all numbers.
fn sum(input: &Input) -> i128 {
    let contents = input.heap.cells.values().flat_map(|cell| &cell.fields);
    let numbers = input.arguments.iter().chain(contents);
    numbers
        .map(|value| match value {
            Value::Int(number) => number.abs(),
            _ => 0,
        })
        .sum()
}

#[test]
fn smallest_values_are_not_larger_than_any() {
    for (example, name, objects) in small_trees() {
        let subject = example.subject(name);
        let [any, smallest] = [ValueChoice::Any, ValueChoice::SmallestValues].map(|values| {
            let options = Options {
                values,
                ..everything_up_to(objects, Mode::Concolic)
            };
            let report = search(&subject, &options);
            let tests = report.tests.iter();
            tests
                .map(|test| (choices(test), sum(&test.input)))
                .collect::<BTreeMap<_, _>>()
        });
        assert!(any.keys().eq(smallest.keys()), "{name}");
        for (path, sum) in &smallest {
            assert!(sum <= &any[path], "{name}: {path:?}");
        }
    }
}

/// What a run did, as far as branches and its end are concerned.
fn path_of(run: &Run) -> (Vec<Edge>, String) {
    (run.trail.clone(), format!("{:?}", run.outcome))
}

/// Compared with all numbers of small size, path by path.
#[test]
fn smallest_values_of_two_numbers_are_minimal() {
    const RANGE: std::ops::RangeInclusive<i128> = -24..=24;
    for body in [
        "if (a + b > 10) then { if (a > b) then skip }",
        "if (a - b == 13) then { if (a /= 13) then { if (b < -6) then skip } }",
        "if (2 * a + 7 == b) then { if (a > 1) then skip } else if (b < -9) then skip",
        "if (a < -5 || b > 5) then { if (a + b == 0) then skip }",
    ] {
        let example = Specified::new(&format!("proc f(int a, int b) {{ {body} }}"), "");
        let subject = example.subject("f");
        let mut minima: BTreeMap<_, i128> = BTreeMap::new();
        for (a, b) in RANGE.flat_map(|a| RANGE.map(move |b| (a, b))) {
            let input = Input {
                arguments: vec![int(a), int(b)],
                heap: Heap::default(),
                witness: None,
            };
            let least = minima
                .entry(path_of(&run(&subject, &input)))
                .or_insert(i128::MAX);
            *least = sum(&input).min(*least);
        }
        assert!(minima.len() > 2, "{body}");
        for mode in MODES {
            let options = Options {
                values: ValueChoice::SmallestValues,
                ..everything_up_to(0, mode)
            };
            let report = search(&subject, &options);
            let found: BTreeMap<_, _> = (report.tests.iter())
                .map(|test| (path_of(&test.run), sum(&test.input)))
                .collect();
            for (path, least) in &minima {
                assert_eq!(found.get(path), Some(least), "{mode:?}: {body}: {path:?}");
            }
        }
    }
}

/// The smallest sum of a path that returns true, on heaps whose minimum is easy to see.
#[test]
fn smallest_values_of_heaps_are_minimal() {
    let check = |program: &str, specification: &str, expected: i128| {
        let example = Specified::new(program, specification);
        let subject = example.subject("f");
        for mode in MODES {
            let options = Options {
                values: ValueChoice::SmallestValues,
                ..everything_up_to(4, mode)
            };
            let report = search(&subject, &options);
            let result = Some(Value::Bool(true));
            let tests = (report.tests.iter()).filter(|test| test.run.result == result);
            let sums: Vec<i128> = tests.map(|test| sum(&test.input)).collect();
            assert_eq!(sums, [expected], "{mode:?}: {program}");
        }
    };
    // Below 4, and below that: 3 and 2, or negative numbers, 0 and -1.
    check(
        "proc f(cons x) returns bool {
            return x /= nil && x.head < 4 && x.tail /= nil && x.tail.head < x.head
                && x.tail.tail == nil;
        }",
        &format!("{LIST} pre f(x) := list(x);"),
        1,
    );
    // 7 and 12.
    check(
        "proc f(cons x) returns bool {
            return x /= nil && x.head > 6 && x.tail /= nil && x.tail.head >= x.head + 5
                && x.tail.tail == nil;
        }",
        &format!("{LIST} pre f(x) := list(x);"),
        19,
    );
    // The specification asks for order: -1, 0, 1.
    check(
        "struct Node { int value; Node left; Node right; }
        proc f(Node t) returns bool {
            return t /= nil && t.left /= nil && t.right /= nil && t.left.left == nil
                && t.left.right == nil && t.right.left == nil && t.right.right == nil;
        }",
        "pred tree(t, lo, hi) := emp & t = null
            | exists v, l, r. t -> Node(v, l, r) * tree(l, lo, v) * tree(r, v, hi) & lo < v < hi;
        pre f(t) := tree(t, lo, hi);",
        2,
    );
}

/// Without a specification every heap is allowed.
#[test]
fn aliases_and_cycles_occur_without_a_specification() {
    for (what, body) in [
        ("two names for one object", "return x /= nil && x == y;"),
        ("a cycle of one", "return x /= nil && x.tail == x;"),
        (
            "a cycle of two",
            "return x /= nil && x.tail /= nil && x.tail /= x && x.tail.tail == x;",
        ),
        (
            "a shared tail",
            "return x /= nil && y /= nil && x /= y && x.tail /= nil && x.tail == y.tail;",
        ),
        // Only an alias changes what is read after it was looked at.
        (
            "a store through another name",
            "if (x == nil || y == nil) then return false;
            if (y.head == 1) then return false;
            x.head := 1;
            return y.head == 1;",
        ),
    ] {
        let program = format!("proc f(cons x, cons y) returns bool {{ {body} }}");
        let example = Specified::new(&program, "");
        let subject = example.subject("f");
        for mode in MODES.into_iter().chain([Mode::Lazy { filter: false }]) {
            let report = search(&subject, &everything_up_to(3, mode));
            for result in [true, false] {
                let result = Some(Value::Bool(result));
                let mut tests = report.tests.iter();
                assert!(
                    tests.any(|test| test.run.result == result),
                    "{mode:?}: {what}: {result:?}"
                );
            }
        }
    }
}

/// Line 6 needs a list of three elements, the last one 42; line 9 needs a list that is empty
/// although it was not before.
const PLACES: &str = "proc f(cons x) returns int {
    if (x == nil) then return 0;
    if (x.tail /= nil) then {
        cons y := x.tail.tail;
        if (y /= nil && y.head == 42) then
            return 6;
    }
    if (x == nil) then
        return 9;

    return helper(x.head);
}
proc helper(int n) returns int {
    if (n > 100) then
        return 15;
    return n;
}
";

fn reach(mode: Mode, strategy: StrategyKind, file: u32, line: u32) -> Result<Report, ExploreError> {
    let specification = format!("{LIST} pre f(x) := list(x);");
    let example = Specified::new(PLACES, &specification);
    let options = Options {
        mode,
        strategy,
        reach: Some(SourceLine { file, line }),
        bounds: Bounds {
            time: None,
            ..Bounds::default()
        },
        ..Options::default()
    };
    explore(&example.subject("f"), &options, &mut |_| {})
}

fn executes(test: &Test, line: u32) -> bool {
    test.run.lines.iter().any(|position| position.line == line)
}

#[test]
fn lines_are_reached() {
    for (mode, strategy) in MODES
        .into_iter()
        .flat_map(|mode| ALL.map(|kind| (mode, kind)))
    {
        for line in [2, 4, 6, 11, 15] {
            let report = reach(mode, strategy, 0, line).unwrap();
            let place = format!("{mode:?}, {strategy:?}, {line}");
            assert_eq!(report.stop, StopReason::Reached, "{place}");
            let mut tests = report.tests.iter();
            assert!(tests.any(|test| executes(test, line)), "{place}");
        }
    }
}

/// No list leads there, however long: the whole tree is closed, though lists have no bound.
#[test]
fn a_line_that_nothing_reaches_is_reported() {
    for (mode, strategy) in MODES
        .into_iter()
        .flat_map(|mode| ALL.map(|kind| (mode, kind)))
    {
        let report = reach(mode, strategy, 0, 9).unwrap();
        let place = format!("{mode:?}, {strategy:?}");
        assert_eq!(report.stop, StopReason::Exhausted, "{place}");
        assert!(
            !report.tests.iter().any(|test| executes(test, 9)),
            "{place}"
        );
        let before = |branch: &&Branch| branch.position.line == 8;
        let statuses: Vec<&Status> = (report.branches.iter().filter(before))
            .map(|branch| &branch.status)
            .collect();
        let [Status::Infeasible(_), Status::Covered { .. }] = statuses[..] else {
            panic!("{place}: {statuses:?}");
        };
    }
}

#[test]
fn a_line_without_code_is_an_error() {
    for (file, line) in [(0, 10), (0, 18), (0, 1_000), (1, 2)] {
        let error = reach(Mode::Concolic, StrategyKind::Coverage, file, line).unwrap_err();
        let ExploreError::NoCode(place) = error else {
            panic!("{error}");
        };
        assert_eq!(place.line, line);
        assert_eq!(place.file.is_some(), file == 0);
    }
}

/// What the tests of a search with the default options end with: nothing for those that return,
/// the kind and the line of a fault for the others.
fn ends(program: &str, mode: Mode) -> BTreeSet<Option<(FaultKind, u32)>> {
    let example = Specified::new(program, "");
    let options = Options {
        mode,
        ..Options::default()
    };
    let report = search(&example.subject("f"), &options);
    let outcomes = report.tests.iter().map(|test| match test.run.outcome {
        Outcome::Fault { kind, position } => Some((kind, position.line)),
        Outcome::Returned => None,
        other => panic!("{other:?}"),
    });
    outcomes.collect()
}

/// Faults are no branches, but tests show them all the same.
#[test]
fn faults_are_found_besides_branches() {
    let program = "proc f(cons x, int n) returns int {
        int y := x.head / n;
        assert y /= 7;
        if (y > 3) then return 3;
        return y;
    }";
    let expected = BTreeSet::from([
        None,
        Some((FaultKind::NullDereference, 2)),
        Some((FaultKind::DivisionByZero, 2)),
        Some((FaultKind::AssertionFailed, 3)),
    ]);
    for mode in MODES {
        assert_eq!(ends(program, mode), expected, "{mode:?}");
    }
}

/// A run that fails does not show what a procedure without branches does.
#[test]
fn a_procedure_without_branches_has_a_test_that_returns() {
    let program = "proc f(cons x, int n) returns int {
        int y := x.head / n;
        return y;
    }";
    let expected = BTreeSet::from([
        None,
        Some((FaultKind::NullDereference, 2)),
        Some((FaultKind::DivisionByZero, 2)),
    ]);
    for mode in MODES {
        assert_eq!(ends(program, mode), expected, "{mode:?}");
    }
}
