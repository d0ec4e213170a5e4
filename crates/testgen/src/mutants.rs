//! Which small changes of the code the kept tests notice, for people and for programs.

use std::collections::BTreeSet;

use heapwright_explain::{condition, source};
use heapwright_ir::Position;

use crate::suite::Suite;

/// So many survivors are told to people.
const MOST: usize = 5;

/// What became of the mutants of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutants {
    /// How many there are.
    pub all: usize,
    /// How many of them some kept test kills.
    pub killed: usize,
    /// Those that tests come by, and that no test kills, in the order of the code.
    pub survivors: Vec<Survivor>,
    /// How many are in code that no test runs.
    pub not_run: usize,
}

/// A mutant that no test kills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survivor {
    /// The change: `` `size++` left out ``.
    pub words: String,
    /// Where.
    pub position: Position,
}

impl Mutants {
    /// Those of a suite, if any were made.
    pub fn of(suite: &Suite) -> Option<Mutants> {
        let mutation = suite.mutation.as_ref()?;
        if mutation.mutants.is_empty() {
            return None;
        }
        let program = &suite.subject.program;
        // A test that fails notices nothing.
        let passing = suite.tests.iter().filter(|kept| kept.findings.is_empty());
        let killed: BTreeSet<usize> = mutation.killed_by(passing.map(|kept| kept.index));
        let left = mutation.mutants.iter().enumerate();
        let left = left.filter(|(index, _)| !killed.contains(index));
        let (reached, others): (Vec<_>, Vec<_>) =
            left.partition(|(index, _)| mutation.reached.contains(index));
        let mut survivors: Vec<Survivor> = reached
            .into_iter()
            .map(|(_, mutant)| Survivor {
                words: condition::of_mutant(program, mutant),
                position: mutant.position(program),
            })
            .collect();
        survivors.sort_by_key(|survivor| survivor.position);
        Some(Mutants {
            all: mutation.mutants.len(),
            killed: killed.len(),
            survivors,
            not_run: others.len(),
        })
    }

    /// How many are killed, and which ones survived, each in one line.
    pub fn lines(&self, suite: &Suite) -> Vec<String> {
        let noun = if self.all == 1 { "mutant" } else { "mutants" };
        let not_run = match self.not_run {
            0 => String::new(),
            number => format!(", {number} in code that no test runs"),
        };
        let mut lines = vec![format!(
            "{} of {} {noun} killed{not_run}",
            self.killed, self.all
        )];
        let own = suite.subject.program.function(suite.function).position.file;
        let survivors = self.survivors.iter().take(MOST);
        lines.extend(survivors.map(|survivor| {
            let position = survivor.position;
            let place = match position.file == own {
                true => format!("line {}", position.line),
                false => {
                    let file = source::file_name(&suite.subject.program, position);
                    let file = file.rsplit('/').next().unwrap_or(file);
                    format!("{file}:{}", position.line)
                }
            };
            format!("survived: {}, {place}", survivor.words)
        }));
        let more = self.survivors.len().saturating_sub(MOST);
        if more > 0 {
            lines.push(format!("{more} more survived"));
        }
        lines
    }
}
