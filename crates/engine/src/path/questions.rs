//! Questions to the solver, counted and timed.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use heapwright_logic::{Deadline, Formula, SymbolicHeap, Terms, Value, VarId};
use heapwright_solver::arith::ArithConfig;
use heapwright_solver::{Answer, Config, Solver};

use rustc_hash::FxHashMap;

use crate::subject::Subject;

/// Z3's own measure of work for one question, about a second. Path conditions that it cannot
/// decide with this are rare, and seldom decided with more.
const BACKEND_RESOURCES: u32 = 4_000_000;

/// The settings of the arithmetic for a search that ends at a deadline.
pub fn arithmetic(deadline: &Deadline) -> ArithConfig {
    ArithConfig {
        resource_limit: BACKEND_RESOURCES,
        sessions: 1,
        deadline: deadline.clone(),
        ..ArithConfig::default()
    }
}

/// Cells beyond those of the path that a model may need. Inputs with more are no use as tests.
const CELLS: u32 = 24;

/// Derivations that are tried for one question.
const ATTEMPTS: u64 = 1_000;

/// The same for a question that others wait behind: where this is not enough, they come first.
const LOW_RESOURCES: u32 = 200_000;
const LOW_ATTEMPTS: u64 = 100;

/// How much work a question may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Price {
    /// Little: it is put aside if that is not enough.
    #[default]
    Low,
    /// As much as any question may be.
    Full,
}

/// The solver of a thread. What it knows about the predicates is kept from run to run.
#[derive(Clone)]
pub struct Worker {
    solver: Rc<RefCell<Solver>>,
}

impl Worker {
    /// A solver for a subject, and the store of terms that all runs start from.
    pub fn new(subject: &Subject, deadline: &Deadline) -> (Worker, Terms) {
        let mut terms = subject.terms.clone();
        let config = Config {
            arith: arithmetic(deadline),
            deadline: deadline.clone(),
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
    /// Answers depend on the questions of the run and on how much work each may be only.
    pub fn questions(&self, price: Price) -> Questions {
        let (resources, attempts) = match price {
            Price::Low => (LOW_RESOURCES, LOW_ATTEMPTS),
            Price::Full => (BACKEND_RESOURCES, ATTEMPTS),
        };
        self.with_solver(|solver| {
            solver.set_effort(resources, attempts);
            solver.restart();
        });
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
    /// Numbers that satisfy much of the next questions.
    pub fn suggest(&self, values: &FxHashMap<VarId, Value>) {
        self.worker.with_solver(|solver| solver.suggest(values));
    }

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
