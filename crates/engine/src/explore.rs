//! The search: batches of jobs, merged in order into one tree, one coverage, one list of tests.
//!
//! The size of a batch is fixed and results are merged in the order in which their nodes were
//! picked, so the number of threads does not show in what comes out. Only a bound on the clock
//! can make two searches differ.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use heapwright_logic::CanonicalKey;
use heapwright_solver::arith::ArithConfig;
use heapwright_solver::{Config, Solver, Verdict};
use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::coverage::{Coverage, NoCode};
use crate::decision::Decision;
use crate::frontier::Frontier;
use crate::input::Input;
use crate::job::{Context, Finding, explore_input, explore_prefix};
use crate::knowledge::Knowledge;
use crate::nullness::infeasible_edges;
use crate::options::{Mode, Options};
use crate::report::{
    Branch, Limit, Origin, Outcome, Proof, Report, Statistics, Status, StopReason, Test,
};
use crate::specification::{from_specification, satisfiable};
use crate::strategy::Candidate;
use crate::subject::Subject;
use crate::symbolic::Start;
use crate::tree::ConstraintTree;

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
    /// Time since the beginning.
    pub elapsed: Duration,
}

/// A search that cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExploreError {
    /// There is no code at the line to be reached.
    #[error("there is no code to be reached there")]
    NoCode(NoCode),
}

/// Searches for tests. The observer is told how far the search is after every batch.
pub fn explore(
    subject: &Subject,
    options: &Options,
    observer: &mut dyn FnMut(&Progress),
) -> Result<Report, ExploreError> {
    let begin = Instant::now();
    let (program, function) = (subject.program, subject.function);
    let mut coverage = match &options.reach {
        None => Coverage::new(program, function),
        Some(place) => Coverage::towards(program, function, place).map_err(ExploreError::NoCode)?,
    };
    for edge in infeasible_edges(program, function, coverage.functions()) {
        coverage.rule_out(edge);
    }
    let knowledge = knowledge(subject);
    let context = Context {
        start: Start {
            subject,
            knowledge: &knowledge,
            bounds: options.bounds,
            lazy: matches!(options.mode, Mode::Lazy { .. }),
        },
        options,
    };
    let mut search = Search {
        context: &context,
        coverage,
        tree: ConstraintTree::default(),
        frontier: Frontier::new(options),
        report: Report::default(),
        inputs: FxHashSet::default(),
        open: Vec::new(),
        bytes: 0,
        begin,
    };
    search.report.stop = search.run(observer);
    Ok(search.finish())
}

fn knowledge(subject: &Subject) -> Knowledge {
    let mut terms = subject.terms.clone();
    let config = Config {
        arith: ArithConfig::repeatable(),
        ..Config::default()
    };
    let mut solver = Solver::new(&mut terms, &subject.definitions, config);
    Knowledge::new(&terms, &subject.definitions, &mut solver)
}

struct Search<'c, 's> {
    context: &'c Context<'s>,
    coverage: Coverage,
    tree: ConstraintTree,
    frontier: Frontier,
    report: Report,
    /// The keys of the inputs of all tests.
    inputs: FxHashSet<CanonicalKey>,
    /// What was left unexplored, with the smallest number of objects of the inputs there.
    open: Vec<(Limit, u32)>,
    /// An estimate of the memory that tests and tree take.
    bytes: u64,
    begin: Instant,
}

impl Search<'_, '_> {
    fn run(&mut self, observer: &mut dyn FnMut(&Progress)) -> StopReason {
        let options = self.context.options;
        let lazy = self.context.start.lazy;
        if !lazy && satisfiable(self.context.start.subject) == Verdict::Unsat {
            return StopReason::Unsatisfiable;
        }
        let depth = match options.mode {
            Mode::Specification => options.unfolding.unwrap_or(3),
            Mode::Concolic => options.unfolding.unwrap_or(1),
            Mode::Symbolic | Mode::Lazy { .. } => options.unfolding.unwrap_or(0),
        };
        let has_precondition = self.context.start.subject.precondition.is_some() && !lazy;
        let from_specification = has_precondition && depth > 0;
        if (from_specification || options.mode == Mode::Specification)
            && let Some(stop) = self.specification(depth, observer)
        {
            return stop;
        }
        if options.mode == Mode::Specification {
            self.open.push((Limit::Specification, 0));
            return match self.coverage.all_covered() {
                true => StopReason::Covered,
                false => StopReason::Exhausted,
            };
        }
        if self.tree.is_open(ConstraintTree::ROOT) {
            let root = self.tree.candidate(ConstraintTree::ROOT);
            self.frontier.add(root, None);
        }
        loop {
            let batch = match self.next_batch() {
                Ok(batch) => batch,
                Err(stop) => return stop,
            };
            let prefixes: Vec<_> = (batch.iter())
                .map(|candidate| self.tree.prefix(candidate.node))
                .collect();
            let findings = self.work(&prefixes, |prefix, context, coverage| {
                explore_prefix(context, prefix, coverage)
            });
            for (candidate, finding) in batch.iter().zip(findings) {
                self.tree.close(candidate.node);
                self.merge(finding, Origin::Path);
            }
            observer(&self.progress());
        }
    }

