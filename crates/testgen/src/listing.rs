//! `--findings`: everything that went wrong, each with the smallest input that shows it.
//!
//! One bug is one finding: exceptions of one class at one place, memory that is lost, an invariant
//! or a postcondition that a procedure breaks at one clause, or both by the same call. Where the runs
//! that break it have several causes, each is a finding. The other inputs are counted.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use heapwright_engine::{Outcome, Test, Verification, causes, clause};

use crate::findings::{Finding, findings};
use crate::language::Noun;
use crate::suite::Suite;
use heapwright_explain::{compact, words};

/// What went wrong: its kind, and what tells it from others of the kind.
type Key = (&'static str, String);

/// One thing that is wrong.
#[derive(Default)]
struct Bug {
    /// The smallest input that there is a test of.
    smallest: Option<Smallest>,
    /// How many inputs show it.
    inputs: u64,
    /// The procedures that show it.
    procedures: BTreeSet<String>,
}

struct Smallest {
    objects: usize,
    words: String,
    input: String,
    procedure: String,
    test: String,
}

/// The kind of what is listed apart from the findings.
const EXCEPTION: &str = "exception";

/// The same for failures that come from the input.
const ARBITRARY: &str = "arbitrary input";

/// Prints the findings of all procedures. Exceptions that faults raise come behind them and are
/// not counted: a caller may expect them. So do failures on inputs that nobody vouches for.
pub fn print<'s>(
    suites: impl Iterator<Item = &'s Suite>,
    noun: Noun,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut bugs: BTreeMap<Key, Bug> = BTreeMap::new();
    for suite in suites {
        add(suite, &mut bugs);
    }
    // An input without a test shows nothing that could be looked at.
    bugs.retain(|_, bug| bug.smallest.is_some());
    let (exceptions, findings): (Vec<_>, Vec<_>) =
        (bugs.into_iter()).partition(|((kind, _), _)| *kind == EXCEPTION);
    let (arbitrary, findings): (Vec<_>, Vec<_>) =
        (findings.into_iter()).partition(|((kind, _), _)| *kind == ARBITRARY);
    match findings.len() {
        0 => writeln!(out, "no findings")?,
        count => writeln!(out, "{}", words::count(count as u64, "finding", "findings"))?,
    }
    for (key, bug) in &findings {
        print_bug(key, bug, noun, out)?;
    }
    if !exceptions.is_empty() {
        let count = exceptions.len() as u64;
        let count = words::count(
            count,
            "exception of the virtual machine leaves",
            "exceptions of the virtual machine leave",
        );
        writeln!(
            out,
            "{count} the code, no finding as long as callers expect that"
        )?;
    }
    for (key, bug) in &exceptions {
        print_bug(key, bug, noun, out)?;
    }
    if !arbitrary.is_empty() {
        let count = words::count(
            arbitrary.len() as u64,
            "failure on an arbitrary input",
            "failures on arbitrary inputs",
        );
        writeln!(
            out,
            "{count}, not counted: a precondition could rule them out"
        )?;
    }
    for (key, bug) in &arbitrary {
        print_bug(key, bug, noun, out)?;
    }
    Ok(())
}

fn print_bug((kind, _): &Key, bug: &Bug, noun: Noun, out: &mut dyn Write) -> io::Result<()> {
    let Some(smallest) = &bug.smallest else {
        return Ok(());
    };
    writeln!(out, "  {kind}: {}", smallest.words)?;
    writeln!(out, "      {}, test {}", smallest.procedure, smallest.test)?;
    writeln!(out, "      input: {}", smallest.input)?;
    if bug.inputs > 1 {
        let more = words::count(bug.inputs - 1, "more input shows", "more inputs show");
        let others = match bug.procedures.len() as u64 {
            0 | 1 => String::new(),
            all => format!(", also of {}", noun.others(all - 1)),
        };
        writeln!(out, "      {more} it{others}")?;
    }
    Ok(())
}

