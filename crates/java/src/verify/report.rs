//! The driver's report: lines with fields between tabs, the first field saying what the line is.

use super::error::VerifyError;
use super::paths::{MethodJumps, Way, ways};
use super::{Counter, LineCoverage, MethodCoverage, TestOutcome, TestResult};

/// What a report says; parts are missing when the virtual machine was stopped.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// Whether the sources compiled, and what the compiler said.
    pub(super) compilation: Option<(bool, String)>,
    /// The modules with instrumented classes; classes of no module count as `unnamed`.
    pub(super) modules: Vec<String>,
    /// Whether the tests were begun.
    pub(super) running: bool,
    pub(super) tests: Vec<TestResult>,
    pub(super) coverage: Vec<MethodCoverage>,
    /// The methods whose jumps are numbered.
    pub(super) jumps: Vec<MethodJumps>,
    /// What went wrong in the driver itself.
    pub(super) problem: Option<String>,
    /// Whether the driver came to its end.
    pub(super) ended: bool,
}

impl Report {
    /// Reads a report. A last line without an end is one that was not written completely.
    pub(super) fn parse(text: &str) -> Result<Self, VerifyError> {
        let mut report = Report::default();
        let whole = text.rfind('\n').and_then(|end| text.get(..end));
        for line in whole.into_iter().flat_map(|text| text.split('\n')) {
            let unexpected = || VerifyError::Report(line.to_owned());
            report.line(line).ok_or_else(unexpected)?;
        }
        Ok(report)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let fields: Vec<String> = line.split('\t').map(unescape).collect();
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        match *fields.as_slice() {
            ["compiled", output] => self.compilation = Some((true, output.to_owned())),
            ["rejected", output] => self.compilation = Some((false, output.to_owned())),
            ["instrumented", module] => {
                if self.modules.iter().all(|known| known != module) {
                    self.modules.push(module.to_owned());
                }
            }
            ["running"] => self.running = true,
            ["started", class, method] => self.tests.push(TestResult {
                class: class.to_owned(),
                method: Some(method.to_owned()),
                outcome: TestOutcome::Unfinished,
                ways: None,
            }),
            ["jumps", class, method, descriptor, first, kinds] => {
                let jumps = MethodJumps::parse([class, method, descriptor], first, kinds)?;
                self.jumps.push(jumps);
            }
            // The compiler left no room in this class.
            ["mute", _] => {}
            ["went", class, method, text] => {
                let ways = ways(text)?;
                self.went(class, method, ways);
            }
            ["passed", class, method] => self.ended(class, method, TestOutcome::Passed),
            ["aborted", class, method, reason] => {
                self.ended(class, method, TestOutcome::Aborted(reason.to_owned()));
            }
            ["failed", class, method, message, trace] => {
                let (message, trace) = (message.to_owned(), trace.to_owned());
                self.ended(class, method, TestOutcome::Failed { message, trace });
            }
            ["method", class, method, descriptor, ref counts @ ..] => {
                let (instructions, branches) = counters(counts)?;
                self.coverage.push(MethodCoverage {
                    class: class.to_owned(),
                    method: method.to_owned(),
                    descriptor: descriptor.to_owned(),
                    instructions,
                    branches,
                    lines: Vec::new(),
                });
            }
            ["line", number, ref counts @ ..] => {
                let (instructions, branches) = counters(counts)?;
                self.coverage.last_mut()?.lines.push(LineCoverage {
                    line: number.parse().ok()?,
                    instructions,
                    branches,
                });
            }
            ["problem", trace] => self.problem = Some(trace.to_owned()),
            ["end"] => self.ended = true,
            _ => return None,
        }
        Some(())
    }

    /// A test that is about to have an outcome has gone these ways.
    fn went(&mut self, class: &str, method: &str, ways: Vec<Way>) {
        let mut begun = self.tests.iter_mut().rev();
        let test = begun.find(|test| {
            let is_method = test.method.as_deref() == Some(method);
            test.outcome == TestOutcome::Unfinished && test.class == class && is_method
        });
        if let Some(test) = test {
            test.ways = Some(ways);
        }
    }

