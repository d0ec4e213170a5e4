//! Bounds: every one of them ends a search, or leaves a part of it out, and the report says so.

mod specified;

use std::sync::mpsc;
use std::time::Duration;

use heapwright_engine::{
    Bound, Bounds, Fate, Interrupt, Limit, Mode, Options, Outcome, Report, Status, StopReason,
    Subject, Verification, explore, oracle,
};
use heapwright_ir::machine::{Budget, Budgets};
use heapwright_logic::Value;
use specified::Specified;

const MODES: [Mode; 2] = [Mode::Concolic, Mode::Symbolic];

const LIST: &str = "pred list(x) := emp & x = nil | exists n. x -> cons(_, n) * list(n);";

/// The last branch needs six objects.
const SIX: &str = "
proc six(cons x) returns bool {
    int n := 0;
    while (x /= nil) { n := n + 1; x := x.tail }
    if (n == 6) then return true;
    return false;
}";

fn unbounded() -> Bounds {
    Bounds {
        time: None,
        ..Bounds::default()
    }
}

fn search(subject: &Subject, mode: Mode, bounds: Bounds) -> Report {
    let options = Options {
        mode,
        bounds,
        ..Options::default()
    };
    let report = explore(subject, &options, &mut |_| {}).unwrap();
    assert_eq!(report.statistics.divergences, 0);
    for test in &report.tests {
        let verdict = oracle::precondition(subject, &test.input);
        assert_eq!(verdict, Verification::Holds);
    }
    report
}

fn search_six(mode: Mode, bounds: Bounds) -> Report {
    let example = Specified::new(SIX, &format!("{LIST} pre six(x) := list(x);"));
    search(&example.subject("six"), mode, bounds)
}

/// The verdict on the branch that needs six objects.
fn last_branch(report: &Report) -> Status {
    assert_eq!(report.branches.len(), 4);
    report.branches[2].status.clone()
}

/// What kept a search from covering the branch that needs six objects.
fn limit(report: &Report) -> Limit {
    match last_branch(report) {
        Status::Unreached { limit, .. } | Status::Open(limit) => limit,
        status => panic!("{status:?}"),
    }
}

/// Every alternative that no test takes has a reason: a proof, or what ended the search.
#[test]
fn alternatives_without_a_test_have_a_reason() {
    for mode in MODES {
        let bounds = Bounds {
            paths: 2,
            ..unbounded()
        };
        let report = search_six(mode, bounds);
        let told = &report.alternatives.told;
        let open = told
            .iter()
            .filter(|end| end.fate == Fate::Open(Limit::Paths));
        assert!(open.count() > 0, "{mode:?}: {told:?}");
        let counted = report.alternatives.open + report.alternatives.infeasible;
        assert_eq!(counted, told.len() as u64, "{mode:?}");

        // Nothing is left open by a search that comes to its end, and `x < x` is no input.
        let text = "proc f(int x, int y) returns int {
            if (x < y) then { if (y < x) then return 1; return 2 }; return 3 }";
        let example = Specified::new(text, "pre f(x, y) := emp;");
        let options = Options {
            mode,
            bounds: unbounded(),
            stop_when_covered: false,
            ..Options::default()
        };
        let report = explore(&example.subject("f"), &options, &mut |_| {}).unwrap();
        assert_eq!(report.stop, StopReason::Exhausted, "{mode:?}");
        assert_eq!(report.alternatives.open, 0, "{mode:?}");
        for end in &report.alternatives.told {
            assert_eq!(end.fate, Fate::Infeasible, "{mode:?}");
        }
    }
}

#[test]
fn the_usual_bounds_suffice() {
    for mode in MODES {
        let report = search_six(mode, unbounded());
        assert_eq!(report.stop, StopReason::Covered, "{mode:?}");
        let Status::Covered { test } = last_branch(&report) else {
            panic!("{mode:?}");
        };
        assert_eq!(report.tests[test].input.heap.cells.len(), 6);
    }
}

