//! Asking the solver under a time limit.
//!
//! The solver's own budgets are counted, so that its answers do not depend on the machine. A
//! limit in seconds is kept here, from outside: the solver runs in a thread of its own, and a
//! question that takes too long is given up together with its thread.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use crate::answer::{Answer, Verdict};
use crate::solver::{Config, Solver};
use heapwright_logic::{Definitions, Formula, Model, Terms};

/// What came of a question under a limit.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// There is a heap; it is shown if it was asked for.
    Sat(Option<Box<Model>>),
    /// There is none.
    Unsat,
    /// The question was not decided, for this reason.
    Unknown(String),
}

impl Reply {
    /// The word that SMT-LIB has for it.
    pub fn word(&self) -> &'static str {
        match self {
            Reply::Sat(_) => "sat",
            Reply::Unsat => "unsat",
            Reply::Unknown(_) => "unknown",
        }
    }

    /// Why there is no answer.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Reply::Unknown(reason) => Some(reason),
            _ => None,
        }
    }
}

/// Whether a heap is to be built for a positive answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// The word is enough.
    Verdict,
    /// A heap.
    Model,
}

/// Answers questions over one set of definitions.
pub struct Asker<'a> {
    terms: &'a Terms,
    definitions: &'a Definitions,
    limit: Option<Duration>,
    worker: Option<Worker>,
}

/// The two ends of a solver's thread.
struct Worker {
    questions: Sender<(Formula, Want)>,
    answers: Receiver<Reply>,
}

impl<'a> Asker<'a> {
    /// Questions and definitions must belong to `terms`.
    pub fn new(
        terms: &'a Terms,
        definitions: &'a Definitions,
        limit: Option<Duration>,
    ) -> Asker<'a> {
        Asker {
            terms,
            definitions,
            limit,
            worker: None,
        }
    }

    /// Answers one question.
    pub fn ask(&mut self, formula: &Formula, want: Want) -> Reply {
        let (terms, definitions) = (self.terms, self.definitions);
        let worker = (self.worker).get_or_insert_with(|| Worker::start(terms, definitions));
        worker
            .ask(formula, want, self.limit)
            .unwrap_or_else(|silence| {
                // Its thread is still busy, or gone; the next question gets another one.
                self.worker = None;
                Reply::Unknown(silence.to_owned())
            })
    }
}

impl Worker {
    fn start(terms: &Terms, definitions: &Definitions) -> Worker {
        let (questions, inbox) = channel::<(Formula, Want)>();
        let (outbox, answers) = channel();
        let (mut terms, definitions) = (terms.clone(), definitions.clone());
        std::thread::spawn(move || {
            let mut solver = Solver::new(&mut terms, &definitions, Config::default());
            for (formula, want) in inbox {
                let answer = solve(&mut solver, &mut terms, &formula, want);
                if outbox.send(answer).is_err() {
                    break;
                }
            }
        });
        Worker { questions, answers }
    }

    /// The answer, or why there is none.
    fn ask(
        &self,
        formula: &Formula,
        want: Want,
        limit: Option<Duration>,
    ) -> Result<Reply, &'static str> {
        // A worker that is gone is noticed when its answer does not come.
        let _ = self.questions.send((formula.clone(), want));
        let received = match limit {
            Some(limit) => self.answers.recv_timeout(limit),
            None => self.answers.recv().map_err(RecvTimeoutError::from),
        };
        received.map_err(|error| match error {
            RecvTimeoutError::Timeout => "the time limit was reached",
            RecvTimeoutError::Disconnected => {
                "the solver stopped, which is a defect; please report it"
            }
        })
    }
}

fn solve(solver: &mut Solver, terms: &mut Terms, formula: &Formula, want: Want) -> Reply {
    match want {
        Want::Verdict => match solver.verdict(terms, formula) {
            Verdict::Sat => Reply::Sat(None),
            Verdict::Unsat => Reply::Unsat,
            Verdict::Unknown(reason) => Reply::Unknown(reason.to_string()),
        },
        Want::Model => match solver.check(terms, formula) {
            Answer::Sat(model) => Reply::Sat(Some(model)),
            Answer::Unsat => Reply::Unsat,
            Answer::Unknown(reason) => Reply::Unknown(reason.to_string()),
        },
    }
}
