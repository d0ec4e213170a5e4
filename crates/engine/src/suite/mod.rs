//! Suites: which of the tests that a search found are worth keeping.

mod bit_set;
mod branch_and_bound;
mod causes;
mod set_cover;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::{Budget, Edge};
use heapwright_ir::{FaultKind, Position};
use heapwright_logic::ClassId;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::mutation::Mutation;
use crate::report::{Outcome, Report, Test, Verification};
use set_cover::Cost;

pub use causes::{causes, clause};
pub use set_cover::{MinimalCover, minimal_cover};

/// What a suite has to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Keep {
    /// The same as `Coverage`, and every mutant that some test kills.
    #[default]
    Mutants,
    /// Every branch that some test takes, and the smallest input for every finding, with as few
    /// tests as possible.
    Coverage,
    /// One test for every path and outcome, and the smallest input for every finding.
    Paths,
    /// All tests.
    All,
}

/// Something about a run that a user wants to see at least once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum FailureClass {
    Fault(FaultKind, Position),
    Exception(ClassId, Position),
    OutOfBudget(Budget, Position),
    Leak,
    /// The postcondition does not hold: the clause, and the number of the cause.
    Violation(String, usize),
    /// The objects are not valid any more.
    BrokenInvariant(String, usize),
}

/// The tests to keep, as indices into those of the report, in their order. Tests whose assumption
/// failed are never kept. Nothing is known about mutants.
pub fn keep(report: &Report, keep: Keep) -> Vec<usize> {
    let tests = || report.tests.iter().enumerate().filter(of_interest);
    match keep {
        Keep::Coverage | Keep::Mutants => covering(report),
        Keep::Paths => {
            let mut kept = smallest_for_findings(&tests().collect::<Vec<_>>());
            kept.extend(paths(tests()));
            kept.into_iter().collect()
        }
        Keep::All => tests().map(|(index, _)| index).collect(),
    }
}

/// The tests to keep so that every branch is covered and every mutant is killed that some test kills.
///
/// To those that are kept for their branches come as few as possible for the mutants that are left;
/// then those are left out again that became redundant.
pub fn keep_killing(report: &Report, mutation: &Mutation) -> Vec<usize> {
    let mut kept: BTreeSet<usize> = covering(report).into_iter().collect();
    let killed = mutation.killed_by(kept.iter().copied());
    let killers: Vec<usize> = mutation.kills.keys().copied().collect();
    let killers = killers
        .into_iter()
        .filter(|index| report.tests.len() > *index);
    let killers: Vec<usize> = killers.collect();
    let sets: Vec<Vec<usize>> = (killers.iter())
        .map(|index| {
            let kills = mutation.kills.get(index).into_iter().flatten().copied();
            kills.filter(|mutant| !killed.contains(mutant)).collect()
        })
        .collect();
    let costs: Vec<Cost> = (killers.iter())
        .filter_map(|index| report.tests.get(*index).map(cost))
        .collect();
    let chosen = set_cover::smallest_cover(mutation.mutants.len(), &sets, &costs);
    kept.extend(chosen.into_iter().filter_map(|set| killers.get(set)));
    without_redundant(report, mutation, kept)
}

/// Leaves tests out, large ones first, whose branches other tests cover that end in the same way,
/// and whose mutants other tests kill. Tests that show a finding stay.
fn without_redundant(
    report: &Report,
    mutation: &Mutation,
    mut kept: BTreeSet<usize>,
) -> Vec<usize> {
    let counted: FxHashSet<Edge> = report.branches.iter().map(|branch| branch.edge).collect();
    let tests: Vec<(usize, &Test)> = (report.tests.iter().enumerate())
        .filter(of_interest)
        .collect();
    let findings = smallest_for_findings(&tests);
    let mut candidates: Vec<(usize, &Test)> = (tests.into_iter())
        .filter(|(index, _)| kept.contains(index) && !findings.contains(index))
        .collect();
    candidates.sort_by_key(|(index, test)| (Reverse(size(test)), *index));
    for (index, test) in candidates {
        let others = || kept.iter().copied().filter(|&other| other != index);
        // A test that shows something to be wrong checks nothing of what it covers.
        let same_ending = |other: usize| {
            let is_sound = test.run.outcome != Outcome::Returned || !findings.contains(&other);
            let other = report.tests.get(other).filter(|_| is_sound);
            other.filter(|other| other.run.outcome == test.run.outcome)
        };
        let edges: FxHashSet<Edge> = others()
            .filter_map(same_ending)
            .flat_map(|other| branches(other, &counted))
            .collect();
        let is_covered = others().filter_map(same_ending).next().is_some()
            && branches(test, &counted).all(|edge| edges.contains(&edge));
        let own = mutation.kills.get(&index).into_iter().flatten();
        let killed = mutation.killed_by(others());
        if is_covered && own.into_iter().all(|mutant| killed.contains(mutant)) {
            kept.remove(&index);
        }
    }
    kept.into_iter().collect()
}

fn of_interest((_, test): &(usize, &Test)) -> bool {
    !matches!(test.run.outcome, Outcome::AssumptionFailed { .. })
}

