//! The search: batches of jobs, merged in order into one tree, one coverage, one list of tests.
//!
//! The size of a batch is fixed and results are merged in the order in which their nodes were
//! picked, so the number of threads does not show in what comes out. Only a bound on the clock
//! can make two searches differ.

mod bound_growth;
mod checks;
mod merge;
mod program_growth;
#[cfg(test)]
mod program_growth_tests;
mod structures;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_ir::FunctionId;
use heapwright_ir::machine::Edge;
use heapwright_logic::{CanonicalKey, Deadline};
use heapwright_solver::Verdict;
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use self::bound_growth::BoundGrowth;
pub(crate) use self::program_growth::coverage_of;
use self::program_growth::literals_under_test;
use crate::analysis::coverage::{Coverage, NoCode};
use crate::check::verdict::{judge, leave_open, stopped};
use crate::input::Input;
use crate::input::specification::{from_specification, satisfiable};
use crate::options::{Mode, Options, StrategyKind};
use crate::report::{Fate, Limit, Origin, Outcome, Report, StopReason, Test};
use crate::search::constraint_tree::ConstraintTree;
use crate::search::frontier::Frontier;
use crate::search::job::{Context, JobResult};
use crate::search::strategy::{Candidate, Path};
use crate::search::supply::{NothingMore, Supplier};
use crate::search::workers::{Task, Workers};
use crate::subject::Subject;

/// Nodes that are explored between two looks at coverage and bounds.
const BATCH: usize = 8;

/// Formulas that the precondition is unfolded to at most.
const FORMULAS: usize = 10_000;

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Tests found.
    pub tests: usize,
    /// Branches covered.
    pub covered: usize,
    /// Branches in all.
    pub branches: usize,
    /// Nodes that wait to be explored.
    pub frontier: usize,
    /// Questions to the solver.
    pub solver_calls: u64,
    /// Time spent in solving, of all threads.
    pub solving: Duration,
    /// Time since the beginning.
    pub elapsed: Duration,
}

/// A search that cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExploreError {
    /// There is no code at the line to be reached.
    #[error(transparent)]
    NoCode(NoCode),
    /// The mode needs a predicate, and there is none.
    #[error("there is no predicate (such as `repOk`) for the objects of this function")]
    NoPredicate,
}

/// Searches for tests. The observer is told how far the search is after every batch.
pub fn explore(
    subject: &Subject,
    options: &Options,
    observer: &mut dyn FnMut(&Progress),
) -> Result<Report, ExploreError> {
    let subject = Arc::new(subject.clone());
    explore_growing(subject, &mut NothingMore, options, observer).map(|(report, _)| report)
}

/// The same for a program that grows while it is explored. Returns the subject as it is in the
/// end as well.
pub fn explore_growing(
    subject: Arc<Subject>,
    supplier: &mut dyn Supplier,
    options: &Options,
    observer: &mut dyn FnMut(&Progress),
) -> Result<(Report, Arc<Subject>), ExploreError> {
    let begin = Instant::now();
    let coverage = coverage_of(&subject, options)?;
    let deadline = Deadline::after(begin, options.bounds.time).or_when(options.interrupt.switch());
    let (mut context, worker) = Context::new(subject, options, &deadline);
    context.literals = literals_under_test(&context.subject, &coverage);
    // More threads than jobs in a batch would only wait.
    let threads = options.jobs.clamp(1, BATCH);
    std::thread::scope(|scope| {
        let mut workers = Workers::start(scope, threads, &deadline);
        workers.employ(context.generation, worker);
        let mut search = Search {
            context: Arc::new(context),
            supplier,
            workers,
            asked: BTreeSet::new(),
            coverage: Arc::new(coverage),
            tree: ConstraintTree::default(),
            frontier: Frontier::new(options),
            report: Report::default(),
            nearest: FxHashMap::default(),
            inputs: FxHashSet::default(),
            open: Vec::new(),
            bytes: 0,
            is_analysed: true,
            reached: false,
            only_news: false,
            growth: BoundGrowth::default(),
            begin,
            deadline,
        };
        search.report.stop = search.run(observer)?;
        search.check_further(observer)?;
        search.search_again(observer)?;
        let Search {
            context,
            coverage,
            tree,
            frontier,
            mut report,
            mut open,
            growth,
            ..
        } = search;
        let unknown = &mut report.statistics.unknown;
        *unknown = unknown.saturating_sub(growth.again);
        for (candidate, limit) in tree.parked() {
            leave_open(&mut open, limit, candidate.objects);
            if limit == Limit::Solver {
                continue;
            }
            *report.statistics.cut.entry(limit).or_insert(0) += 1;
        }
        report.extent = context.extent;
        judge(
            &mut report,
            options,
            &coverage,
            frontier.remaining(&tree),
            &open,
        );
        report.alternatives = tree.alternatives(stopped(report.stop, options.mode));
        let program = &context.subject.program;
        let missing = context.missing.iter();
        report.missing = missing.map(|one| one.name(program).to_owned()).collect();
        report.statistics.total = begin.elapsed();
        Ok((report, Arc::clone(&context.subject)))
    })
}

