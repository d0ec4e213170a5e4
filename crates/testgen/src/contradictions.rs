//! Contradictions in specifications, each told once, however many procedures they are in the way of.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use heapwright_engine::{Proof, Status, Subject};

use crate::suite::Suite;
use heapwright_explain::{Labels, contradiction};

/// What no heap satisfies, of the specifications of some procedures.
#[derive(Default, serde::Serialize, serde::Deserialize)]
pub struct Contradictions {
    preconditions: Vec<Precondition>,
    /// The predicates whose disjuncts were looked at, with the files that they are from.
    examined: BTreeSet<(Option<PathBuf>, String)>,
    warnings: Vec<String>,
}

/// A precondition that cannot be met, and the procedures that have it.
#[derive(serde::Serialize, serde::Deserialize)]
struct Precondition {
    file: Option<PathBuf>,
    /// The command that looks for mistakes in the file.
    check: Option<String>,
    why: Vec<String>,
    procedures: Vec<String>,
}

impl Contradictions {
    /// Takes down that no heap satisfies the precondition of a procedure.
    pub fn add(
        &mut self,
        file: Option<&Path>,
        check: Option<String>,
        name: &str,
        labels: &dyn Labels,
        subject: &Subject,
    ) {
        let why = contradiction::of_precondition(labels, subject);
        let file = file.map(Path::to_owned);
        let mut known = self.preconditions.iter_mut();
        match known.find(|known| known.file == file && known.why == why) {
            Some(known) => known.procedures.push(name.to_owned()),
            None => self.preconditions.push(Precondition {
                file,
                check,
                why,
                procedures: vec![name.to_owned()],
            }),
        }
    }

    /// Where branches were proved unreachable, looks whether a contradiction in a predicate is to
    /// blame for that: what should be a long list is then always empty.
    pub fn examine(&mut self, file: Option<&Path>, check: Option<String>, suite: &Suite) {
        let closed = |status: &Status| matches!(status, Status::Infeasible(Proof::ClosedTree));
        let mut branches = suite.report.branches.iter();
        if !branches.any(|branch| closed(&branch.status)) {
            return;
        }
        let file = file.map(Path::to_owned);
        let is_new = |name: &str| self.examined.insert((file.clone(), name.to_owned()));
        for (place, why) in contradiction::of_predicates(suite.language, &suite.subject, is_new) {
            let mut lines = vec![format!(
                "warning: {}no heap satisfies {place}, so branches may be proved unreachable that \
                 should not be",
                prefix(file.as_deref())
            )];
            lines.extend(why.into_iter().map(|line| format!("  {line}")));
            lines.extend(check.iter().map(|check| format!("  see {check}")));
            self.warnings.push(lines.join("\n"));
        }
    }

    /// Adds what was found elsewhere: it is still told once.
    pub fn absorb(&mut self, other: Contradictions) {
        for new in other.preconditions {
            let mut known = self.preconditions.iter_mut();
            match known.find(|known| known.file == new.file && known.why == new.why) {
                Some(known) => known.procedures.extend(new.procedures),
                None => self.preconditions.push(new),
            }
        }
        self.examined.extend(other.examined);
        for warning in other.warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    /// What keeps procedures from being tested.
    pub fn complaints(&self) -> Vec<String> {
        let complaint = |known: &Precondition| {
            let names: Vec<String> = (known.procedures.iter())
                .map(|name| format!("`{name}`"))
                .collect();
            let check = known.check.as_ref();
            let check = check.map_or(String::new(), |check| format!(" (see {check})"));
            let why = known.why.iter().map(|line| format!("\n  {line}"));
            format!(
                "{}no heap satisfies the precondition of {}, so there is nothing to test; correct \
                 it{check}, or use --no-spec to allow every heap{}",
                prefix(known.file.as_deref()),
                names.join(", "),
                why.collect::<String>()
            )
        };
        self.preconditions.iter().map(complaint).collect()
    }

    /// What was tested all the same, but with less than is meant.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

fn prefix(file: Option<&Path>) -> String {
    file.map_or(String::new(), |file| format!("{}: ", file.display()))
}