    /// Tests straight from the precondition.
    fn specification(
        &mut self,
        depth: u32,
        observer: &mut dyn FnMut(&Progress),
    ) -> Option<StopReason> {
        let mut inputs = from_specification(self.context.start.subject, depth, FORMULAS);
        loop {
            let batch: Vec<(u32, Input)> = inputs.by_ref().take(BATCH).collect();
            self.report.statistics.formulas = inputs.formulas;
            if batch.is_empty() {
                break;
            }
            let findings = self.work(&batch, |(_, input), context, coverage| {
                explore_input(context, input.clone(), coverage)
            });
            for ((formula, _), finding) in batch.iter().zip(findings) {
                self.merge(finding, Origin::Specification(*formula));
            }
            observer(&self.progress());
            // All formulas are looked at in this mode: its coverage is that of the depth.
            if self.context.options.mode != Mode::Specification {
                if let Some(stop) = self.stop() {
                    return Some(stop);
                }
            } else if let Some(stop @ StopReason::Limit(_)) = self.stop() {
                return Some(stop);
            }
        }
        let statistics = &mut self.report.statistics;
        statistics.infeasible += inputs.unsatisfiable;
        statistics.unknown += inputs.unknown;
        statistics.solver_calls += inputs.formulas;
        None
    }

    /// The nodes of the next batch, or why there is none.
    fn next_batch(&mut self) -> Result<Vec<Candidate>, StopReason> {
        let options = self.context.options;
        let batch = match self.stop() {
            Some(StopReason::Covered) => {
                let faults = self.frontier.pick_faults(BATCH, &self.tree);
                match faults.is_empty() {
                    true => return Err(StopReason::Covered),
                    false => faults,
                }
            }
            Some(stop) => return Err(stop),
            None => {
                let guided = options.stop_when_covered && options.reach.is_none();
                if guided && self.frontier.is_fruitless(options, &self.tree) {
                    return Err(StopReason::Limit(Limit::Patience));
                }
                self.frontier.pick(BATCH, &self.tree, &self.coverage)
            }
        };
        match batch.is_empty() {
            true => Err(StopReason::Exhausted),
            false => Ok(batch),
        }
    }

