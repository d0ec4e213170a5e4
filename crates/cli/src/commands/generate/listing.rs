//! `--findings`: everything that went wrong, each with the smallest input that shows it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use heapwright_engine::{Outcome, Test};

use super::suite::Suite;
use crate::{compact, words};

/// What went wrong where: a kind of finding in a procedure, in words.
type Key = (String, &'static str, String);

/// Prints the findings of all procedures. Exceptions that faults raise are listed as well, though a
/// caller may expect them.
pub fn print<'s>(suites: impl Iterator<Item = &'s Suite>, out: &mut dyn Write) -> io::Result<()> {
    let mut smallest: BTreeMap<Key, (usize, String, String)> = BTreeMap::new();
    for suite in suites {
        for kept in &suite.tests {
            let test = suite.test(kept);
            let findings = kept.findings.iter();
            let mut found: Vec<(&'static str, String)> = findings
                .map(|finding| (finding.kind(), finding.words()))
                .collect();
            if found.is_empty() && is_fault(test) {
                let program = &suite.subject.program;
                let words = words::outcome_at(program, &test.run.outcome);
                found.push(("uncaught exception", words));
            }
            for (kind, words) in found {
                let size = test.input.heap.cells.len();
                let key = (suite.title.clone(), kind, words);
                let known = smallest.get(&key).is_some_and(|known| known.0 <= size);
                if !known {
                    let arguments = suite.arguments(test);
                    let definitions = &suite.subject.definitions;
                    let input = compact::terms(definitions, &arguments, &test.input.heap);
                    smallest.insert(key, (size, input, kept.name.clone()));
                }
            }
        }
    }
    match smallest.len() {
        0 => writeln!(out, "no findings")?,
        count => writeln!(out, "{}", words::count(count as u64, "finding", "findings"))?,
    }
    for ((procedure, kind, words), (_, input, test)) in smallest {
        writeln!(out, "  {kind}: {words}")?;
        writeln!(out, "      {procedure}, test {test}")?;
        writeln!(out, "      input: {input}")?;
    }
    Ok(())
}

/// Whether the run ended with an exception that the virtual machine raised.
fn is_fault(test: &Test) -> bool {
    matches!(test.run.outcome, Outcome::Threw { fault: Some(_), .. })
}
