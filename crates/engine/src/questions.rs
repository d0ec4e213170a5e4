//! Questions to the solver, counted and timed.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use heapwright_logic::{Formula, SymbolicHeap, Terms};
use heapwright_solver::arith::ArithConfig;
use heapwright_solver::{Answer, Config, Solver};

use crate::subject::Subject;

/// Milliseconds that Z3 may take for one question. Path conditions that it cannot decide in this
/// time are rare, and seldom decided in a longer one.
pub const BACKEND_MILLISECONDS: u32 = 2_000;

/// Cells beyond those of the path that a model may need. Inputs with more are no use as tests.
const CELLS: u32 = 24;

/// Derivations that are tried for one question.
const ATTEMPTS: u64 = 1_000;

/// The solver of a thread. What it knows about the predicates is kept from run to run.
#[derive(Clone)]
pub struct Worker {
    solver: Rc<RefCell<Solver>>,
}

impl Worker {
    /// A solver for a subject, and the store of terms that all runs start from.
    pub fn new(subject: &Subject, deadline: Option<Instant>) -> (Worker, Terms) {
        let mut terms = subject.terms.clone();
        let config = Config {
            arith: ArithConfig {
                timeout_ms: BACKEND_MILLISECONDS,
                ..ArithConfig::default()
            },
            deadline,
            cells: CELLS,
            attempts: ATTEMPTS,
            ..Config::default()
        };
        let solver = Solver::new(&mut terms, &subject.definitions, config);
        let solver = Rc::new(RefCell::new(solver));
        (Worker { solver }, terms)
    }

    /// Does something with the solver.
    pub fn with_solver<T>(&self, act: impl FnOnce(&mut Solver) -> T) -> T {
        act(&mut self.solver.borrow_mut())
    }

    /// The way to the solver for one run, which begins with its own copy of the store of terms.
    /// Answers depend on the questions of the run only.
    pub fn questions(&self) -> Questions {
        self.solver.borrow_mut().restart();
        Questions {
            worker: self.clone(),
            calls: 0,
            hits: 0,
            time: Duration::ZERO,
        }
    }
}

/// The way to the solver for one run.
pub struct Questions {
    worker: Worker,
    /// Questions asked.
    pub calls: u64,
    /// Questions that a known model answered.
    pub hits: u64,
    /// Time spent.
    pub time: Duration,
}

impl Questions {
    /// Whether some heap satisfies a formula, with all its variables free.
    pub fn check(&mut self, terms: &mut Terms, heap: SymbolicHeap) -> Answer {
        let start = Instant::now();
        let formula = Formula {
            disjuncts: vec![heap],
        };
        let answer = self
            .worker
            .with_solver(|solver| solver.check(terms, &formula));
        self.calls += 1;
        self.time += start.elapsed();
        answer
    }
}
