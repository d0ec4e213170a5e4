//! Suites: what is kept, compared with all subsets.

mod random;

use std::collections::BTreeSet;

use heapwright_engine::{
    Branch, Input, Keep, Limit, Origin, Outcome, Report, Run, Status, Test, Verification,
    Violation, keep,
};
use heapwright_ir::machine::{Budget, Edge, Successor};
use heapwright_ir::{BlockId, FaultKind, FunctionId, Position};
use heapwright_logic::{Cell, ClassId, Heap, Loc};
use random::Source;

fn edge(number: u32) -> Edge {
    Edge {
        function: FunctionId(0),
        block: BlockId(number / 2),
        successor: Successor::Jump(number % 2),
    }
}

fn line(line: u32) -> Position {
    Position {
        line,
        ..Position::default()
    }
}

/// A test that returns, with an input of some size, that takes edges.
fn test(objects: u32, edges: &[u32]) -> Test {
    let cell = Cell {
        class: ClassId(0),
        fields: Vec::new(),
    };
    let cells = (0..objects).map(|index| (Loc(index), cell.clone()));
    Test {
        input: Input {
            heap: Heap {
                cells: cells.collect(),
            },
            ..Input::default()
        },
        origin: Origin::Path,
        decisions: Vec::new(),
        run: Run::returned(edges.iter().map(|&number| edge(number)).collect()),
    }
}

fn ending(outcome: Outcome, objects: u32, edges: &[u32]) -> Test {
    let mut test = test(objects, edges);
    test.run.outcome = outcome;
    test
}

/// A report in which every branch that a test takes counts.
fn report(tests: Vec<Test>) -> Report {
    let edges: BTreeSet<_> = tests
        .iter()
        .flat_map(|test| test.run.trail.clone())
        .collect();
    let jumps = edges
        .into_iter()
        .filter(|edge| matches!(edge.successor, Successor::Jump(_)));
    let branches = jumps.map(|edge| Branch {
        edge,
        position: Position::default(),
        status: Status::Open(Limit::Goal),
    });
    Report {
        branches: branches.collect(),
        tests,
        ..Report::default()
    }
}

fn check(what: Keep, tests: Vec<Test>, expected: &[usize]) {
    assert_eq!(keep(&report(tests), what), expected);
}

#[test]
fn few_tests_beat_greedy_choice() {
    // The largest set is not needed.
    let tests = || {
        vec![
            test(1, &[0, 1, 2, 3]),
            test(5, &[0, 1, 4]),
            test(5, &[2, 3, 5]),
            test(0, &[4]),
        ]
    };
    check(Keep::Coverage, tests(), &[1, 2]);
    check(Keep::Paths, tests(), &[0, 1, 2, 3]);
}

#[test]
fn small_inputs_and_short_runs_are_preferred() {
    let tests = vec![
        test(3, &[0, 1]),
        test(2, &[0, 1, 0, 1]),
        test(2, &[1, 0]),
        test(0, &[0]),
        test(2, &[0, 1]),
    ];
    check(Keep::Coverage, tests, &[2]);
}

#[test]
fn tests_that_return_are_preferred() {
    let threw = Outcome::Threw {
        class: ClassId(1),
        fault: None,
        position: line(1),
    };
    // The smallest test that throws is kept as a finding; the other one is not needed.
    let tests = vec![
        ending(threw, 2, &[0, 1, 2]),
        ending(threw, 1, &[0]),
        test(7, &[1, 2]),
    ];
    check(Keep::Coverage, tests, &[1, 2]);
}

#[test]
fn one_test_remains_without_branches() {
    check(
        Keep::Coverage,
        vec![test(3, &[]), test(1, &[]), test(2, &[])],
        &[1],
    );
    check(Keep::Coverage, Vec::new(), &[]);
}

#[test]
fn handlers_are_no_branches() {
    let handler = |index| Edge {
        successor: Successor::Handler(index),
        ..edge(0)
    };
    let mut caught = test(3, &[0]);
    caught.run.trail.push(handler(0));
    check(Keep::Coverage, vec![caught, test(1, &[0])], &[1]);
}

#[test]
fn every_finding_is_kept_with_its_smallest_input() {
    let fault = |kind, at| Outcome::Fault {
        kind,
        position: line(at),
    };
    let threw = |class, at| Outcome::Threw {
        class: ClassId(class),
        fault: None,
        position: line(at),
    };
    let exhausted = |budget, at| Outcome::OutOfBudget {
        budget,
        position: line(at),
    };
    let outcomes = [
        fault(FaultKind::NullDereference, 1),
        fault(FaultKind::NullDereference, 2),
        fault(FaultKind::UseAfterFree, 1),
        threw(0, 1),
        threw(1, 1),
        threw(1, 2),
        exhausted(Budget::Steps, 1),
        exhausted(Budget::Steps, 2),
        exhausted(Budget::Depth, 2),
    ];
    // Every finding three times; the second is the smallest.
    let mut tests = Vec::new();
    for outcome in outcomes {
        tests.extend([3, 1, 2].map(|objects| ending(outcome, objects, &[0, 1])));
    }
    for objects in [3, 1, 2] {
        let mut leaking = test(objects, &[0]);
        leaking.run.leaks = vec![Loc(0)];
        tests.push(leaking);
    }
    for objects in [3, 1, 2] {
        let mut violating = test(objects, &[1]);
        let reason = format!("{objects} objects");
        violating.run.postcondition = Some(Verification::Violated(Violation::IllFormed(reason)));
        tests.push(violating);
    }
    // Nothing is wrong with these: one of them checks what the findings cannot.
    for verification in [Verification::Holds, Verification::Undecided(String::new())] {
        let mut fine = test(0, &[0, 1]);
        fine.run.postcondition = Some(verification);
        tests.push(fine);
    }
    let mut expected: Vec<usize> = (0..11).map(|finding| 3 * finding + 1).collect();
    expected.push(33);
    check(Keep::Coverage, tests, &expected);
}