/// Bounds on paths: the search ends when nothing is left within them.
#[test]
fn bounds_on_paths_leave_parts_out() {
    let usual = unbounded();
    for mode in MODES {
        for (bounds, expected) in [
            (Bounds { depth: 3, ..usual }, Limit::Depth),
            (
                Bounds {
                    loops: Bound::fixed(2),
                    ..usual
                },
                Limit::Loops,
            ),
            (
                Bounds {
                    objects: Bound::fixed(2),
                    ..usual
                },
                Limit::Objects,
            ),
        ] {
            let report = search_six(mode, bounds);
            assert_eq!(report.stop, StopReason::Exhausted, "{mode:?}, {expected:?}");
            assert_eq!(limit(&report), expected, "{mode:?}");
            let cut = &report.statistics.cut;
            assert!(
                cut.get(&expected).is_some_and(|&count| count > 0),
                "{mode:?}: {cut:?}"
            );
            assert!(report.tests.len() > 1, "{mode:?}, {expected:?}");
        }
    }
}

/// A bound on objects leaves a verdict: nothing of that size takes the branch. (Concolic execution
/// runs an input that has one object more than it may look at to its end.)
#[test]
fn a_bound_on_objects_is_a_verdict() {
    let with = |mode, objects| {
        let bounds = Bounds {
            objects: Bound::fixed(objects),
            ..unbounded()
        };
        last_branch(&search_six(mode, bounds))
    };
    for mode in MODES {
        for objects in 1..5 {
            let expected = Status::Unreached {
                objects,
                limit: Limit::Objects,
            };
            assert_eq!(with(mode, objects), expected, "{mode:?}");
        }
        assert!(matches!(with(mode, 6), Status::Covered { .. }), "{mode:?}");
    }
}

/// Bounds on the search: it ends, with what was found.
#[test]
fn bounds_on_the_search_end_it() {
    let usual = unbounded();
    for mode in MODES {
        for (bounds, expected) in [
            (Bounds { paths: 2, ..usual }, Limit::Paths),
            (
                Bounds {
                    patience: 0,
                    ..usual
                },
                Limit::Patience,
            ),
            (
                Bounds {
                    solver_calls: 1,
                    ..usual
                },
                Limit::SolverCalls,
            ),
            (Bounds { memory: 1, ..usual }, Limit::Memory),
        ] {
            let report = search_six(mode, bounds);
            assert_eq!(report.stop, StopReason::Limit(expected), "{mode:?}");
            assert_eq!(limit(&report), expected, "{mode:?}");
            assert!(!report.tests.is_empty(), "{mode:?}, {expected:?}");
        }
        let zero = Some(Duration::ZERO);
        let report = search_six(
            mode,
            Bounds {
                time: zero,
                ..usual
            },
        );
        assert_eq!(report.stop, StopReason::Limit(Limit::Time), "{mode:?}");
        assert_eq!(limit(&report), Limit::Time, "{mode:?}");
    }
}

/// Bounds also hold in the modes that do not look at the code or at the precondition.
#[test]
fn other_modes_are_bounded_too() {
    for mode in [Mode::Specification, Mode::Lazy { filter: true }] {
        let zero = Some(Duration::ZERO);
        let report = search_six(
            mode,
            Bounds {
                time: zero,
                ..unbounded()
            },
        );
        assert_eq!(report.stop, StopReason::Limit(Limit::Time), "{mode:?}");
        let report = search_six(
            mode,
            Bounds {
                memory: 1,
                ..unbounded()
            },
        );
        assert_eq!(report.stop, StopReason::Limit(Limit::Memory), "{mode:?}");
    }
}

/// A search that somebody ends keeps the tests that it has found, and calls nothing infeasible.
#[test]
fn an_interrupted_search_keeps_its_tests() {
    let example = Specified::new(SIX, &format!("{LIST} pre six(x) := list(x);"));
    let subject = example.subject("six");
    for mode in MODES {
        let interrupt = Interrupt::default();
        let options = Options {
            mode,
            bounds: unbounded(),
            interrupt: interrupt.clone(),
            ..Options::default()
        };
        let report = explore(&subject, &options, &mut |_| interrupt.set()).unwrap();
        let expected = StopReason::Limit(Limit::Interrupted);
        assert_eq!(report.stop, expected, "{mode:?}");
        assert!(!report.tests.is_empty(), "{mode:?}");
        assert_eq!(limit(&report), Limit::Interrupted, "{mode:?}");
    }
}

