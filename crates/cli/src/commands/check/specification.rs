//! `check` without a heap: what is wrong with a specification, drawn on heaps.
//!
//! A disjunct, a precondition or a postcondition without any model is an error. A reference that
//! may lead anywhere is only mentioned: it can be meant.

use crate::frontends::LABELS;
use std::io::Write;
use std::time::Duration;

use heapwright_logic::{Formula, PredId, SymbolicHeap};
use serde_json::json;

use crate::failure::{CommandStatus, Failure};
use heapwright_explain::contradiction::{self, Contradiction};
use heapwright_explain::loose::loose_references;
use heapwright_explain::words;
use heapwright_solver::asking::{Asker, Reply, Want};
use heapwright_spec::questions::{Question, QuestionFile};

/// Checks the predicates that the file defines itself, and its contracts.
pub fn run(
    input: &mut QuestionFile,
    limit: Option<Duration>,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    let mut checker = Checker {
        limit,
        errors: 0,
        unknown: 0,
        followed: 0,
        notices: Vec::new(),
    };
    for predicate in input.own_predicates() {
        checker.predicate(input, predicate);
    }
    for contract in input.contracts.clone() {
        let name = contract.name.clone().unwrap_or_default();
        checker.contract(input, &name, &contract);
    }
    match as_json {
        true => writeln!(out, "{}", checker.json())?,
        false => checker.print(out)?,
    }
    Ok(match (checker.errors, checker.unknown) {
        (0, 0) => CommandStatus::Decided,
        (0, _) => CommandStatus::Unknown,
        _ => CommandStatus::Refuted,
    })
}

/// Something that is told about a specification.
struct Notice {
    kind: Kind,
    message: String,
    /// What is drawn below.
    lines: Vec<String>,
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fine,
    Note,
    Unknown,
    Error,
}

struct Checker {
    /// For each question.
    limit: Option<Duration>,
    errors: u64,
    unknown: u64,
    /// Places that have no model only because a predicate has none.
    followed: u64,
    notices: Vec<Notice>,
}

impl Checker {
    fn tell(&mut self, kind: Kind, message: String, lines: Vec<String>) {
        self.notices.push(Notice {
            kind,
            message,
            lines,
        });
    }

    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        for notice in &self.notices {
            let word = match notice.kind {
                Kind::Error => "error: ",
                Kind::Note => "note: ",
                Kind::Fine | Kind::Unknown => "",
            };
            writeln!(out, "{word}{}", notice.message)?;
            for line in &notice.lines {
                writeln!(out, "  {line}")?;
            }
        }
        if self.followed > 0 {
            let more = words::count(self.followed, "more place", "more places");
            let why = "because of a predicate that no heap satisfies";
            writeln!(out, "{more} without a model {why}")?;
        }
        Ok(())
    }

    fn json(&self) -> serde_json::Value {
        let of = |wanted: Kind| -> Vec<serde_json::Value> {
            let notices = self.notices.iter();
            notices
                .filter(|notice| notice.kind == wanted)
                .map(|notice| json!({ "message": notice.message, "lines": notice.lines }))
                .collect()
        };
        let answer = match (self.errors, self.unknown) {
            (0, 0) => "satisfiable",
            (0, _) => "unknown",
            _ => "unsatisfiable",
        };
        json!({
            "answer": answer,
            "errors": of(Kind::Error),
            "unknown": of(Kind::Unknown),
            "notes": of(Kind::Note),
            "followed": self.followed,
        })
    }

    fn predicate(&mut self, input: &mut QuestionFile, predicate: PredId) {
        let questions = input.disjuncts(predicate);
        let name = input.definitions.predicate(predicate).name.clone();
        let mut fine = 0;
        let before = (self.errors, self.followed, self.unknown);
        for (number, question) in (1..).zip(&questions) {
            let place = format!("disjunct {number} of `{name}`");
            fine += u64::from(self.ask(input, &place, question));
        }
        let followed = self.followed - before.1;
        let unexplained = followed == self.errors - before.0 && self.unknown == before.2;
        if fine == 0 && followed > 0 && unexplained {
            self.followed = before.1;
            let why = "each of its disjuncts needs another instance of a predicate without models";
            let mut lines = vec![why.to_owned()];
            for question in &questions {
                for heap in &question.formula.disjuncts {
                    let limit = self.limit;
                    let drawn =
                        contradiction::draw_without_instances(LABELS, input, question, heap, limit);
                    lines.extend(drawn);
                }
            }
            self.tell(Kind::Error, format!("no heap satisfies `{name}`"), lines);
        }
        if fine == questions.len() as u64 {
            let disjuncts = words::count(fine, "disjunct", "disjuncts");
            let message = format!("predicate `{name}`: {disjuncts}, each with a model");
            self.tell(Kind::Fine, message, Vec::new());
        }
    }

    /// A contract needs one disjunct with a model.
    fn contract(&mut self, input: &mut QuestionFile, name: &str, question: &Question) {
        let answer = {
            let mut asker = Asker::new(&input.terms, &input.definitions, self.limit);
            asker.ask(&question.formula, Want::Verdict)
        };
        match answer {
            Reply::Sat(_) => self.tell(Kind::Fine, format!("{name}: has a model"), Vec::new()),
            Reply::Unknown(reason) => self.no_answer(name, &reason),
            Reply::Unsat => {
                for heap in &question.formula.disjuncts {
                    let single = Question {
                        formula: one(heap),
                        ..question.clone()
                    };
                    self.ask(input, &format!("the {name}"), &single);
                }
            }
        }
    }

    fn no_answer(&mut self, place: &str, reason: &str) {
        self.unknown += 1;
        let message = format!("{place}: no model found ({reason})");
        self.tell(Kind::Unknown, message, Vec::new());
    }

    /// Whether a formula of one disjunct has a model; says so if it has none.
    fn ask(&mut self, input: &mut QuestionFile, place: &str, question: &Question) -> bool {
        let answer = {
            let mut asker = Asker::new(&input.terms, &input.definitions, self.limit);
            asker.ask(&question.formula, Want::Model)
        };
        match answer {
            Reply::Sat(model) => {
                let loose =
                    model.and_then(|model| loose_references(LABELS, input, question, &model));
                if let Some((names, lines)) = loose {
                    self.tell(
                        Kind::Note,
                        format!("{place} does not say where {names}"),
                        lines,
                    );
                }
                return true;
            }
            Reply::Unknown(reason) => {
                self.no_answer(place, &reason);
                return false;
            }
            Reply::Unsat => self.errors += 1,
        }
        let found = (question.formula.disjuncts.iter())
            .find_map(|heap| contradiction::find(LABELS, input, question, heap, self.limit));
        match found {
            Some(Contradiction {
                blamed: Some(_), ..
            }) => self.followed += 1,
            found => {
                let lines = found.map_or_else(Vec::new, |found| found.lines);
                self.tell(Kind::Error, format!("no heap satisfies {place}"), lines);
            }
        }
        false
    }
}

fn one(heap: &SymbolicHeap) -> Formula {
    Formula {
        disjuncts: vec![heap.clone()],
    }
}