/// What became of a node that no path leads through.
fn fate(result: &JobResult) -> Option<Fate> {
    match result.open.first() {
        _ if result.infeasible => Some(Fate::Infeasible),
        Some(&(limit, _)) if result.tests.is_empty() => Some(Fate::Open(limit)),
        _ => None,
    }
}

struct Search<'c> {
    context: Arc<Context>,
    supplier: &'c mut dyn Supplier,
    workers: Workers,
    /// Functions that the front end was asked for.
    asked: BTreeSet<FunctionId>,
    coverage: Arc<Coverage>,
    tree: ConstraintTree,
    frontier: Frontier,
    report: Report,
    /// How near a path came to each branch on known numbers that is uncovered.
    nearest: FxHashMap<Edge, u64>,
    /// The keys of the inputs of all tests.
    inputs: FxHashSet<CanonicalKey>,
    /// What was left unexplored, with the smallest number of objects of the inputs there.
    open: Vec<(Limit, u32)>,
    /// An estimate of the memory that tests and tree take.
    bytes: u64,
    /// Whether it is known which branches are infeasible.
    is_analysed: bool,
    /// Whether a test has reached the place to be reached.
    reached: bool,
    /// Whether only runs are kept that fail, or that do something that no test does.
    only_news: bool,
    growth: BoundGrowth,
    begin: Instant,
    deadline: Deadline,
}

