//! Findings as build servers want them.

use heapwright_report::sarif::{Result, Rule};

use super::Results;
use super::page::input;
use crate::findings::Finding;
use heapwright_explain::{source, words};

/// The kinds of findings.
pub const RULES: [Rule; 5] = [
    Rule {
        id: "fault",
        name: "Fault",
        description: "A valid input makes the program fail",
    },
    Rule {
        id: "leak",
        name: "Leak",
        description: "A valid input makes the program leak memory",
    },
    Rule {
        id: "postcondition",
        name: "Postcondition",
        description: "A call on a valid input violates the postcondition",
    },
    Rule {
        id: "invariant",
        name: "Invariant",
        description: "A call breaks the invariant of an object",
    },
    Rule {
        id: "endless",
        name: "Endless",
        description: "A valid input makes the program run forever",
    },
];

/// All findings of all procedures.
pub fn results(results: &Results<'_>) -> Vec<Result> {
    let mut found = Vec::new();
    for procedure in &results.procedures {
        let suite = procedure.suite;
        let program = &suite.subject.program;
        let code = program.function(procedure.function);
        for kept in &suite.tests {
            let test = suite.test(kept);
            for finding in &kept.findings {
                let at = match finding {
                    Finding::Fault(_) | Finding::Endless(_) => {
                        words::outcome_position(&test.run.outcome)
                    }
                    Finding::Leak(_) | Finding::Postcondition { .. } | Finding::Invariant(_) => {
                        None
                    }
                };
                let at = at.filter(|at| at.line > 0).unwrap_or(code.position);
                let file = source::file_name(program, at);
                found.push(Result {
                    rule: finding.kind().to_owned(),
                    message: finding.words(),
                    file: (!file.is_empty()).then(|| results.path(file)),
                    line: at.line,
                    column: at.column,
                    method: suite.title.clone(),
                    test: kept.name.clone(),
                    input: input(suite, test),
                    is_note: kept.apart,
                });
            }
        }
    }
    found
}
