//! The report on one operation: its tests, and the branches that they cover.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use heapwright_ir::FunctionId;
use heapwright_ir::machine::{Edge, MachineError, Missing};

use super::play::{Observation, Played, play};
use super::{DataType, Exploration, Sequence, SequenceBounds};
use crate::check::replay::Conditions;
use crate::check::steadiness::{self, Steadiness};
use crate::check::verdict::branches;
use crate::options::Options;
use crate::report::{Limit, Origin, Outcome, Report, Status, StopReason, Test};
use crate::search::explore::coverage_of;
use crate::subject::Subject;

/// How a test of a report came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequenceTest {
    /// The calls.
    pub sequence: Sequence,
    /// What observers say afterwards.
    pub observations: Vec<Observation>,
    /// The branches that the calls before the last one took.
    pub before: BTreeSet<Edge>,
}

/// The tests of an operation that a search has kept, and how each came about. The subject is the operation's function in the program that the search ended with.
pub fn report(
    subject: &Subject,
    data_type: &DataType,
    exploration: &Exploration,
    operation: usize,
    observers: &[FunctionId],
    bounds: &SequenceBounds,
) -> (Report, Vec<SequenceTest>) {
    let mut report = Report {
        stop: exploration.stop,
        missing: exploration.missing.clone(),
        ..Report::default()
    };
    let mut sequences = Vec::new();
    let Ok(mut coverage) = coverage_of(subject, &Options::default()) else {
        return (report, sequences);
    };
    let kept = exploration.tests.get(operation).into_iter().flatten();
    let begin = Instant::now();
    let mut bytes = 0;
    let mut limit = match exploration.stop {
        StopReason::Limit(limit) => limit,
        _ => Limit::Sequences,
    };
    for sequence in kept {
        // Tests are played within the bounds of the search, for each operation anew.
        let late = bounds.time.is_some_and(|time| begin.elapsed() >= time);
        if late || bytes >= bounds.memory {
            limit = if late { Limit::Time } else { Limit::Memory };
            report.stop = StopReason::Limit(limit);
            break;
        }
        let played = play(
            subject,
            data_type,
            sequence,
            observers,
            bounds.budgets,
            Conditions::default(),
            0,
        );
        let Ok(Some(played)) = played else {
            continue;
        };
        let Played {
            input,
            run,
            observations,
            before,
        } = played;
        if matches!(run.outcome, Outcome::AssumptionFailed { .. }) {
            continue;
        }
        let again = |conditions| {
            let played = play(
                subject,
                data_type,
                sequence,
                observers,
                bounds.budgets,
                conditions,
                0,
            );
            let missing = || MachineError::Missing(Missing::Intrinsic("a call before".to_owned()));
            played.and_then(|played| played.map(|played| played.run).ok_or_else(missing))
        };
        match steadiness::compare(subject, &run, Conditions::default(), again) {
            Steadiness::Steady => {}
            Steadiness::DependsOn(part) => {
                if limit == Limit::Sequences {
                    limit = Limit::Environment(part);
                }
                continue;
            }
            Steadiness::Missing(_) => continue,
        }
        let index = report.tests.len();
        for &edge in &run.trail {
            let new = coverage.cover(edge, index);
            if new && coverage.get(edge).is_some_and(|known| known.infeasible) {
                report.statistics.divergences += 1;
            }
        }
        report.checked.add(&input, &run);
        let cells = input.heap.cells.len() + run.heap.cells.len();
        bytes += 200 * cells as u64 + 16 * (run.trail.len() + run.lines.len()) as u64;
        report.tests.push(Test {
            input,
            origin: Origin::Sequence(sequence.calls.len() as u32),
            decisions: Vec::new(),
            run,
        });
        sequences.push(SequenceTest {
            sequence: sequence.clone(),
            observations,
            before,
        });
    }
    report.open = Some((limit, 0));
    report.branches = branches(&coverage, &Status::Open(limit));
    if coverage.all_covered() && !report.tests.is_empty() {
        report.stop = StopReason::Covered;
    }
    report.statistics.paths = report.tests.len() as u64;
    report.statistics.states = exploration.states;
    report.statistics.transitions = exploration.transitions;
    report.statistics.matched = exploration.matched;
    report.statistics.execution = exploration.time;
    report.statistics.solving = Duration::ZERO;
    report.statistics.total = exploration.time;
    (report, sequences)
}
