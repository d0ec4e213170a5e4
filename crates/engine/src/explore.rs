//! The search: batches of jobs, merged in order into one tree, one coverage, one list of tests.
//!
//! The size of a batch is fixed and results are merged in the order in which their nodes were
//! picked, so the number of threads does not show in what comes out. Only a bound on the clock
//! can make two searches differ.

mod checks;
mod growth;
#[cfg(test)]
mod growth_tests;
mod structures;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_ir::machine::Edge;
use heapwright_ir::{GlobalId, Operand};
use heapwright_logic::{CanonicalKey, Deadline};
use heapwright_solver::Verdict;
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use self::growth::Growth;
use crate::coverage::{Coverage, NoCode};
use crate::decision::Decision;
use crate::frontier::Frontier;
use crate::input::Input;
use crate::job::{Context, Finding};
use crate::nullness::infeasible_edges;
use crate::options::{Mode, Options, StrategyKind};
use crate::report::{Fate, Limit, Origin, Outcome, Report, StopReason, Test};
use crate::specification::{from_specification, satisfiable};
use crate::strategy::{Candidate, Path};
use crate::subject::Subject;
use crate::supply::{NothingMore, Supplier};
use crate::tree::ConstraintTree;
use crate::verdict::{judge, leave_open, stopped};
use crate::workers::{Task, Workers};

/// Nodes that are explored between two looks at coverage and bounds.
const BATCH: usize = 8;

/// Formulas that the precondition is unfolded to at most.
const FORMULAS: usize = 10_000;

/// Literals of the code under test that inputs are tried with.
const LITERALS: usize = 256;

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
            growth: Growth::default(),
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
        report.missing = context.missing.clone();
        report.statistics.total = begin.elapsed();
        Ok((report, Arc::clone(&context.subject)))
    })
}

/// The branches of a subject, without those that are known to be infeasible.
pub(crate) fn coverage_of(subject: &Subject, options: &Options) -> Result<Coverage, ExploreError> {
    let mut coverage = branches_of(subject, options)?;
    rule_out(subject, &mut coverage);
    Ok(coverage)
}

/// The branches of a subject.
fn branches_of(subject: &Subject, options: &Options) -> Result<Coverage, ExploreError> {
    let (program, function) = (&subject.program, subject.function);
    let mut coverage = Coverage::within(program, function, subject.scope.as_deref());
    if let Some(place) = &options.reach {
        coverage.aim(program, place).map_err(ExploreError::NoCode)?;
    }
    Ok(coverage)
}

/// The literals that the code under test uses, in a fixed order.
fn literals_under_test(subject: &Subject, coverage: &Coverage) -> Vec<GlobalId> {
    let program = &subject.program;
    let under_test = (coverage.functions().iter()).filter(|&&id| subject.is_under_test(id));
    let functions = under_test.filter_map(|id| program.functions.get(id.index()));
    let blocks = functions.flat_map(|function| &function.blocks);
    let instructions = blocks.flat_map(|block| &block.instructions);
    let mut found = BTreeSet::new();
    for instruction in instructions {
        for operand in instruction.operation.operands() {
            if let Operand::Global(global) = operand
                && subject.literals.contains_key(&global)
            {
                found.insert(global);
            }
        }
    }
    found.into_iter().take(LITERALS).collect()
}

#[cfg(test)]
thread_local! {
    /// How often a program was analysed as a whole.
    static ANALYSES: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Leaves out the branches that are known to be infeasible; whether there are any.
fn rule_out(subject: &Subject, coverage: &mut Coverage) -> bool {
    #[cfg(test)]
    ANALYSES.set(ANALYSES.get() + 1);
    let scope = subject.scope.as_deref();
    let functions = coverage.functions();
    let edges = infeasible_edges(&subject.program, subject.function, functions, scope);
    let ruled_out = edges.into_iter().filter(|&edge| coverage.rule_out(edge));
    ruled_out.count() > 0
}

/// What became of a node that no path leads through.
fn fate(finding: &Finding) -> Option<Fate> {
    match finding.open.first() {
        _ if finding.infeasible => Some(Fate::Infeasible),
        Some(&(limit, _)) if finding.tests.is_empty() => Some(Fate::Open(limit)),
        _ => None,
    }
}

/// Where the program should have grown and there is no time for it, nothing was explored.
fn given_up(mut findings: Vec<Finding>, limit: Limit) -> Vec<Finding> {
    for finding in &mut findings {
        if finding.unknown.take().is_some() {
            finding.open.push((limit, 0));
        }
    }
    findings
}

struct Search<'c> {
    context: Arc<Context>,
    supplier: &'c mut dyn Supplier,
    workers: Workers,
    /// Intrinsic functions that were asked for.
    asked: BTreeSet<String>,
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
    growth: Growth,
    begin: Instant,
    deadline: Deadline,
}