#[test]
fn failed_assumptions_are_never_kept() {
    let failed = Outcome::AssumptionFailed { position: line(1) };
    for what in [Keep::Coverage, Keep::Paths, Keep::All] {
        let tests = vec![ending(failed, 0, &[0, 1, 2]), test(1, &[0])];
        check(what, tests, &[1]);
        check(what, vec![ending(failed, 0, &[0])], &[]);
    }
}

#[test]
fn one_test_for_each_path() {
    let fault = |at| Outcome::Fault {
        kind: FaultKind::NullDereference,
        position: line(at),
    };
    let tests = || {
        vec![
            test(3, &[0, 1]),
            test(3, &[1, 0]),
            test(2, &[0, 1]),
            test(2, &[0, 1]),
            ending(fault(1), 9, &[0, 1]),
            ending(fault(2), 9, &[0, 1]),
            ending(fault(2), 9, &[0, 1]),
            test(0, &[0, 1, 0]),
        ]
    };
    check(Keep::Paths, tests(), &[1, 2, 4, 5, 7]);
    check(Keep::All, tests(), &Vec::from_iter(0..8));
}

/// What is compared: tests, tests that do not return, objects, length.
fn cost(tests: &[Test], kept: impl IntoIterator<Item = usize>) -> (usize, usize, usize, usize) {
    kept.into_iter().fold((0, 0, 0, 0), |sum, index| {
        let run = &tests[index].run;
        let other = usize::from(run.outcome != Outcome::Returned);
        let objects = tests[index].input.heap.cells.len();
        (
            sum.0 + 1,
            sum.1 + other,
            sum.2 + objects,
            sum.3 + run.trail.len(),
        )
    })
}

fn edges(tests: &[Test], kept: impl IntoIterator<Item = usize>) -> BTreeSet<Edge> {
    let trails = kept.into_iter().map(|index| &tests[index].run.trail);
    trails.flatten().copied().collect()
}

fn random_tests(source: &mut Source, count: usize, bound: usize, share: usize) -> Vec<Test> {
    let mut tests = Vec::new();
    for _ in 0..count {
        let edges: Vec<u32> = (0..bound as u32).filter(|_| source.chance(share)).collect();
        tests.push(test(source.below(5) as u32, &edges));
        if source.chance(10) {
            let position = line(source.below(2) as u32);
            let kind = FaultKind::NullDereference;
            tests.last_mut().unwrap().run.outcome = Outcome::Fault { kind, position };
        }
    }
    tests
}

#[test]
fn no_subset_is_better() {
    let mut sizes = BTreeSet::new();
    for seed in 0..400 {
        let source = &mut Source::new(seed);
        let (count, bound) = (1 + source.below(11), 1 + source.below(12));
        let share = 15 + source.below(40);
        let tests = random_tests(source, count, bound, share);
        let all = edges(&tests, 0..tests.len());
        let mut forced = BTreeSet::new();
        for at in 0..2 {
            let position = line(at);
            let kind = FaultKind::NullDereference;
            let fault = Outcome::Fault { kind, position };
            let showing = (0..tests.len()).filter(|&index| tests[index].run.outcome == fault);
            forced.extend(showing.min_by_key(|&index| {
                let objects = tests[index].input.heap.cells.len();
                (objects, tests[index].run.trail.len(), index)
            }));
        }
        let members = |subset: u32| (0..count).filter(move |index| subset >> index & 1 == 1);
        // Tests that return have to cover on their own what such tests cover at all.
        let returning = |subset: u32| {
            members(subset).filter(|&index| tests[index].run.outcome == Outcome::Returned)
        };
        let everything = (1 << count) - 1;
        let fits = |&subset: &u32| {
            subset != 0
                && forced.iter().all(|index| subset >> index & 1 == 1)
                && edges(&tests, members(subset)) == all
                && edges(&tests, returning(subset)) == edges(&tests, returning(everything))
                && (returning(subset).count() > 0 || returning(everything).count() == 0)
        };
        let subsets = (0..1 << count).filter(fits);
        let best = subsets.map(|subset| cost(&tests, members(subset))).min();
        let report = report(tests);
        let kept = keep(&report, Keep::Coverage);
        assert_eq!(
            edges(&report.tests, kept.iter().copied()),
            all,
            "seed {seed}"
        );
        assert!(forced.iter().all(|index| kept.contains(index)));
        assert!(kept.is_sorted());
        let found = cost(&report.tests, kept.iter().copied());
        assert_eq!(Some(found), best, "seed {seed}");
        sizes.insert(kept.len());
    }
    // Trivial answers are not all there is.
    assert!(sizes.len() >= 5, "{sizes:?}");
}

#[test]
fn large_suites_are_covered_without_redundancy() {
    for (seed, bound, share) in [(1, 300, 3), (2, 100, 10), (3, 600, 1)] {
        let tests = random_tests(&mut Source::new(seed), 1000, bound, share);
        let all = edges(&tests, 0..tests.len());
        let report = report(tests);
        let kept = keep(&report, Keep::Coverage);
        assert_eq!(keep(&report, Keep::Coverage), kept);
        assert_eq!(edges(&report.tests, kept.iter().copied()), all);
        for &left_out in &kept {
            if report.tests[left_out].run.outcome == Outcome::Returned {
                let rest = kept.iter().copied().filter(|&index| index != left_out);
                assert_ne!(edges(&report.tests, rest), all, "{left_out} is redundant");
            }
        }
    }
}
