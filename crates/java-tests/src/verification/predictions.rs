//! Tests that show something to be wrong fail, and it is known how.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use heapwright_java::emit::{Defect, Ending, TestCase};
use heapwright_java::verify::{TestOutcome, TestResult, Verification};

use super::Verifying;
use crate::failures;
use heapwright_explain::words;
use heapwright_testgen::Error;
use heapwright_testgen::findings::Finding;

/// Compares what became of the tests that show something to be wrong with what was predicted.
pub fn report_findings(
    session: &Verifying<'_>,
    verification: &Verification,
    out: &mut dyn Write,
) -> Result<bool, Error> {
    let cases = session
        .methods
        .iter()
        .flat_map(|method| &method.tests.cases);
    let predicted: BTreeMap<&str, String> = cases
        .filter_map(|(_, case)| Some((case.name.as_str(), prediction(session, case)?)))
        .collect();
    let unsure = unsure(session);
    let ended = |test: &TestResult| match (&test.outcome, &test.method) {
        (TestOutcome::Passed, Some(method)) => unsure.contains(method.as_str()),
        _ => false,
    };
    let is_predicted = |test: &TestResult| match (&test.outcome, &test.method) {
        (TestOutcome::Failed { message, .. }, Some(method)) => predicted
            .get(method.as_str())
            .is_some_and(|expected| message.contains(expected.as_str())),
        _ => ended(test),
    };
    let tests = &verification.tests;
    let good = tests.iter().filter(|test| is_predicted(test)).count();
    let in_time = tests.iter().filter(|test| ended(test)).count();
    writeln!(
        out,
        "findings: {} of {} failed as predicted",
        good - in_time,
        words::count(tests.len() as u64, "test", "tests")
    )?;
    if in_time > 0 {
        let loops = words::count(in_time as u64, "loop ends", "loops end");
        writeln!(out, "  {loops} after all, which was not known")?;
    }
    for test in tests.iter().filter(|test| !is_predicted(test)) {
        let expected = test.method.as_deref().and_then(|name| predicted.get(name));
        let expected = expected.filter(|expected| !expected.is_empty());
        writeln!(out, "  {}", failures::line(test))?;
        if let Some(expected) = expected {
            writeln!(out, "      predicted: {expected}")?;
        }
    }
    Ok(good == predicted.len() && good == tests.len())
}

/// The tests of runs that did not end so far, but may.
fn unsure<'s>(session: &'s Verifying<'_>) -> BTreeSet<&'s str> {
    let kept = (session.methods.iter()).flat_map(|method| {
        (method.tests.cases.iter()).map(move |(index, case)| (method, index, case))
    });
    let is_unsure = |finding: &Finding| match finding {
        Finding::Endless(endless) => endless.steps.is_some(),
        _ => false,
    };
    kept.filter_map(|(method, index, case)| {
        let findings = &method.suite.tests.get(*index)?.findings;
        findings.iter().any(is_unsure).then_some(case.name.as_str())
    })
    .collect()
}

/// What the message of a failing test has to contain.
fn prediction(session: &Verifying<'_>, case: &TestCase) -> Option<String> {
    match (case.defect.as_ref()?, &case.ending) {
        (Defect::Exception, Ending::Threw { class, .. }) => {
            let ty = session.java.program.world.type_of(*class);
            ty.map(ToString::to_string)
        }
        (Defect::Exception, _) => None,
        (Defect::Postcondition(reason), _) => Some(reason.clone()),
        // The assertion has no message of its own; the predicate may even throw.
        (Defect::Invariant | Defect::Result(_) | Defect::Fields { .. }, _) => Some(String::new()),
        // JUnit 4 says "test timed out after", JUnit 5 "execution timed out after".
        (Defect::Endless, _) => Some("timed out after".to_owned()),
    }
}
