//! Questions to the solver, counted and timed.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use heapwright_logic::{Deadline, Formula, SymbolicHeap, Terms, Value, VarId};
use heapwright_solver::arith::{ArithConfig, Layers};
use heapwright_solver::{Answer, Config, QuestionLimits, Solver};

use rustc_hash::FxHashMap;

use crate::subject::Subject;

/// What any question may be: about a second for Z3, and about a second for derivations. Path
/// conditions that cannot be decided with this are rare, and seldom decided with more.
const FULL: QuestionLimits = QuestionLimits {
    resources: 4_000_000,
    attempts: 1_000,
    facts: 500_000,
};

/// What a question may be that others wait behind: where this is not enough, they come first.
const LOW: QuestionLimits = QuestionLimits {
    resources: 200_000,
    attempts: 100,
    facts: 50_000,
};

/// The settings of the arithmetic for a search that ends at a deadline.
pub fn arithmetic(deadline: &Deadline) -> ArithConfig {
    ArithConfig {
        resource_limit: FULL.resources,
        sessions: 1,
        deadline: deadline.clone(),
        ..ArithConfig::default()
    }
}

/// Cells beyond those of the path that a model may need. Inputs with more are no use as tests.
const CELLS: u32 = 24;

/// How much work a question may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Price {
    /// Little: it is put aside if that is not enough.
    #[default]
    Low,
    /// As much as any question may be.
    Full,
}

impl Price {
    /// How much work it is, as [`Solver::work`] counts it, if several questions stand for one.
    pub fn work(self) -> u64 {
        match self {
            Price::Low => 10_000,
            Price::Full => 40_000,
        }
    }
}

/// The solver of a thread. What it knows about the predicates is kept from run to run.
#[derive(Clone)]
pub struct Worker {
    solver: Rc<RefCell<Solver>>,
    /// The work of questions since somebody asked.
    work: Rc<Cell<u64>>,
}

impl Worker {
    /// A solver for a subject, and the store of terms that all runs start from.
    pub fn new(subject: &Subject, layers: Layers, deadline: &Deadline) -> (Worker, Terms) {
        let mut terms = subject.terms.clone();
        let config = Config {
            arith: ArithConfig {
                layers,
                ..arithmetic(deadline)
            },
            deadline: deadline.clone(),
            cells: CELLS,
            attempts: FULL.attempts,
            facts: FULL.facts,
            ..Config::default()
        };
        let solver = Solver::new(&mut terms, &subject.definitions, config);
        let solver = Rc::new(RefCell::new(solver));
        let work = Rc::default();
        (Worker { solver, work }, terms)
    }

    /// Does something with the solver.
    pub fn with_solver<T>(&self, act: impl FnOnce(&mut Solver) -> T) -> T {
        act(&mut self.solver.borrow_mut())
    }

    /// The work of the questions since it was taken last, as [`Solver::work`] counts it.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    /// The same, and begins at nothing again.
    pub fn take_work(&self) -> u64 {
        self.work.take()
    }

    /// The way to the solver for one run, which begins with its own copy of the store of terms.
    /// Answers depend on the questions of the run and on how much work each may be only.
    pub fn questions(&self, price: Price) -> Questions {
        let limits = match price {
            Price::Low => LOW,
            Price::Full => FULL,
        };
        self.with_solver(|solver| {
            solver.set_limits(limits);
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
        let (answer, work) = self.worker.with_solver(|solver| {
            let before = solver.work();
            let answer = solver.check(terms, &formula);
            (answer, solver.work() - before)
        });
        let counted = &self.worker.work;
        counted.set(counted.get() + work);
        self.calls += 1;
        self.time += start.elapsed();
        answer
    }
}
