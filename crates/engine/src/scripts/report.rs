//! The report on one function: its tests, and the branches that they cover.

use std::collections::BTreeSet;
use std::time::Instant;

use heapwright_ir::FunctionId;
use heapwright_ir::machine::{Edge, MachineError, Missing};

use super::replay::{Observation, Questions, Replayed, replay};
use super::{Catalogue, Found, Script, ScriptBounds, Scripts};
use crate::check::replay::Conditions;
use crate::check::steadiness::{self, Steadiness};
use crate::check::verdict::branches;
use crate::options::Options;
use crate::report::{Limit, Origin, Outcome, Report, Status, StopReason, Test};
use crate::search::explore::coverage_of;
use crate::subject::Subject;

/// How a test of a report came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptTest {
    /// The calls.
    pub script: Script,
    /// What observers say afterwards.
    pub observations: Vec<Observation>,
    /// The branches that the calls before the last one took.
    pub before: BTreeSet<Edge>,
}

/// What is reported on a function.
#[derive(Clone, Debug, Default)]
pub struct Reported {
    /// The report.
    pub report: Report,
    /// How each of its tests came about.
    pub tests: Vec<ScriptTest>,
    /// Functions whose code would be needed to say more: a run in another environment goes another
    /// way, an observer calls what no script has called. Once it is there, the report is to be made
    /// again.
    pub absent: BTreeSet<FunctionId>,
}

/// The tests of a function that a search has found. The program of the subject is that which the
/// search ended with, or one that has grown from it.
pub fn report(
    subject: &Subject,
    catalogue: &Catalogue,
    scripts: &Scripts,
    found: &[&Found],
    questions: Questions<'_>,
    bounds: &ScriptBounds,
) -> Reported {
    let mut report = Report {
        stop: scripts.stop,
        missing: scripts.missing.clone(),
        ..Report::default()
    };
    let mut tests = Vec::new();
    let mut absent = BTreeSet::new();
    let Ok(mut coverage) = coverage_of(subject, &Options::default()) else {
        return Reported {
            report,
            ..Reported::default()
        };
    };
    let begin = Instant::now();
    let mut limit = match scripts.stop {
        StopReason::Limit(limit) => limit,
        _ => Limit::Sequences,
    };
    for found in found {
        let play = |questions: Questions<'_>, conditions: Conditions| {
            replay(
                subject,
                catalogue,
                &found.script,
                questions,
                bounds.budgets,
                conditions,
                0,
            )
        };
        let replayed = match play(questions, Conditions::default()) {
            Ok(Some(replayed)) => replayed,
            Ok(None) => continue,
            Err(error) => {
                if let MachineError::Missing(missing) = error {
                    absent.extend(missing.function());
                }
                continue;
            }
        };
        let Replayed {
            input,
            run,
            observations,
            before,
            absent: unobserved,
        } = replayed;
        absent.extend(unobserved);
        if !matches!(run.outcome, Outcome::Returned | Outcome::Threw { .. }) {
            continue;
        }
        let again = |conditions| {
            let missing = || MachineError::Missing(Missing::Intrinsic("a call before".to_owned()));
            let quietly = Questions {
                observers: &[],
                ..questions
            };
            let played = play(quietly, conditions);
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
            Steadiness::Missing(missing) => {
                if limit == Limit::Sequences {
                    limit = Limit::Unsupported;
                }
                match missing {
                    Missing::Function(function) => drop(absent.insert(function)),
                    Missing::Intrinsic(name) => drop(report.missing.insert(name)),
                }
                continue;
            }
        }
        let index = report.tests.len();
        for &edge in &run.trail {
            let new = coverage.cover(edge, index);
            if new && coverage.get(edge).is_some_and(|known| known.infeasible) {
                report.statistics.divergences += 1;
            }
        }
        report.checked.add(&input, &run);
        report.tests.push(Test {
            input,
            origin: Origin::Sequence(found.script.statements.len() as u32),
            decisions: Vec::new(),
            run,
        });
        tests.push(ScriptTest {
            script: found.script.clone(),
            observations,
            before,
        });
    }
    report.open = Some((limit, 0));
    report.branches = branches(&coverage, &Status::Open(limit));
    // What calls of other functions take is not looked for again.
    for branch in &mut report.branches {
        if branch.status == Status::Open(limit) && scripts.taken.contains(&branch.edge) {
            branch.status = Status::Open(Limit::OtherTests);
        }
    }
    let is_left =
        |limit: Limit| (report.branches.iter()).any(|one| one.status == Status::Open(limit));
    if !report.tests.is_empty() {
        report.stop = match (is_left(limit), is_left(Limit::OtherTests)) {
            (true, _) => StopReason::Limit(limit),
            (false, true) => StopReason::Limit(Limit::OtherTests),
            (false, false) => StopReason::Covered,
        };
    }
    report.statistics.paths = report.tests.len() as u64;
    report.statistics.states = scripts.states;
    report.statistics.transitions = scripts.runs;
    report.statistics.total = begin.elapsed();
    Reported {
        report,
        tests,
        absent,
    }
}