/// The smallest input for every finding; then as few tests as possible that return for what such
/// tests cover; then as few as possible for the branches that are left.
///
/// A test that shows a fault checks nothing, so what it covers counts only where no other test
/// gets.
pub(crate) fn covering(report: &Report) -> Vec<usize> {
    let tests: Vec<(usize, &Test)> = (report.tests.iter().enumerate())
        .filter(of_interest)
        .collect();
    let counted: FxHashSet<Edge> = report.branches.iter().map(|branch| branch.edge).collect();
    let mut kept: BTreeSet<usize> = smallest_for_findings(&tests);
    let (sound, faulty): (Vec<_>, Vec<_>) = (tests.into_iter())
        .partition(|(index, test)| findings(*index, test, &BTreeMap::new()).next().is_none());
    let mut seen: IndexSet<Edge, FxBuildHasher> = IndexSet::default();
    let (returning, throwing): (Vec<_>, Vec<_>) =
        (sound.into_iter()).partition(|(_, test)| test.run.outcome == Outcome::Returned);
    let only_throwing = returning.is_empty();
    cover(&returning, &counted, true, &mut seen, &mut kept);
    cover(&throwing, &counted, only_throwing, &mut seen, &mut kept);
    for (index, test) in &faulty {
        if kept.contains(index) {
            seen.extend(branches(test, &counted));
        }
    }
    let one_at_least = kept.is_empty();
    cover(&faulty, &counted, one_at_least, &mut seen, &mut kept);
    kept.into_iter().collect()
}

/// Chooses as few tests as possible for the branches that nobody has seen; one at least if that
/// is wanted and there are any.
fn cover(
    tests: &[(usize, &Test)],
    counted: &FxHashSet<Edge>,
    one_at_least: bool,
    seen: &mut IndexSet<Edge, FxBuildHasher>,
    kept: &mut BTreeSet<usize>,
) {
    // What is to be covered is numbered in the order of the trails. Number 0 is the function
    // itself, so that one test remains of a function without branches.
    let mut elements: IndexSet<Option<Edge>, FxBuildHasher> = IndexSet::default();
    elements.insert(None);
    let mut sets = Vec::with_capacity(tests.len());
    let mut costs = Vec::with_capacity(tests.len());
    for &(_, test) in tests {
        let mut set = BTreeSet::new();
        if one_at_least {
            set.insert(0);
        }
        for edge in branches(test, counted).filter(|edge| !seen.contains(edge)) {
            set.insert(elements.insert_full(Some(edge)).0);
        }
        sets.push(set.into_iter().collect());
        costs.push(cost(test));
    }
    let chosen = set_cover::smallest_cover(elements.len(), &sets, &costs);
    kept.extend(chosen.into_iter().filter_map(|set| Some(tests.get(set)?.0)));
    seen.extend(elements.into_iter().flatten());
}

/// The edges of a run that count for coverage.
fn branches(test: &Test, counted: &FxHashSet<Edge>) -> impl Iterator<Item = Edge> {
    let edges = test.run.edges();
    edges.filter(|edge| counted.contains(edge))
}

/// Few tests, then tests that return, then small inputs, then short runs.
fn cost(test: &Test) -> Cost {
    let returns = matches!(test.run.outcome, Outcome::Returned);
    let (objects, length) = size(test);
    Cost([1, u64::from(!returns), objects, length])
}

/// How large a test is: the objects of its input, then the length of its run.
fn size(test: &Test) -> (u64, u64) {
    let objects = test.input.heap.cells.len() as u64;
    (objects, test.run.trail.len() as u64)
}

fn smallest_for_findings(tests: &[(usize, &Test)]) -> BTreeSet<usize> {
    let causes = causes(tests.iter().copied());
    let mut smallest: IndexMap<FailureClass, (usize, &Test), FxBuildHasher> = IndexMap::default();
    for &(index, test) in tests {
        for finding in findings(index, test, &causes) {
            let known = smallest.entry(finding).or_insert((index, test));
            if size(test) < size(known.1) {
                *known = (index, test);
            }
        }
    }
    smallest.into_values().map(|(index, _)| index).collect()
}

fn findings(
    index: usize,
    test: &Test,
    causes: &BTreeMap<usize, usize>,
) -> impl Iterator<Item = FailureClass> {
    let ending = match test.run.outcome {
        Outcome::Returned | Outcome::AssumptionFailed { .. } => None,
        Outcome::Threw {
            class, position, ..
        } => Some(FailureClass::Exception(class, position)),
        Outcome::Fault { kind, position } => Some(FailureClass::Fault(kind, position)),
        Outcome::OutOfBudget { budget, position } => {
            Some(FailureClass::OutOfBudget(budget, position))
        }
    };
    let cause = causes.get(&index).copied().unwrap_or_default();
    let violated = |verdict: &Option<Verification>| match verdict {
        Some(Verification::Violated(reason)) => Some(clause(&reason.to_string())),
        _ => None,
    };
    let leak = (!test.run.leaks.is_empty()).then_some(FailureClass::Leak);
    let violation = violated(&test.run.postcondition);
    let violation = violation.map(|clause| FailureClass::Violation(clause, cause));
    let broken = violated(&test.run.invariant);
    let broken = broken.map(|clause| FailureClass::BrokenInvariant(clause, cause));
    let wrong = [leak, violation, broken].into_iter().flatten();
    ending.into_iter().chain(wrong)
}

/// The smallest test for each trail and outcome.
fn paths<'t>(tests: impl Iterator<Item = (usize, &'t Test)>) -> impl Iterator<Item = usize> {
    // Few outcomes share a trail, so a list is enough for them.
    let mut known: IndexMap<&[Edge], Vec<(usize, &Test)>, FxBuildHasher> = IndexMap::default();
    for (index, test) in tests {
        let same_trail = known.entry(&test.run.trail).or_default();
        let mut same_path = same_trail.iter_mut();
        match same_path.find(|(_, other)| other.run.outcome == test.run.outcome) {
            None => same_trail.push((index, test)),
            Some(smallest) if size(test) < size(smallest.1) => *smallest = (index, test),
            Some(_) => {}
        }
    }
    known.into_values().flatten().map(|(index, _)| index)
}