/// The outcomes of all tests, with the first argument of each.
fn outcomes(report: &Report) -> Vec<(i128, Outcome)> {
    let tests = report.tests.iter();
    tests
        .map(|test| match test.input.arguments[0] {
            Value::Int(number) => (number, test.run.outcome),
            other => panic!("{other}"),
        })
        .collect()
}

/// Runs that never end are tests whose budget is used up; the others are kept beside them.
#[test]
fn endless_programs_end_by_budget() {
    for (program, expected) in [
        ("if (n > 5) then { while (true) { skip } }", Budget::Steps),
        (
            "if (n > 5) then { while (n > 5) { n := n + 0 } }",
            Budget::Steps,
        ),
        ("if (n > 5) then f(n)", Budget::Depth),
        (
            "if (n > 5) then { while (n > 5) { cons c := new cons } }",
            Budget::Objects,
        ),
    ] {
        let example = Specified::new(&format!("proc f(int n) {{ {program} }}"), "");
        let subject = example.subject("f");
        for mode in MODES {
            let options = Options {
                mode,
                bounds: unbounded(),
                budgets: Budgets {
                    steps: 10_000,
                    depth: 100,
                    objects: 100,
                    ..Budgets::default()
                },
                ..Options::default()
            };
            let report = explore(&subject, &options, &mut |_| {}).unwrap();
            assert_eq!(report.statistics.divergences, 0, "{mode:?}: {program}");
            let found = outcomes(&report);
            let ended = |(n, outcome): &(i128, Outcome)| *n <= 5 && *outcome == Outcome::Returned;
            assert!(found.iter().any(ended), "{mode:?}: {program}: {found:?}");
            let endless = |(n, outcome): &(i128, Outcome)| match outcome {
                Outcome::OutOfBudget { budget, .. } => *n > 5 && *budget == expected,
                _ => false,
            };
            assert!(found.iter().any(endless), "{mode:?}: {program}: {found:?}");
            assert!(found.iter().all(|found| ended(found) || endless(found)));
        }
    }
}

/// The clock ends runs that the budget of steps would let go on for years. What was found before
/// is kept, and the report says what ended the search.
#[test]
fn the_clock_ends_single_runs() {
    let program = "
proc f(int n) {
    if (n > 5) then { while (n > 5) { n := n + 0 } }
}";
    let example = Specified::new(program, "");
    let subject = example.subject("f");
    for mode in MODES {
        for jobs in [1, 2] {
            let options = Options {
                mode,
                bounds: Bounds {
                    time: Some(Duration::from_secs(1)),
                    loops: Bound::fixed(u32::MAX),
                    ..Bounds::default()
                },
                budgets: Budgets {
                    steps: u64::MAX,
                    ..Budgets::default()
                },
                jobs,
                ..Options::default()
            };
            let report = explore(&subject, &options, &mut |_| {}).unwrap();
            assert_eq!(report.statistics.divergences, 0, "{mode:?}");
            assert_eq!(report.stop, StopReason::Limit(Limit::Time), "{mode:?}");
            assert_eq!(report.open, Some((Limit::Time, 0)), "{mode:?}");
            let found = outcomes(&report);
            let ended = |(n, outcome): &(i128, Outcome)| *n <= 5 && *outcome == Outcome::Returned;
            assert!(!found.is_empty() && found.iter().all(ended), "{found:?}");
        }
    }
}

