//! What a search must not claim, and what it must not miss, on small programs that once misled it.

mod specified;

use heapwright_engine::{
    Keep, Limit, Mode, Options, Outcome, Report, SourceLine, Status, StopReason, StrategyKind,
    ValueChoice, explore, keep,
};
use heapwright_ir::FaultKind;
use specified::Specified;

const LIST: &str = "pred list(x) := emp & x = null | exists n. x -> Node(next: n) * list(n);\n";

fn search(program: &str, specification: &str, name: &str, options: &Options) -> Report {
    let program = format!("struct Node {{ int value; Node next; }}\n{program}");
    let specified = Specified::new(&program, specification);
    let report = explore(&specified.subject(name), options, &mut |_| {}).expect("a search");
    assert_eq!(report.statistics.divergences, 0, "{program}");
    report
}

fn options(mode: Mode) -> Options {
    Options {
        mode,
        ..Options::default()
    }
}

fn is_infeasible(report: &Report) -> bool {
    let mut branches = report.branches.iter();
    branches.any(|branch| matches!(branch.status, Status::Infeasible(_)))
}

/// Only one input of a path is tried, so nothing is proved by its being invalid.
#[test]
fn a_filter_proves_nothing() {
    let report = search(
        "proc f(int n) returns int { if (n > 0) then return 1; return 0 }",
        "pre f(n) := emp & n > 7;",
        "f",
        &options(Mode::Lazy { filter: true }),
    );
    assert!(!is_infeasible(&report), "{:?}", report.branches);
    assert!(matches!(report.open, Some((Limit::Filter, 0))));
}

/// A reference for whose sake an instance is unfolded may turn out to be null or an older object
/// by the disjunct that is taken; these are alternatives of their own.
#[test]
fn a_disjunct_that_decides_a_reference_elsewhere_is_another_alternative() {
    let specification = format!(
        "{LIST}pred either(x, y, z) := list(x) & y = z | list(y) & x = null;
        pre f(x, y) := either(x, y, null);
        pre g(x, y, z) := z -> Node(_, null) * either(x, y, z);"
    );
    let program = "
        proc f(Node x, Node y) returns int { if (y.value > 0) then return 1; return 0 }
        proc g(Node x, Node y, Node z) returns int {
            if (y.value > 0) then return 1;
            if (y == y.next) then return 2;
            return 0
        }";
    for mode in [Mode::Concolic, Mode::Symbolic] {
        for name in ["f", "g"] {
            let every_path = Options {
                stop_when_covered: false,
                ..options(mode)
            };
            let report = search(program, &specification, name, &every_path);
            let faults = (report.tests.iter())
                .filter(|test| matches!(test.run.outcome, Outcome::Fault { .. }));
            assert!(faults.count() > 0, "{mode:?} {name}");
            let covered = (report.branches.iter())
                .filter(|branch| matches!(branch.status, Status::Covered { .. }));
            assert!(covered.count() >= 2, "{mode:?} {name}");
        }
    }
}

/// What a budget, a mode or a strategy leaves out is open.
#[test]
fn what_was_not_explored_is_open() {
    let late = "proc f(int n) returns int {
        int i := 0;
        while (i < 30000) { i := i + 1 }
        if (n == 3) then return 1;
        return i
    }";
    let report = search(late, "", "f", &Options::default());
    assert!(
        matches!(report.open, Some((Limit::Run, 0))),
        "{:?}",
        report.open
    );
    let deep = "proc f(int a, int b, int c) returns int {
        if (a == 1) then if (b == 1) then if (c == 1) then return 1;
        return 0
    }";
    let bounded = Options {
        strategy: StrategyKind::DepthBounded(1),
        ..Options::default()
    };
    let report = search(deep, "", "f", &bounded);
    assert_eq!(report.stop, StopReason::Exhausted);
    assert!(matches!(report.open, Some((Limit::Depth, _))));
    let report = search(deep, "", "f", &options(Mode::Specification));
    assert!(matches!(report.open, Some((Limit::Specification, _))));
}

/// A search for a place ends with the batch that reaches it, however many tests a path gives.
#[test]
fn a_place_that_is_reached_ends_the_search() {
    let program = "proc f(Node x, Node y, int k) returns int {
        if (x == nil) then { if (y == nil) then return 0; return 1 }
        if (k /= 12345) then
            return 3;
        return 2
    }";
    let options = Options {
        reach: Some(SourceLine { file: 0, line: 5 }),
        values: ValueChoice::Shapes(30),
        ..Options::default()
    };
    let report = search(program, "", "f", &options);
    assert_eq!(report.stop, StopReason::Reached);
}

/// A test that shows a fault checks nothing, so it does not replace one that returns.
#[test]
fn a_suite_has_a_test_that_returns_if_there_is_one() {
    let program = "proc f(Node x, Node y) { x.next := y; }";
    let report = search(program, "", "f", &Options::default());
    let kept = keep(&report, Keep::Coverage);
    let outcomes: Vec<Outcome> = kept
        .iter()
        .map(|&index| report.tests[index].run.outcome)
        .collect();
    assert!(outcomes.contains(&Outcome::Returned), "{outcomes:?}");
    assert!(
        outcomes
            .iter()
            .any(|outcome| matches!(outcome, Outcome::Fault { .. }))
    );
}

/// The use of a freed object is worth a look when every branch is covered.
#[test]
fn freed_objects_are_goals() {
    let program = "proc f(Node x) returns int {
        int n := 0;
        while (x /= nil) {
            Node t := x;
            x := x.next;
            free t;
            n := n + 1
        }
        return n
    }";
    for mode in [Mode::Concolic, Mode::Symbolic] {
        let report = search(program, "", "f", &options(mode));
        let used = report.tests.iter().any(|test| {
            let kind = FaultKind::UseAfterFree;
            matches!(test.run.outcome, Outcome::Fault { kind: found, .. } if found == kind)
        });
        assert!(used, "{mode:?}");
    }
}