impl Search<'_> {
    fn run(&mut self, observer: &mut dyn FnMut(&Progress)) -> Result<StopReason, ExploreError> {
        let options = self.context.options.clone();
        if let Mode::Blackbox | Mode::Whitebox = options.mode {
            return self.structures(observer);
        }
        let lazy = self.context.is_lazy();
        if !lazy && satisfiable(&self.context.subject, &self.deadline) == Verdict::Unsat {
            return Ok(StopReason::Unsatisfiable);
        }
        let depth = match options.mode {
            Mode::Specification => options.unfolding.unwrap_or(3),
            Mode::Concolic => options.unfolding.unwrap_or(1),
            _ => options.unfolding.unwrap_or(0),
        };
        let has_precondition = self.context.subject.precondition.is_some() && !lazy;
        let from_specification = has_precondition && depth > 0;
        if (from_specification || options.mode == Mode::Specification)
            && let Some(stop) = self.specification(depth, observer)?
        {
            return Ok(stop);
        }
        if options.mode == Mode::Specification {
            self.open.push((Limit::Specification, 0));
            return Ok(match (self.coverage.all_covered(), self.limit()) {
                (true, _) => StopReason::Covered,
                (false, Some(limit)) => StopReason::Limit(limit),
                (false, None) => StopReason::Exhausted,
            });
        }
        if self.tree.is_open(ConstraintTree::ROOT) {
            let root = self.tree.candidate(ConstraintTree::ROOT);
            self.frontier.add(root, None);
        }
        loop {
            match self.next_batch() {
                Ok(batch) => self.explore_nodes(&batch, observer)?,
                Err(stop) => return Ok(stop),
            }
        }
    }

    /// Explores nodes of the frontier.
    fn explore_nodes(
        &mut self,
        batch: &[Candidate],
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<(), ExploreError> {
        let tasks = (batch.iter())
            .map(|candidate| {
                let neighbour = self.tree.neighbour(candidate.node);
                let price = self.tree.price(candidate.node);
                Task::Prefix(self.tree.prefix(candidate.node), neighbour, price)
            })
            .collect();
        let results = self.explore(tasks)?;
        for (candidate, mut result) in batch.iter().zip(results) {
            let kept_out = result.take_kept_out();
            match (kept_out, fate(&result)) {
                (Some((limit, objects)), _) => self.keep_out(candidate.node, limit, objects),
                (None, Some(fate)) => self.tree.end(candidate.node, fate),
                (None, None) => self.tree.close(candidate.node),
            }
            if !result.decisions.is_empty() {
                let path = Path {
                    decisions: &result.decisions,
                    misses: &result.misses,
                };
                self.frontier.learn(*candidate, &path);
            }
            self.merge(result, Origin::Path);
        }
        observer(&self.progress());
        Ok(())
    }

    /// Tests straight from the precondition.
    fn specification(
        &mut self,
        depth: u32,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Option<StopReason>, ExploreError> {
        let subject = Arc::clone(&self.context.subject);
        let mut inputs = from_specification(&subject, depth, FORMULAS).until(self.deadline.clone());
        if self.context.options.mode == Mode::Specification {
            inputs = inputs.varied();
        }
        loop {
            let (unsatisfiable, unknown) = (inputs.unsatisfiable, inputs.unknown);
            let (formulas, solving) = (inputs.formulas, inputs.solving);
            let batch: Vec<(u32, Input)> = inputs.by_ref().take(BATCH).collect();
            let statistics = &mut self.report.statistics;
            statistics.formulas = inputs.formulas;
            statistics.infeasible += inputs.unsatisfiable - unsatisfiable;
            statistics.unknown += inputs.unknown - unknown;
            statistics.solver_calls += inputs.formulas - formulas;
            statistics.solving += inputs.solving - solving;
            if batch.is_empty() {
                return Ok(None);
            }
            let (formulas, inputs): (Vec<u32>, Vec<Input>) = batch.into_iter().unzip();
            let tasks = inputs.into_iter().map(Task::Input).collect();
            let results = self.explore(tasks)?;
            for (formula, result) in formulas.into_iter().zip(results) {
                self.merge(result, Origin::Specification(formula));
            }
            observer(&self.progress());
            // All formulas are looked at in this mode: its coverage is that of the depth.
            if self.context.options.mode != Mode::Specification {
                if let Some(stop) = self.stop() {
                    return Ok(Some(stop));
                }
            } else if let Some(stop @ StopReason::Limit(_)) = self.stop() {
                return Ok(Some(stop));
            }
        }
    }

    /// The nodes of the next batch, or why there is none.
    fn next_batch(&mut self) -> Result<Vec<Candidate>, StopReason> {
        let options = &self.context.options;
        let batch = match self.stop() {
            Some(StopReason::Covered) => {
                let faults = match self.limit() {
                    // Something was left in the middle: another run may find more.
                    Some(limit) if self.open.iter().any(|&(open, _)| open == limit) => {
                        return Err(StopReason::Limit(limit));
                    }
                    Some(_) => Vec::new(),
                    None => self.frontier.pick_faults(BATCH, &self.tree),
                };
                // Nothing waits behind them.
                for candidate in &faults {
                    self.tree.pay_in_full(candidate.node);
                }
                match faults.is_empty() {
                    true => return Err(StopReason::Covered),
                    false => faults,
                }
            }
            Some(stop) => return Err(stop),
            None => {
                let guided = options.stop_when_covered && options.reach.is_none();
                let patience = options.bounds.patience;
                // Only the coverage-guided strategy puts small heaps off.
                let may_close = options.strategy == StrategyKind::Coverage;
                if guided
                    && self.frontier.is_fruitless(self.patience(patience))
                    && !self.grow_bounds()
                {
                    if self.frontier.is_closing() || !may_close {
                        return Err(StopReason::Limit(Limit::Patience));
                    }
                    self.frontier.close(&self.tree);
                }
                let size = self.batch_size();
                let mut batch = self.frontier.pick(size, &self.tree, &self.coverage);
                if batch.is_empty() && (self.grow_bounds() || self.ask_again()) {
                    batch = self.frontier.pick(size, &self.tree, &self.coverage);
                }
                batch
            }
        };
        match batch.is_empty() {
            true => Err(StopReason::Exhausted),
            false => Ok(batch),
        }
    }

    /// Whether the search is over.
    fn stop(&self) -> Option<StopReason> {
        match self.reached {
            true => Some(StopReason::Reached),
            false if self.is_covered() => Some(StopReason::Covered),
            false => self.limit().map(StopReason::Limit),
        }
    }

    /// Whether covering branches is the goal, and every branch is covered. A function whose
    /// branches say nothing about whether it works needs a test that returns, if there is one;
    /// and what is freed is often used one iteration later, so that a few more paths are looked
    /// at.
    fn is_covered(&self) -> bool {
        let options = &self.context.options;
        let program = &self.context.subject.program;
        let returned = |test: &Test| matches!(test.run.outcome, Outcome::Returned);
        options.reach.is_none()
            && options.stop_when_covered
            && self.coverage.all_covered()
            && !self.report.tests.is_empty()
            && (self.frontier.is_stale()
                || self.report.tests.iter().any(returned) && !program.manual_memory)
    }

    /// The bound that ends the search, if one does.
    fn limit(&self) -> Option<Limit> {
        let bounds = &self.context.options.bounds;
        let statistics = &self.report.statistics;
        if let Some(limit) = self.context.options.interrupt.limit() {
            Some(limit)
        } else if statistics.paths >= bounds.paths {
            Some(Limit::Paths)
        } else if statistics.solver_calls >= bounds.solver_calls {
            Some(Limit::SolverCalls)
        } else if self.bytes >= bounds.memory {
            Some(Limit::Memory)
        } else if bounds.time.is_some_and(|time| self.begin.elapsed() >= time) {
            Some(Limit::Time)
        } else {
            None
        }
    }

    fn progress(&self) -> Progress {
        Progress {
            tests: self.report.tests.len(),
            covered: self.coverage.covered_count(),
            branches: self.coverage.total(),
            frontier: self.frontier.len(),
            solver_calls: self.report.statistics.solver_calls,
            solving: self.report.statistics.solving,
            elapsed: self.begin.elapsed(),
        }
    }
}