    /// Does jobs on as many threads as allowed, and returns the results in order.
    fn work<T: Sync>(
        &self,
        jobs: &[T],
        job: impl Fn(&T, &Context, &Coverage) -> Finding + Sync,
    ) -> Vec<Finding> {
        let threads = self.context.options.jobs.clamp(1, jobs.len().max(1));
        if threads == 1 {
            let one = |item: &T| job(item, self.context, &self.coverage);
            return jobs.iter().map(one).collect();
        }
        let next = AtomicUsize::new(0);
        let done: Vec<Mutex<Option<Finding>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
        let (context, coverage) = (self.context, &self.coverage);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let (Some(item), Some(slot)) = (jobs.get(index), done.get(index)) else {
                            break;
                        };
                        let finding = job(item, context, coverage);
                        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(finding);
                    }
                });
            }
        });
        (done.into_iter())
            .map(|slot| {
                let finding = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
                finding.unwrap_or_default()
            })
            .collect()
    }

    fn merge(&mut self, finding: Finding, origin: Origin) {
        let Finding {
            decisions,
            forks,
            tests,
            infeasible,
            open,
            effort,
        } = finding;
        let statistics = &mut self.report.statistics;
        statistics.paths += u64::from(!tests.is_empty());
        statistics.infeasible += u64::from(infeasible) + effort.infeasible;
        statistics.unknown += effort.unknown;
        statistics.divergences += effort.divergences;
        statistics.invalid += effort.invalid;
        statistics.solver_calls += effort.calls;
        statistics.cache_hits += effort.hits;
        statistics.solving += effort.solving;
        statistics.execution += effort.total.saturating_sub(effort.solving);
        for (limit, count) in effort.cut {
            *statistics.cut.entry(limit).or_insert(0) += count;
        }
        for (limit, objects) in open {
            self.leave_open(limit, objects);
        }
        if !infeasible {
            let nodes = self.tree.len();
            for candidate in self.tree.insert(&decisions, &forks) {
                let decision = self.tree.decision(candidate.node);
                self.frontier.add(candidate, decision);
            }
            self.bytes += 160 * (self.tree.len() - nodes) as u64;
        }
        let covered = self.coverage.covered_count();
        for (input, run) in tests {
            self.add_test(input, run, origin, &decisions);
        }
        let new = self.coverage.covered_count() > covered;
        self.frontier.explored(&decisions, new);
    }

    fn leave_open(&mut self, limit: Limit, objects: u32) {
        match self.open.iter_mut().find(|(known, _)| *known == limit) {
            Some((_, least)) => *least = objects.min(*least),
            None => self.open.push((limit, objects)),
        }
    }

    fn add_test(
        &mut self,
        input: Input,
        run: crate::report::Run,
        origin: Origin,
        decisions: &[Decision],
    ) {
        if matches!(run.outcome, Outcome::AssumptionFailed { .. }) {
            return;
        }
        if !self.inputs.insert(input.key()) {
            self.report.statistics.isomorphic += 1;
            return;
        }
        let index = self.report.tests.len();
        for &edge in &run.trail {
            self.coverage.cover(edge, index);
        }
        let cells = input.heap.cells.len() + run.heap.cells.len();
        self.bytes += 200 * cells as u64
            + 16 * (run.trail.len() + run.lines.len()) as u64
            + 64 * decisions.len() as u64;
        self.report.tests.push(Test {
            input,
            origin,
            decisions: decisions.to_vec(),
            run,
        });
    }

    /// Whether the search is over.
    fn stop(&self) -> Option<StopReason> {
        let options = self.context.options;
        let bounds = &options.bounds;
        if let Some(place) = &options.reach {
            let reached = |test: &Test| {
                let lines = &test.run.lines;
                (lines.iter()).any(|line| line.file == place.file && line.line == place.line)
            };
            if self.report.tests.last().is_some_and(reached)
                || self.report.tests.iter().rev().take(BATCH).any(reached)
            {
                return Some(StopReason::Reached);
            }
        } else if options.stop_when_covered && self.coverage.all_covered() {
            // A method without branches needs one test.
            if !self.report.tests.is_empty() {
                return Some(StopReason::Covered);
            }
        }
        let statistics = &self.report.statistics;
        let limit = if statistics.paths >= bounds.paths {
            Limit::Paths
        } else if statistics.solver_calls >= bounds.solver_calls {
            Limit::SolverCalls
        } else if self.bytes >= bounds.memory {
            Limit::Memory
        } else if bounds.time.is_some_and(|time| self.begin.elapsed() >= time) {
            Limit::Time
        } else {
            return None;
        };
        Some(StopReason::Limit(limit))
    }

    fn progress(&self) -> Progress {
        Progress {
            tests: self.report.tests.len(),
            covered: self.coverage.covered_count(),
            branches: self.coverage.total(),
            frontier: self.frontier.len(),
            solver_calls: self.report.statistics.solver_calls,
            elapsed: self.begin.elapsed(),
        }
    }

    /// The verdicts on the branches, and the report.
    fn finish(mut self) -> Report {
        let stopped = match self.report.stop {
            StopReason::Limit(limit) => limit,
            StopReason::Covered | StopReason::Reached => Limit::Goal,
            StopReason::Exhausted | StopReason::Unsatisfiable => Limit::Depth,
        };
        // Whatever the strategy still has, and whatever bounds kept out.
        let remaining =
            (self.frontier.remaining(&self.tree)).map(|candidate| (stopped, candidate.objects));
        let least = remaining
            .chain(self.open.iter().copied())
            .min_by_key(|&(limit, objects)| (objects, limit));
        let uncovered = match least {
            None => Status::Infeasible(Proof::ClosedTree),
            Some((limit, 0)) => Status::Open(limit),
            Some((limit, objects)) => Status::Unreached {
                objects: objects - 1,
                limit,
            },
        };
        self.report.branches = (self.coverage.branches())
            .map(|known| Branch {
                edge: known.edge,
                position: known.position,
                status: match known.test {
                    Some(test) => Status::Covered { test },
                    None if known.infeasible => Status::Infeasible(Proof::Nullness),
                    None => uncovered.clone(),
                },
            })
            .collect();
        let statistics: &mut Statistics = &mut self.report.statistics;
        statistics.total = self.begin.elapsed();
        self.report
    }
}
