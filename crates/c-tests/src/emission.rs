//! From suites to C files.

use heapwright_c::CUnit;
use heapwright_c::emit::{After, PredicateCalls, TestCase, emit, test};
use heapwright_engine::{Outcome, Run, Status, Verification};
use heapwright_explain::words;
use heapwright_ir::FaultKind;
use heapwright_testgen::{Kept, SourceFile, Suite};

use crate::frontend::Entry;
use crate::predicate::Checked;

/// The tests of some suites: one file for those that pass, one for those that show a mistake.
pub(crate) fn files<'s>(
    unit: &CUnit,
    source: &str,
    suites: impl Iterator<Item = (&'s Suite, &'s Entry)> + Clone,
) -> Vec<SourceFile> {
    let stem = source.strip_suffix(".c").unwrap_or(source);
    let mut files = Vec::new();
    for has_findings in [false, true] {
        let mut cases = Vec::new();
        for (suite, entry) in suites.clone() {
            let kept = suite.tests.iter();
            let kept = kept.filter(|kept| kept.findings.is_empty() != has_findings);
            cases.extend(kept.filter_map(|kept| case(suite, kept, entry)));
        }
        if cases.is_empty() {
            continue;
        }
        let ending = if has_findings { "findings" } else { "test" };
        files.push(SourceFile {
            path: format!("{stem}_{ending}.c"),
            text: emit(unit, source, &cases),
            tests: cases.len(),
            has_findings,
        });
    }
    files
}

/// One test.
pub(crate) fn text(unit: &CUnit, suite: &Suite, kept: &Kept, entry: &Entry) -> Option<String> {
    Some(test(unit, &case(suite, kept, entry)?))
}

fn case<'s>(suite: &'s Suite, kept: &Kept, entry: &Entry) -> Option<TestCase<'s>> {
    let found = suite.test(kept);
    let run = &found.run;
    let exit = words::exit_status(&suite.subject.program, run);
    let after = match run.outcome {
        _ if run.outcome == Outcome::Returned || exit.is_some() => Some(After {
            result: run.result,
            result_inside: run.result_inside,
            exit,
            heap: &run.heap,
            freed: &run.freed,
            leaks: &run.leaks,
            globals: &run.global_objects,
            variables: &run.globals,
            unnamed: &run.unnamed,
        }),
        // Where nothing is wrong with a fault, the input was none.
        Outcome::Fault { .. } if kept.findings.is_empty() => return None,
        Outcome::Fault { .. } => None,
        _ => return None,
    };
    let heading = match kept.apart {
        true => "on an arbitrary input",
        false => "finding",
    };
    let sequence = match &entry.played {
        Some(played) => Some(played.sequence(kept.index)?),
        None => None,
    };
    let findings = kept
        .findings
        .iter()
        .map(|finding| format!("{heading}: {}", finding.words()));
    let program = &suite.subject.program;
    let branches = suite.report.branches.iter();
    let first = branches
        .filter(|branch| matches!(branch.status, Status::Covered { test } if test == kept.index));
    let first = first.map(|branch| {
        let edge = words::edge(program, branch.edge, branch.position);
        format!("covers line {}: {edge}", branch.position.line)
    });
    Some(TestCase {
        name: kept.name.clone(),
        comments: findings.chain(first).collect(),
        function: suite.subject.function,
        arguments: &found.input.arguments,
        before: &found.input.heap,
        after,
        uses_result: matches!(
            run.outcome,
            Outcome::Fault {
                kind: FaultKind::Uninitialised,
                ..
            }
        ),
        is_out_of_bounds: matches!(
            run.outcome,
            Outcome::Fault {
                kind: FaultKind::OutOfBounds,
                ..
            }
        ),
        predicate: (entry.checked.as_ref()).and_then(|checked| checks(run, checked)),
        sequence,
    })
}

/// Which calls of a predicate a test has: it was asked about the input, and after a call that
/// returned it was asked again, unless the objects are gone.
fn checks(run: &Run, checked: &Checked) -> Option<PredicateCalls> {
    let afterwards = matches!(
        run.invariant,
        Some(Verification::Holds | Verification::Violated(_))
    );
    (afterwards || checked.holds_before).then(|| PredicateCalls {
        function: checked.predicate.function,
        calls: checked.predicate.calls.clone(),
        afterwards,
    })
}
