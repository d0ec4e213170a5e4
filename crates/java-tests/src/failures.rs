//! Tests that failed on the virtual machine, one line each.

use heapwright_java::verify::{RunEnd, TestOutcome, TestResult};

/// Longer messages are cut.
const LONGEST: usize = 160;

/// `PlaylistTest#add_lastIsNull: expected 1, got 2 (PlaylistTest.java:33)`
pub fn line(test: &TestResult) -> String {
    let simple = test.class.rsplit('.').next().unwrap_or(&test.class);
    let name = test.method.as_deref().unwrap_or("(the whole class)");
    let what = match &test.outcome {
        TestOutcome::Passed => "passed".to_owned(),
        TestOutcome::Aborted(reason) => format!("not run: {}", first_line(reason)),
        TestOutcome::Unfinished => "did not come to an end".to_owned(),
        TestOutcome::Failed { message, trace } => {
            let place = place(simple, trace).map_or(String::new(), |place| format!(" ({place})"));
            format!("{}{place}", told(message))
        }
    };
    format!("{simple}#{name}: {what}")
}

/// How a run ended that did not come to its end.
pub fn end(end: &RunEnd) -> String {
    match end {
        RunEnd::Complete => "all tests ran".to_owned(),
        RunEnd::TimedOut => "the run was cut off: it took too long".to_owned(),
        RunEnd::Exited { code: Some(code) } => {
            format!("the run was cut off: the virtual machine ended with exit code {code}")
        }
        RunEnd::Exited { code: None } => {
            "the run was cut off: the virtual machine was killed".to_owned()
        }
    }
}

/// The message of a failed assertion as what was expected and what came; of other exceptions the
/// first line.
fn told(message: &str) -> String {
    match expected_and_actual(message) {
        Some((expected, actual)) => {
            let (expected, actual) = (first_line(expected), first_line(actual));
            format!("expected {expected}, got {actual}")
        }
        None => first_line(message),
    }
}

/// The values of `expected: <1> but was: <2>`, as both versions of JUnit write it.
fn expected_and_actual(message: &str) -> Option<(&str, &str)> {
    let (_, rest) = message.split_once("expected:")?;
    let (expected, actual) = rest.split_once(" but was:")?;
    let bare = |text| -> &str {
        let text = str::trim(text);
        let inner = text
            .strip_prefix('<')
            .and_then(|text| text.strip_suffix('>'));
        inner.unwrap_or(text)
    };
    Some((bare(expected), bare(actual)))
}

/// The line of the test where it failed: the first one of its own class in the trace.
fn place(class: &str, trace: &str) -> Option<String> {
    let outer = class.split('$').next().unwrap_or(class);
    let begin = format!("({outer}.java:");
    let at = trace.find(&begin)?;
    let rest = trace.get(at + 1..)?;
    let (place, _) = rest.split_once(')')?;
    Some(place.to_owned())
}

fn first_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let mut cut: String = line.chars().take(LONGEST).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_one_line_each() {
        let check = |message: &str, trace: &str, expected: &str| {
            let test = TestResult {
                class: "music.ListTest".to_owned(),
                method: Some("adds".to_owned()),
                outcome: TestOutcome::Failed {
                    message: message.to_owned(),
                    trace: trace.to_owned(),
                },
                ways: None,
            };
            assert_eq!(line(&test), format!("ListTest#adds: {expected}"));
        };
        let trace = "org.opentest4j.AssertionFailedError: no\n\tat org.junit.A.b(A.java:1)\n\tat \
                     music.ListTest.adds(ListTest.java:33)\n";
        check(
            "org.opentest4j.AssertionFailedError: expected: <1> but was: <2>",
            trace,
            "expected 1, got 2 (ListTest.java:33)",
        );
        check(
            "java.lang.AssertionError: expected:<a> but was:<null>",
            "",
            "expected a, got null",
        );
        check(
            "java.lang.NullPointerException: Cannot read\nmore",
            "",
            "java.lang.NullPointerException: Cannot read",
        );
        let long = "x".repeat(500);
        let line_length = told(&long).chars().count();
        assert_eq!(line_length, LONGEST + 1);
    }
}
