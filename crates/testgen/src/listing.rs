//! `--findings`: everything that went wrong, each with the smallest input that shows it.
//!
//! One bug is one finding: exceptions of one class at one place, memory that is lost, an invariant
//! or a postcondition that a procedure breaks at one clause, or both by the same call. Where the runs
//! that break it have several causes, each is a finding. The other inputs are counted.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use heapwright_engine::{Origin, Outcome, Test, Verification, causes, clause};

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

/// The same where the input is valid by an invariant that was only inferred.
const UNCONFIRMED: &str = "unconfirmed";

/// All that went wrong, sorted by what may be done about it.
#[derive(Debug)]
pub struct Listed {
    /// What is wrong with the program.
    pub findings: Vec<Shown>,
    /// Exceptions that faults raise: a caller may expect them.
    pub exceptions: Vec<Shown>,
    /// Failures on inputs that nobody vouches for.
    pub arbitrary: Vec<Shown>,
    /// Failures on inputs that are only inferred to be valid.
    pub unconfirmed: Vec<Shown>,
}

/// One thing that went wrong, with the smallest input that shows it.
#[derive(Debug)]
pub struct Shown {
    /// Its kind, in a word or two.
    pub kind: &'static str,
    /// What is wrong, and where.
    pub words: String,
    /// The procedure.
    pub procedure: String,
    /// The test.
    pub test: String,
    /// The smallest input.
    pub input: String,
    /// How many other inputs show it.
    pub more: u64,
    /// How many other procedures show it.
    pub others: u64,
}

impl Listed {
    /// What the tests of procedures show.
    pub fn of<'s>(suites: impl Iterator<Item = &'s Suite>) -> Listed {
        let mut bugs: BTreeMap<Key, Bug> = BTreeMap::new();
        for suite in suites {
            add(suite, &mut bugs);
        }
        let mut listed = Listed {
            findings: Vec::new(),
            exceptions: Vec::new(),
            arbitrary: Vec::new(),
            unconfirmed: Vec::new(),
        };
        for ((kind, _), bug) in bugs {
            // An input without a test shows nothing that could be looked at.
            let Some(smallest) = bug.smallest else {
                continue;
            };
            let list = match kind {
                EXCEPTION => &mut listed.exceptions,
                ARBITRARY => &mut listed.arbitrary,
                UNCONFIRMED => &mut listed.unconfirmed,
                _ => &mut listed.findings,
            };
            list.push(Shown {
                kind,
                words: smallest.words,
                procedure: smallest.procedure,
                test: smallest.test,
                input: smallest.input,
                more: bug.inputs.saturating_sub(1),
                others: (bug.procedures.len() as u64).saturating_sub(1),
            });
        }
        listed
    }
}

/// How many exceptions are listed apart from the findings.
pub fn exceptions(number: u64) -> String {
    let count = words::count(
        number,
        "uncaught runtime exception",
        "uncaught runtime exceptions",
    );
    format!("{count} (not counted as failures)")
}

/// How many failures come from inputs that nobody vouches for.
pub fn arbitrary(number: u64) -> String {
    let count = words::count(
        number,
        "failure on an arbitrary input",
        "failures on arbitrary inputs",
    );
    format!("{count} (not counted: a precondition could rule them out)")
}

/// How many failures come from inputs that are only inferred to be valid.
pub fn unconfirmed(number: u64) -> String {
    let count = words::count(number, "unconfirmed failure", "unconfirmed failures");
    format!("{count} (not counted: the input is only inferred to be valid)")
}

/// Prints the findings of all procedures. Exceptions that faults raise come behind them and are
/// not counted, and neither are failures on inputs that nobody vouches for.
pub fn print<'s>(
    suites: impl Iterator<Item = &'s Suite>,
    noun: Noun,
    out: &mut dyn Write,
) -> io::Result<()> {
    let listed = Listed::of(suites);
    match listed.findings.len() {
        0 => writeln!(out, "no failures found")?,
        count => writeln!(out, "{}", words::count(count as u64, "finding", "findings"))?,
    }
    for bug in &listed.findings {
        print_bug(bug, noun, out)?;
    }
    if !listed.exceptions.is_empty() {
        writeln!(out, "{}", exceptions(listed.exceptions.len() as u64))?;
    }
    for bug in &listed.exceptions {
        print_bug(bug, noun, out)?;
    }
    if !listed.arbitrary.is_empty() {
        writeln!(out, "{}", arbitrary(listed.arbitrary.len() as u64))?;
    }
    for bug in &listed.arbitrary {
        print_bug(bug, noun, out)?;
    }
    if !listed.unconfirmed.is_empty() {
        writeln!(out, "{}", unconfirmed(listed.unconfirmed.len() as u64))?;
    }
    for bug in &listed.unconfirmed {
        print_bug(bug, noun, out)?;
    }
    Ok(())
}

fn print_bug(bug: &Shown, noun: Noun, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  {}: {}", bug.kind, bug.words)?;
    writeln!(out, "      {}, test {}", bug.procedure, bug.test)?;
    writeln!(out, "      input: {}", bug.input)?;
    if bug.more > 0 {
        let more = words::count(bug.more, "more input", "more inputs");
        let others = match bug.others {
            0 => String::new(),
            others => format!(" and {}", noun.others(others)),
        };
        writeln!(out, "      also shown by {more}{others}")?;
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
                let kind = match is_apart {
                    _ if test.origin == Origin::Inferred => UNCONFIRMED,
                    true => ARBITRARY,
                    false => kind,
                };
                ((kind, what), finding.words())
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