/// Adds what the tests of a procedure show.
fn add(suite: &Suite, bugs: &mut BTreeMap<Key, Bug>) {
    let same = Same::of(suite);
    let causes = causes(suite.report.tests.iter().enumerate());
    for (index, test) in suite.report.tests.iter().enumerate() {
        let kept = suite.tests.iter().find(|kept| kept.index == index);
        let found = match kept {
            Some(kept) => kept.findings.clone(),
            None => findings(suite.language, &suite.subject, test),
        };
        let is_apart = kept.is_some_and(|kept| kept.apart);
        let mut found: Vec<(Key, String)> = (found.iter())
            .map(|finding| {
                let (kind, mut what) = same.key(suite, finding);
                // Faults and loops are told apart by their places.
                let is_state = !matches!(finding, Finding::Fault(_) | Finding::Endless(_));
                let cause = causes.get(&index).filter(|cause| is_state && **cause > 0);
                if let Some(cause) = cause {
                    what.push_str(&format!(" {cause}"));
                }
                match is_apart {
                    true => ((ARBITRARY, what), finding.words()),
                    false => ((kind, what), finding.words()),
                }
            })
            .collect();
        merge(&mut found);
        if found.is_empty() && is_fault(test) {
            let program = &suite.subject.program;
            let words = words::outcome_at(program, &test.run.outcome);
            found.push(((EXCEPTION, words.clone()), words));
        }
        for (key, words) in found {
            let bug = bugs.entry(key).or_default();
            bug.inputs += 1;
            bug.procedures.insert(suite.title.clone());
            let objects = test.input.heap.cells.len();
            let smaller = (bug.smallest.as_ref()).is_none_or(|known| objects < known.objects);
            if let (Some(kept), true) = (kept, smaller) {
                let arguments = suite.arguments(test);
                let definitions = &suite.subject.definitions;
                bug.smallest = Some(Smallest {
                    objects,
                    words,
                    input: compact::terms(
                        suite.language,
                        definitions,
                        &arguments,
                        &test.input.heap,
                    ),
                    procedure: suite.title.clone(),
                    test: kept.name.clone(),
                });
            }
        }
    }
}

/// What was found with one key is one thing, with all reasons.
fn merge(found: &mut Vec<(Key, String)>) {
    let mut merged: Vec<(Key, String)> = Vec::new();
    for (key, words) in found.drain(..) {
        match merged.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = format!("{known}; {words}"),
            None => merged.push((key, words)),
        }
    }
    *found = merged;
}

/// Findings of a procedure that are one and the same: an input on which a call breaks both the
/// postcondition and the invariant shows one bug and not two.
struct Same {
    /// Clauses of the postcondition that are broken together with the invariant.
    clauses: BTreeSet<Key>,
}

impl Same {
    fn of(suite: &Suite) -> Same {
        let mut clauses = BTreeSet::new();
        for test in &suite.report.tests {
            let violated =
                |verdict: &Option<Verification>| matches!(verdict, Some(Verification::Violated(_)));
            if violated(&test.run.postcondition) && violated(&test.run.invariant) {
                let found = findings(suite.language, &suite.subject, test);
                let clause = |finding: &&Finding| matches!(finding, Finding::Postcondition { .. });
                clauses.extend(found.iter().filter(clause).map(|clause| key(suite, clause)));
            }
        }
        Same { clauses }
    }

    fn key(&self, suite: &Suite, finding: &Finding) -> Key {
        let own = key(suite, finding);
        let is_invariant = matches!(finding, Finding::Invariant(_));
        match self.clauses.contains(&own) || is_invariant && !self.clauses.is_empty() {
            true => ("postcondition and invariant", suite.title.clone()),
            false => own,
        }
    }
}

/// What is the same for all inputs that show a bug.
fn key(suite: &Suite, finding: &Finding) -> Key {
    let procedure = &suite.title;
    let same = match finding {
        Finding::Fault(words) => words.clone(),
        Finding::Endless(endless) => endless.place.clone(),
        Finding::Leak(_) | Finding::Invariant(_) => procedure.clone(),
        Finding::Postcondition { reason, .. } => format!("{procedure}: {}", clause(reason)),
    };
    (finding.kind(), same)
}

/// Whether the run ended with an exception that the virtual machine raised.
fn is_fault(test: &Test) -> bool {
    matches!(test.run.outcome, Outcome::Threw { fault: Some(_), .. })
}
