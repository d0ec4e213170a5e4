//! What a test expects of its run, in a form that can be read back.
//!
//! ImpL cannot catch a fault, so a test that ends in one says so in a line of its header, as every
//! generated test does:
//!
//! ```text
//! //! expect: returned
//! //! expect: null dereference at line 12
//! //! expect: out of budget (steps)
//! ```
//!
//! The line is one of the test's own text. It is left out when it is not known, as after the test
//! was put around a changed program.

use std::fmt;

use heapwright_ir::FaultKind;
use heapwright_ir::machine::{Budget, MachineOutcome};

/// How the run of a test has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// It returns: no assertion of the test fails.
    Returned,
    /// It ends in a fault.
    Fault {
        /// Which one.
        kind: FaultKind,
        /// In which line of the test, if that is known.
        line: Option<u32>,
    },
    /// It uses too much.
    OutOfBudget(Budget),
}

/// A header line that says nothing known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: `{text}` is not an expectation")]
pub struct ExpectationError {
    /// The line in the text.
    pub line: u32,
    /// What stands behind `expect:`.
    pub text: String,
}

/// What expectations begin with.
const EXPECT: &str = "expect:";

impl Expectation {
    /// The expectation in the header of a text, the comments before anything else; none if there
    /// is no such line.
    pub fn read(text: &str) -> Result<Option<Expectation>, ExpectationError> {
        for (number, line) in (1u32..).zip(text.lines()) {
            let Some(comment) = line.trim().strip_prefix("//") else {
                return Ok(None);
            };
            let machine_readable = comment.strip_prefix('!').map(str::trim);
            let expected = machine_readable.and_then(|line| line.strip_prefix(EXPECT));
            if let Some(expected) = expected.map(str::trim) {
                let error = || ExpectationError {
                    line: number,
                    text: expected.to_owned(),
                };
                return parse(expected).map(Some).ok_or_else(error);
            }
        }
        Ok(None)
    }

    /// Whether a run of the test ended as expected.
    pub fn holds<V>(self, outcome: &MachineOutcome<V>) -> bool {
        match (self, outcome) {
            (Expectation::Returned, MachineOutcome::Returned(_)) => true,
            (
                Expectation::Fault { kind, line },
                MachineOutcome::Fault {
                    kind: found,
                    position,
                    ..
                },
            ) => kind == *found && line.is_none_or(|line| line == position.line),
            (
                Expectation::OutOfBudget(budget),
                MachineOutcome::OutOfBudget { budget: found, .. },
            ) => budget == *found,
            _ => false,
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::Returned => f.write_str("returned"),
            Expectation::Fault { kind, line } => {
                f.write_str(kind.name())?;
                line.map_or(Ok(()), |line| write!(f, " at line {line}"))
            }
            Expectation::OutOfBudget(budget) => {
                write!(f, "out of budget ({})", budget.name())
            }
        }
    }
}

fn parse(text: &str) -> Option<Expectation> {
    if text == "returned" {
        return Some(Expectation::Returned);
    }
    if let Some(budget) = text.strip_prefix("out of budget (") {
        let name = budget.strip_suffix(')')?;
        let budget = BUDGETS.into_iter().find(|&budget| budget.name() == name);
        return budget.map(Expectation::OutOfBudget);
    }
    let (name, line) = match text.split_once(" at line ") {
        None => (text, None),
        Some((name, line)) => (name, Some(line.parse().ok()?)),
    };
    let kind = FAULTS.into_iter().find(|&kind| kind.name() == name)?;
    Some(Expectation::Fault { kind, line })
}

const FAULTS: [FaultKind; 11] = [
    FaultKind::NullDereference,
    FaultKind::UseAfterFree,
    FaultKind::InvalidFree,
    FaultKind::DivisionByZero,
    FaultKind::OutOfBounds,
    FaultKind::NegativeLength,
    FaultKind::BadCast,
    FaultKind::BadElement,
    FaultKind::AssertionFailed,
    FaultKind::StackOverflow,
    FaultKind::NoSuchMethod,
];

const BUDGETS: [Budget; 5] = [
    Budget::Steps,
    Budget::Depth,
    Budget::Objects,
    Budget::ArrayLength,
    Budget::Elements,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let faults = FAULTS
            .into_iter()
            .flat_map(|kind| [None, Some(12)].map(|line| Expectation::Fault { kind, line }));
        let budgets = BUDGETS.into_iter().map(Expectation::OutOfBudget);
        for expectation in faults.chain(budgets).chain([Expectation::Returned]) {
            let text = format!("//! test: x\n//! expect: {expectation}\n\nx := 1;");
            assert_eq!(Expectation::read(&text), Ok(Some(expectation)), "{text}");
        }
    }

    #[test]
    fn only_the_header_counts_and_only_what_is_known() {
        assert_eq!(
            Expectation::read("x := 1;\n//! expect: returned\n"),
            Ok(None)
        );
        assert_eq!(Expectation::read("// expect: returned\n"), Ok(None));
        assert_eq!(Expectation::read(""), Ok(None));
        let wrong = Expectation::read("// a test\n//! expect: null dereference at line x\n");
        let text = "null dereference at line x".to_owned();
        assert_eq!(wrong, Err(ExpectationError { line: 2, text }));
        assert!(Expectation::read("//! expect: bliss").is_err());
        assert!(Expectation::read("//! expect: out of budget (patience)").is_err());
    }
}