impl Search<'_> {
    /// Does tasks, and gives runs what they turn out to need.
    fn explore(&mut self, tasks: Vec<Task>) -> Result<Vec<Finding>, ExploreError> {
        loop {
            let findings =
                self.workers
                    .explore(&self.context, tasks.clone(), &self.coverage, &self.deadline);
            let unknown = findings
                .iter()
                .filter_map(|finding| finding.unknown.clone());
            let unknown: BTreeSet<String> = unknown.collect();
            if !unknown.is_empty() && self.context.is_late() {
                self.analyse();
                return Ok(given_up(findings, self.context.ending()));
            }
            if !unknown.is_empty() {
                self.grow_further(unknown)?;
                continue;
            }
            // Jobs that choose among branches depend on which of them are known to be infeasible.
            let is_guided = !matches!(
                self.context.options.mode,
                Mode::Concolic | Mode::Specification
            );
            if !(self.analyse() && is_guided) {
                return Ok(findings);
            }
        }
    }

    /// Finds out which branches are infeasible, if the program has grown since that was last
    /// known. Whether any are.
    fn analyse(&mut self) -> bool {
        let is_known = std::mem::replace(&mut self.is_analysed, true);
        !is_known && rule_out(&self.context.subject, Arc::make_mut(&mut self.coverage))
    }

    /// Lets the program grow, and knows its branches as well as before.
    fn grow(&mut self, unknown: BTreeSet<String>) -> Result<(), ExploreError> {
        self.grow_further(unknown)?;
        self.analyse();
        Ok(())
    }

    /// Lets the program grow by what runs have called, or takes down that there is no such thing.
    /// Which of its branches are infeasible is left open: that takes as long as the program is
    /// large, and the next run may call for more.
    fn grow_further(&mut self, unknown: BTreeSet<String>) -> Result<(), ExploreError> {
        // Whatever was asked for once and is still not there will never be.
        let new = unknown.iter().any(|name| self.asked.insert(name.clone()));
        let Some(subject) = new.then(|| self.supplier.supply(&unknown)).flatten() else {
            Arc::make_mut(&mut self.context).missing.extend(unknown);
            return Ok(());
        };
        let options = &self.context.options;
        let (mut context, worker) = Context::new(subject, options, &self.deadline);
        context.extent = self.context.extent;
        context.missing = self.context.missing.clone();
        context.generation = self.context.generation + 1;
        self.workers.employ(context.generation, worker);
        let mut coverage = branches_of(&context.subject, options)?;
        context.literals = literals_under_test(&context.subject, &coverage);
        self.is_analysed = false;
        for (index, test) in self.report.tests.iter().enumerate() {
            for edge in test.run.edges() {
                coverage.cover(edge, index);
            }
        }
        self.coverage = Arc::new(coverage);
        self.context = Arc::new(context);
        Ok(())
    }

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
        let findings = self.explore(tasks)?;
        for (candidate, mut finding) in batch.iter().zip(findings) {
            let kept_out = finding.take_kept_out();
            match fate(&finding) {
                _ if let Some((limit, objects)) = kept_out => {
                    self.keep_out(candidate.node, limit, objects);
                }
                Some(fate) => self.tree.end(candidate.node, fate),
                None => self.tree.close(candidate.node),
            }
            if !finding.decisions.is_empty() {
                let path = Path {
                    decisions: &finding.decisions,
                    misses: &finding.misses,
                };
                self.frontier.learn(*candidate, &path);
            }
            self.merge(finding, Origin::Path);
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
            let findings = self.explore(tasks)?;
            for (formula, finding) in formulas.into_iter().zip(findings) {
                self.merge(finding, Origin::Specification(formula));
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
                let mut batch = self.frontier.pick(BATCH, &self.tree, &self.coverage);
                if batch.is_empty() && (self.grow_bounds() || self.ask_again()) {
                    batch = self.frontier.pick(BATCH, &self.tree, &self.coverage);
                }
                batch
            }
        };
        match batch.is_empty() {
            true => Err(StopReason::Exhausted),
            false => Ok(batch),
        }
    }

    fn merge(&mut self, finding: Finding, origin: Origin) {
        let Finding {
            decisions,
            forks,
            mut misses,
            tests,
            infeasible,
            open,
            short,
            mut extended_by_none,
            mut tried_in_part,
            unknown: _,
            effort,
        } = finding;
        self.report.extended_by_none.append(&mut extended_by_none);
        self.report.tried_in_part.append(&mut tried_in_part);
        let statistics = &mut self.report.statistics;
        statistics.paths += u64::from(!tests.is_empty());
        statistics.infeasible += u64::from(infeasible) + effort.infeasible;
        statistics.unknown += effort.unknown;
        statistics.divergences += effort.divergences;
        statistics.panics += effort.panics;
        statistics.invalid += effort.invalid;
        statistics.undecided += effort.undecided;
        statistics.accepted += effort.accepted;
        statistics.rejected += effort.rejected;
        statistics.rejection = statistics.rejection.take().or(effort.rejection);
        statistics.solver_calls += effort.calls;
        statistics.cache_hits += effort.hits;
        statistics.solving += effort.solving;
        statistics.execution += effort.total.saturating_sub(effort.solving);
        for (limit, count) in effort.cut {
            *statistics.cut.entry(limit).or_insert(0) += count;
        }
        for (limit, objects) in open {
            leave_open(&mut self.open, limit, objects);
        }
        if !infeasible {
            let nodes = self.tree.len();
            misses.retain(|miss| self.coverage.distance_of_edge(miss.edge) == Some(0));
            let input = tests.first().map(|(input, _)| Arc::new(input.clone()));
            let forks = self.within_reach(forks);
            for candidate in self.tree.insert(&decisions, &forks, input.as_ref()) {
                let decision = self.tree.decision(candidate.node);
                self.frontier.add(candidate, decision);
            }
            if let (false, Some(input)) = (misses.is_empty(), &input) {
                let path = Path {
                    decisions: &decisions,
                    misses: &misses,
                };
                let beside = self.tree.beside(&decisions);
                for node in self.frontier.passed(&path, &beside) {
                    self.tree.set_neighbour(node, input);
                }
            }
            self.bytes += 160 * (self.tree.len() - nodes) as u64;
            if let Some((limit, objects)) = short {
                match self.may_grow(limit) {
                    true => self.tree.park_end(&decisions, limit, objects),
                    false => self.cut(limit, objects),
                }
            }
        }
        let covered = self.coverage.covered_count();
        for (input, run) in tests {
            self.add_test(input, run, origin, &decisions);
        }
        let new = self.coverage.covered_count() > covered;
        // What no question was needed for is no path, and costs next to nothing.
        let is_cheap = infeasible && effort.calls == 0 && self.has_grown();
        if !is_cheap {
            self.frontier.explored(&decisions, new);
        }
        for miss in misses {
            let nearest = self.nearest.entry(miss.edge).or_insert(u64::MAX);
            if miss.distance < *nearest {
                *nearest = miss.distance;
                self.frontier.came_nearer();
            }
        }
    }

    fn add_test(
        &mut self,
        input: Input,
        mut run: crate::report::Run,
        origin: Origin,
        decisions: &[Decision],
    ) {
        // What is in static fields decided about the run, and may be something else.
        if !run.shared.read.is_empty() {
            leave_open(&mut self.open, Limit::StaticState, 0);
            self.report.statics.extend(&run.shared.read);
        }
        if matches!(run.outcome, Outcome::AssumptionFailed { .. }) {
            return;
        }
        if !self.inputs.insert(input.key()) {
            self.report.statistics.isomorphic += 1;
            return;
        }
        self.report.checked.add(&input, &run);
        if self.only_news && !self.is_news(&run) {
            return;
        }
        if let Some(place) = &self.context.options.reach {
            let mut lines = run.lines.iter();
            self.reached |= lines.any(|line| (line.file, line.line) == (place.file, place.line));
        }
        let index = self.report.tests.len();
        let coverage = Arc::make_mut(&mut self.coverage);
        for edge in run.edges() {
            let new = coverage.cover(edge, index);
            // Somebody called the branch infeasible: a bug as bad as a run that leaves its path.
            if new && coverage.get(edge).is_some_and(|known| known.infeasible) {
                self.report.statistics.divergences += 1;
            }
        }
        run.shorten();
        let cells = input.heap.cells.len() + run.heap.cells.len();
        self.bytes += 200 * cells as u64
            + size_of_val(&run.trail[..]) as u64
            + size_of_val(&run.lines[..]) as u64
            + size_of_val(decisions) as u64;
        self.report.tests.push(Test {
            input,
            origin,
            decisions: decisions.to_vec(),
            run,
        });
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
