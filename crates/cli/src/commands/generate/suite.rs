//! The tests of one procedure that are kept, with their names and findings.

use std::sync::Arc;

use heapwright_engine::{Keep, Place, Report, Status, StopReason, Subject, Test, keep};
use heapwright_logic::Value;

use super::findings::{Finding, findings};
use super::names::{Taken, name_tests};

/// What came out of the search for one procedure.
pub struct Suite {
    /// The procedure.
    pub subject: Arc<Subject>,
    /// Everything that was found.
    pub report: Report,
    /// The tests that are kept, findings first.
    pub tests: Vec<Kept>,
}

/// A test that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Index into the tests of the report.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// What it shows to be wrong.
    pub findings: Vec<Finding>,
}

impl Suite {
    /// Chooses and names tests. If a place was to be reached, the first test that does is kept, or
    /// all of them if all tests are.
    pub fn new(
        subject: impl Into<Arc<Subject>>,
        report: Report,
        which: Keep,
        reach: Option<&Place>,
        taken: &mut Taken,
    ) -> Suite {
        let subject = subject.into();
        let chosen: Vec<usize> = match reach {
            None => keep(&report, which),
            Some(place) => {
                let tests = report.tests.iter().enumerate();
                let reaching = tests.filter(|(_, test)| reaches(test, place));
                let most = if which == Keep::All { usize::MAX } else { 1 };
                reaching.map(|(index, _)| index).take(most).collect()
            }
        };
        // An index that is out of range would be a defect of the choice; it must not end us.
        let chosen: Vec<(usize, &Test)> = (chosen.into_iter())
            .filter_map(|index| Some((index, report.tests.get(index)?)))
            .collect();
        let names = name_tests(&subject, chosen.iter().map(|(_, test)| *test), taken);
        let mut tests: Vec<Kept> = (chosen.into_iter().zip(names))
            .map(|((index, test), name)| Kept {
                index,
                name,
                findings: findings(&subject, test),
            })
            .collect();
        tests.sort_by_key(|kept| kept.findings.is_empty());
        Suite {
            subject,
            report,
            tests,
        }
    }

    /// The test that was kept.
    pub fn test(&self, kept: &Kept) -> &Test {
        &self.report.tests[kept.index]
    }

    /// The parameters with their values in the input.
    pub fn arguments(&self, test: &Test) -> Vec<(String, Value)> {
        let names = self.subject.inputs.iter().map(|input| input.name.clone());
        names.zip(test.input.arguments.iter().copied()).collect()
    }

    /// How many branches are covered.
    pub fn covered(&self) -> usize {
        let covered = |status: &Status| matches!(status, Status::Covered { .. });
        let branches = self.report.branches.iter();
        branches.filter(|branch| covered(&branch.status)).count()
    }

    /// Whether some test shows something to be wrong.
    pub fn has_findings(&self) -> bool {
        self.tests.iter().any(|kept| !kept.findings.is_empty())
    }

    /// Whether every path was explored to its end, so that what no test does no input does.
    pub fn is_exhaustive(&self) -> bool {
        self.report.stop == StopReason::Exhausted && self.report.open.is_none()
    }
}

fn reaches(test: &Test, place: &Place) -> bool {
    let mut lines = test.run.lines.iter();
    lines.any(|line| (line.file, line.line) == (place.file, place.line))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::Example;
    use super::*;
    use heapwright_engine::Verification;

    fn suite(example: &Example, report: Report, reach: Option<&Place>) -> Vec<String> {
        let subject = example.subject();
        let suite = Suite::new(subject, report, Keep::All, reach, &mut Taken::default());
        suite.tests.into_iter().map(|kept| kept.name).collect()
    }

    #[test]
    fn findings_come_first() {
        let example = Example::new();
        let mut report = example.report();
        report.tests[1].run.postcondition = Some(Verification::Violated("no".to_owned()));
        let names = suite(&example, report, None);
        assert_eq!(names, ["first_postcondition_violated", "first_x_is_nil"]);
    }

    #[test]
    fn only_tests_that_reach_the_place_are_kept() {
        let example = Example::new();
        let at = |line| Place { file: 0, line };
        let all = suite(&example, example.report(), Some(&at(2)));
        assert_eq!(all, ["first_x_is_nil", "first_x_is_not_nil"]);
        let reached = suite(&example, example.report(), Some(&at(3)));
        assert_eq!(reached, ["first_x_is_not_nil"]);
        let nowhere = suite(&example, example.report(), Some(&at(7)));
        assert_eq!(nowhere, Vec::<String>::new());
    }
}