    /// A test has an outcome; one that was never begun, because its class failed or was skipped,
    /// has one too.
    fn ended(&mut self, class: &str, method: &str, outcome: TestOutcome) {
        let method = Some(method.to_owned()).filter(|name| !name.is_empty());
        let begun = self.tests.iter_mut().rev().find(|test| {
            test.outcome == TestOutcome::Unfinished && test.class == class && test.method == method
        });
        match begun {
            Some(test) => test.outcome = outcome,
            None => self.tests.push(TestResult {
                class: class.to_owned(),
                method,
                outcome,
                ways: None,
            }),
        }
    }
}

/// Instructions and branches, covered and missed.
fn counters(counts: &[&str]) -> Option<(Counter, Counter)> {
    let [a, b, c, d] = counts else { return None };
    let counter = |covered: &str, missed: &str| {
        Some(Counter {
            covered: covered.parse().ok()?,
            missed: missed.parse().ok()?,
        })
    };
    Some((counter(a, b)?, counter(c, d)?))
}

fn unescape(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            (_, Some('t')) => text.push('\t'),
            (_, Some('n')) => text.push('\n'),
            (_, Some('r')) => text.push('\r'),
            (_, Some(other)) => text.push(other),
            (c, None) => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::Went;
    use super::*;

    #[test]
    fn a_report_that_breaks_off_tells_what_ended() {
        let text = "compiled\ta\\nb\\\\n\nrunning\nstarted\tT\ta\npassed\tT\ta\nstarted\tT\tb\nfai";
        let report = Report::parse(text).unwrap();
        assert_eq!(report.compilation, Some((true, "a\nb\\n".to_owned())));
        let outcomes: Vec<_> = report.tests.iter().map(|test| &test.outcome).collect();
        assert_eq!(outcomes, [&TestOutcome::Passed, &TestOutcome::Unfinished]);
        assert!(!report.ended);
    }

    #[test]
    fn lines_belong_to_the_method_before() {
        let text = "method\tC\tm\t()V\t5\t1\t1\t1\nline\t7\t5\t1\t1\t1\nend\n";
        let report = Report::parse(text).unwrap();
        let counter = |covered, missed| Counter { covered, missed };
        assert_eq!(report.coverage[0].lines[0].line, 7);
        assert_eq!(report.coverage[0].lines[0].instructions, counter(5, 1));
        assert_eq!(report.coverage[0].branches, counter(1, 1));
    }

    #[test]
    fn tests_say_which_ways_they_went() {
        let text = "jumps\tC\tm\t()V\t4\tjis\nrunning\nstarted\tT\ta\nwent\tT\ta\t4+ 5+- 6=1,-7 \n\
                    passed\tT\ta\nend\n";
        let report = Report::parse(text).unwrap();
        let ways = report.tests[0].ways.as_ref().unwrap();
        let went = |jump| MethodJumps::went(&report.jumps[0], ways, jump);
        assert_eq!(
            went(0),
            Some(Went::Jump {
                taken: true,
                fell_through: false
            })
        );
        assert_eq!(
            went(1),
            Some(Went::Jump {
                taken: true,
                fell_through: true
            })
        );
        assert_eq!(went(2), Some(Went::Switch(vec![1, -7])));
        assert_eq!(went(3), None);
    }

    #[test]
    fn strange_lines_are_errors() {
        for text in [
            "line\t1\t1\t1\t1\t1\n",
            "surprise\n",
            "method\tC\tm\t()V\t5\n",
            "jumps\tC\tm\t()V\tx\tj\n",
            "jumps\tC\tm\t()V\t1\t?\n",
            "started\tT\ta\nwent\tT\ta\t5\n",
            "\n",
        ] {
            assert!(Report::parse(text).is_err(), "{text:?}");
        }
        assert!(Report::parse("").is_ok());
    }
}
