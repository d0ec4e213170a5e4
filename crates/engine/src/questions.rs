//! Questions to the solver, counted and timed.

use std::time::{Duration, Instant};

use heapwright_logic::{Definitions, Formula, SymbolicHeap, Terms};
use heapwright_solver::arith::ArithConfig;
use heapwright_solver::{Answer, Config, Solver};

/// The way to a solver that is made when the first question is asked.
#[derive(Default)]
pub struct Questions {
    solver: Option<Solver>,
    /// Questions asked.
    pub calls: u64,
    /// Questions that a known model answered.
    pub hits: u64,
    /// Time spent.
    pub time: Duration,
}

impl Questions {
    /// Whether some heap satisfies a formula, with all its variables free.
    pub fn check(
        &mut self,
        terms: &mut Terms,
        definitions: &Definitions,
        heap: SymbolicHeap,
    ) -> Answer {
        let start = Instant::now();
        let formula = Formula {
            disjuncts: vec![heap],
        };
        let answer = self.solver(terms, definitions).check(terms, &formula);
        self.calls += 1;
        self.time += start.elapsed();
        answer
    }

    /// The solver.
    pub fn solver(&mut self, terms: &mut Terms, definitions: &Definitions) -> &mut Solver {
        self.solver.get_or_insert_with(|| {
            // The questions before this one are those of the same job, and so always the same.
            let config = Config {
                arith: ArithConfig::default(),
                ..Config::default()
            };
            Solver::new(terms, definitions, config)
        })
    }
}