/// A loop that asks its input again and again, and so could be left after any iteration.
#[test]
fn loops_that_may_go_on_for_ever_are_bounded() {
    let program = "
proc f(int n, int stop) returns int {
    int i := 0;
    while (n + i /= stop) { i := i + 1 }
    if (i == 1_000_000) then return 1;
    return 0;
}";
    let example = Specified::new(program, "");
    let subject = example.subject("f");
    for mode in MODES {
        let bounds = Bounds {
            loops: Bound::fixed(10),
            ..unbounded()
        };
        let report = search(&subject, mode, bounds);
        let statuses: Vec<_> = report.branches.iter().map(|known| &known.status).collect();
        let [
            Status::Covered { .. },
            Status::Covered { .. },
            Status::Unreached {
                limit: Limit::Loops,
                ..
            }
            | Status::Open(Limit::Loops),
            Status::Covered { .. },
        ] = statuses[..]
        else {
            panic!("{mode:?}: {statuses:?}");
        };
    }
}

/// Recursion that asks its input again and again.
#[test]
fn recursion_that_may_go_on_for_ever_is_bounded() {
    let program = "
proc f(int n, int stop) returns int {
    if (n == stop) then return 0;
    int rest := f(n + 1, stop);
    if (rest == 1_000_000) then return 0;
    return rest + 1;
}";
    let example = Specified::new(program, "");
    let subject = example.subject("f");
    for mode in MODES {
        let bounds = Bounds {
            depth: 12,
            ..unbounded()
        };
        let report = search(&subject, mode, bounds);
        let statuses: Vec<_> = report.branches.iter().map(|known| &known.status).collect();
        let [
            Status::Covered { .. },
            Status::Covered { .. },
            Status::Unreached {
                limit: Limit::Depth,
                ..
            }
            | Status::Open(Limit::Depth),
            Status::Covered { .. },
        ] = statuses[..]
        else {
            panic!("{mode:?}: {statuses:?}");
        };
    }
}

#[test]
fn a_precondition_that_no_heap_satisfies_is_reported_at_once() {
    for specification in [
        "pre f(x) := x -> cons(v, nil) & v > 3 & v < 3;",
        "pre f(x) := emp & x != nil & x = nil;",
        "pre f(x) := exists n. x -> cons(_, n) * x -> cons(_, n);",
        "pred endless(x) := exists n. x -> cons(_, n) * endless(n); pre f(x) := endless(x);",
        "pred up(x, lo) := emp & x = nil & lo > 9 | exists v, n. x -> cons(v, n) * up(n, v) & v < lo;
        pre f(x) := up(x, 5) & x = nil;",
    ] {
        let program = "proc f(cons x) { if (x /= nil) then x := x.tail }";
        let example = Specified::new(program, specification);
        let subject = example.subject("f");
        for mode in [Mode::Specification, Mode::Concolic, Mode::Symbolic] {
            let report = search(&subject, mode, unbounded());
            assert_eq!(report.stop, StopReason::Unsatisfiable, "{mode:?}: {specification}");
            assert!(report.tests.is_empty());
            let statistics = &report.statistics;
            assert_eq!((statistics.paths, statistics.formulas), (0, 0));
            let mut branches = report.branches.iter();
            assert!(branches.all(|branch| matches!(branch.status, Status::Infeasible(_))));
        }
    }
}

/// Three cubes with a certain sum: nobody knows whether there are any.
#[test]
fn a_precondition_that_is_too_hard_does_not_hang() {
    let program = "proc f(int n) { if (n > 0) then skip }";
    let specification = "pre f(n) := emp & a * a * a + b * b * b + c * c * c = 114 & n < 9;";
    for mode in [Mode::Specification, Mode::Concolic, Mode::Symbolic] {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let example = Specified::new(program, specification);
            let bounds = Bounds {
                time: Some(Duration::from_secs(1)),
                ..Bounds::default()
            };
            let _ = sender.send(search(&example.subject("f"), mode, bounds));
        });
        // Much more than allowed: this only tells a search that ends from one that does not.
        let report = receiver.recv_timeout(Duration::from_secs(20));
        let report = report.unwrap_or_else(|error| panic!("{mode:?}: {error}"));
        // Nothing is claimed that nobody knows.
        assert_ne!(report.stop, StopReason::Unsatisfiable, "{mode:?}");
        assert!(report.tests.is_empty(), "{mode:?}");
        for branch in &report.branches {
            let open = matches!(branch.status, Status::Open(_));
            assert!(open, "{mode:?}: {:?}", branch.status);
        }
    }
}
