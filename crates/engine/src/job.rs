//! One unexplored node of the tree: is it feasible, and where does it lead?
//!
//! A job depends on the prefix of its node, on the input of the path that left it there, on the
//! options and on the branches covered when its batch began, and on nothing else. It can be done by any thread, on any machine, at any time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_ir::GlobalId;
use heapwright_ir::machine::environment::Environment;
use heapwright_ir::machine::{Edge, Machine, MachineError};
use heapwright_logic::{ClassId, Deadline, Terms, VarId};
use heapwright_solver::Answer;

use crate::acceptance::{Acceptance, acceptance};
use crate::assignment::Assignment;
use crate::completion::{Incomplete, complete};
use crate::coverage::Coverage;
use crate::decision::Decision;
use crate::input::Input;
use crate::knowledge::Knowledge;
use crate::options::{Extent, Mode, Options, ValueChoice};
use crate::oracle;
use crate::questions::{Price, Worker};
use crate::replay::{Conditions, replay_under};
use crate::report::{Limit, Outcome, Run, Verification};
use crate::steadiness::{Steadiness, steadiness};
use crate::subject::Subject;
use crate::symbolic::{Fork, Guide, Miss, Start, Stop, Symbolic};
use crate::value::Value;
use crate::values::{shapes, smallest_values};

/// What jobs have in common.
#[derive(Clone)]
pub struct Context {
    /// What is tested, as far as its program is known.
    pub subject: Arc<Subject>,
    /// Facts about the predicates of its specification.
    pub knowledge: Knowledge,
    /// The store of terms at the beginning of every run.
    pub terms: Terms,
    /// The options of the search.
    pub options: Options,
    /// The bounds on paths as they are now.
    pub extent: Extent,
    /// The literals that the code under test uses.
    pub literals: Vec<GlobalId>,
    /// Intrinsic functions that nobody knows.
    pub missing: BTreeSet<String>,
    /// How often the program has grown.
    pub generation: u32,
    /// When the search has to end.
    pub deadline: Deadline,
}

impl Context {
    /// Facts about a subject, found with a solver for it.
    pub fn new(subject: Arc<Subject>, options: &Options, deadline: &Deadline) -> (Context, Worker) {
        let (worker, terms) = Worker::new(&subject, deadline);
        let definitions = &subject.definitions;
        let knowledge = worker.with_solver(|solver| Knowledge::new(&terms, definitions, solver));
        let context = Context {
            subject,
            knowledge,
            terms,
            options: options.clone(),
            extent: options.bounds.extent(),
            literals: Vec::new(),
            missing: BTreeSet::new(),
            generation: 0,
            deadline: deadline.clone(),
        };
        (context, worker)
    }

    /// What runs start from.
    fn start(&self) -> Start<'_> {
        Start {
            subject: &self.subject,
            knowledge: &self.knowledge,
            terms: &self.terms,
            extent: self.extent,
            literals: &self.literals,
            lazy: self.is_lazy(),
        }
    }

    /// Whether the search should have ended.
    pub fn is_late(&self) -> bool {
        self.deadline.is_over()
    }

    /// What ended a run or a question that ended because the search has to.
    pub fn ending(&self) -> Limit {
        self.options.interrupt.limit().unwrap_or(Limit::Time)
    }

    /// Whether references are initialised by type alone.
    pub fn is_lazy(&self) -> bool {
        matches!(self.options.mode, Mode::Lazy { .. })
    }
}

/// What a job found.
#[derive(Debug, Default)]
pub struct Finding {
    /// The decisions of the path.
    pub decisions: Vec<Decision>,
    /// Alternatives to explore.
    pub forks: Vec<Fork>,
    /// Branches that the path nearly took.
    pub misses: Vec<Miss>,
    /// Inputs of the path, each with its run; more than one only if that was asked for.
    pub tests: Vec<(Input, Run)>,
    /// Whether no input takes the prefix.
    pub infeasible: bool,
    /// What leaves a part of the tree below the prefix unexplored, with the number of objects
    /// that every input there has at least.
    pub open: Vec<(Limit, u32)>,
    /// The bound that ended the run before the end of its path, with the number of objects that
    /// every input behind it has at least.
    pub short: Option<(Limit, u32)>,
    /// Classes whose objects were taken to be of no subclass that is not known.
    pub extended_by_none: BTreeSet<ClassId>,
    /// Classes of references that only some of the objects were tried for that they could lead to.
    pub tried_in_part: BTreeSet<ClassId>,
    /// An intrinsic function that a run called and nobody knows.
    pub unknown: Option<String>,
    /// How much work it was.
    pub effort: Effort,
}

impl Finding {
    /// A run called an intrinsic function that is not known: its path ends here if nobody can
    /// supply it.
    fn missing(&mut self, context: &Context, name: String, objects: u32) {
        if context.missing.contains(&name) {
            self.open.push((Limit::Unsupported, objects));
        } else {
            self.unknown = Some(name);
        }
    }

    /// Takes out the bound that keeps everything out that is below the prefix, if one does.
    pub fn take_kept_out(&mut self) -> Option<(Limit, u32)> {
        let is_alone = self.tests.is_empty() && self.decisions.is_empty() && !self.infeasible;
        let kept_out =
            |&&(limit, _): &&(Limit, u32)| matches!(limit, Limit::Objects | Limit::Solver);
        match (is_alone, &self.open[..]) {
            (true, [only]) => {
                let found = Some(only).filter(kept_out).copied();
                if found.is_some() {
                    self.open.clear();
                }
                found
            }
            _ => None,
        }
    }

    /// The job itself failed: nothing is known about what lies below the prefix.
    pub fn panicked() -> Finding {
        let mut finding = Finding::default();
        finding.effort.panics = 1;
        finding.open.push((Limit::Panic, 0));
        finding
    }

    /// A run left its path: nothing is known about what lies below the prefix.
    fn diverged(&mut self) {
        self.effort.divergences += 1;
        self.open.push((Limit::Divergence, 0));
    }
}

/// How much work a job was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Alternatives that turned out to be infeasible on the way.
    pub infeasible: u64,
    /// Questions that the solver did not decide.
    pub unknown: u64,
    /// Bounds that kept alternatives out.
    pub cut: BTreeMap<Limit, u64>,
    /// Runs that left their path.
    pub divergences: u64,
    /// Whether the job failed: a bug of the engine.
    pub panics: u64,
    /// Inputs that violate the precondition.
    pub invalid: u64,
    /// Inputs that the predicate of the class accepts, as they were or completed in another way.
    pub accepted: u64,
    /// Inputs that it rejects, however they are completed, and why it rejects the first.
    pub rejected: u64,
    pub rejection: Option<String>,
    /// Inputs of which the oracle cannot say whether the precondition holds.
    pub undecided: u64,
    /// Questions to the solver.
    pub calls: u64,
    /// Questions answered by a known model.
    pub hits: u64,
    /// Time spent in solving.
    pub solving: Duration,
    /// Time spent in all.
    pub total: Duration,
}

/// Where a model is looked for first, and how much work that may be.
#[derive(Clone, Copy)]
struct Near<'i> {
    /// An input that takes all decisions but the last.
    neighbour: Option<&'i Input>,
    price: Price,
}

impl Default for Near<'_> {
    fn default() -> Self {
        Near {
            neighbour: None,
            price: Price::Full,
        }
    }
}

/// What became of a path condition.
enum Solved {
    /// No input satisfies it.
    Infeasible,
    /// This keeps us from knowing; inputs would have at least so many objects.
    Open(Limit, u32),
    /// The prefix is not one of the program: a bug.
    Diverged,
    /// This intrinsic function is not known.
    Missing(String),
    /// This input does.
    Input(Box<Input>),
}

/// Explores a node. A neighbour is an input that takes all decisions of the prefix but the last:
/// numbers are looked for near those of the neighbour first. The price is that of the one question
/// whether anything takes the prefix.
pub fn explore_prefix(
    context: &Context,
    worker: &Worker,
    prefix: &[Decision],
    neighbour: Option<&Input>,
    price: Price,
    coverage: &Coverage,
) -> Finding {
    let begin = Instant::now();
    let mut finding = Finding::default();
    let near = Near { neighbour, price };
    match solve(context, worker, prefix, near, &mut finding.effort) {
        Solved::Infeasible => finding.infeasible = true,
        Solved::Open(limit, objects) => finding.open.push((limit, objects)),
        Solved::Diverged => finding.diverged(),
        Solved::Missing(name) => finding.missing(context, name, 0),
        Solved::Input(input) => follow(context, worker, prefix, *input, coverage, &mut finding),
    }
    finding.effort.total = begin.elapsed();
    finding
}

/// Explores the path of an input that is known already.
pub fn explore_input(
    context: &Context,
    worker: &Worker,
    input: Input,
    coverage: &Coverage,
) -> Finding {
    let begin = Instant::now();
    let mut finding = Finding::default();
    follow(context, worker, &[], input, coverage, &mut finding);
    finding.effort.total = begin.elapsed();
    finding
}

/// Runs from the beginning, with an input of the prefix at hand.
fn follow(
    context: &Context,
    worker: &Worker,
    prefix: &[Decision],
    input: Input,
    coverage: &Coverage,
    finding: &mut Finding,
) {
    let guide = match context.options.mode {
        Mode::Concolic | Mode::Specification => Guide::Input,
        _ => Guide::Search(coverage),
    };
    let questions = worker.questions(Price::Full);
    let domain = Symbolic::new(&context.start(), guide, prefix.to_vec(), questions);
    let Some(assignment) = assignment_of(context, &domain, &input) else {
        return finding.diverged();
    };
    let (mut domain, ended) = execute(context, domain.accompanied_by(assignment));
    finding.effort.calls += domain.questions.calls;
    finding.effort.hits += domain.questions.hits;
    finding.effort.solving += domain.questions.time;
    finding.effort.infeasible += domain.infeasible;
    let objects = domain.objects();
    finding.open.append(&mut domain.open);
    let decided_by = domain.decided_by;
    finding.short = domain.short;
    finding
        .extended_by_none
        .append(&mut domain.extended_by_none);
    finding.tried_in_part.append(&mut domain.tried_in_part);
    for (limit, count) in std::mem::take(&mut domain.cut) {
        *finding.effort.cut.entry(limit).or_insert(0) += count;
    }
    match &ended {
        Ok(Outcome::OutOfBudget { .. }) => finding.open.push((Limit::Run, objects)),
        Ok(_) => {}
        // What was cut off has said so.
        Err(Stop::Cut(_)) => {}
        Err(Stop::Machine(MachineError::UnknownIntrinsic(name))) => {
            finding.missing(context, name.clone(), objects);
            if finding.unknown.is_some() {
                return;
            }
        }
        // Nothing is known about what lies below the prefix, but that it was not looked at.
        Err(Stop::Machine(MachineError::Interrupted)) => {
            return finding.open.push((context.ending(), 0));
        }
        Err(Stop::Machine(_)) => finding.open.push((Limit::Unsupported, objects)),
        // The alternative that was taken last could not be kept up: it is infeasible, though
        // nothing said so at once.
        Err(Stop::Infeasible) if !domain.input_holds => finding.effort.infeasible += 1,
        Err(_) => return finding.diverged(),
    }
    finding.decisions = std::mem::take(&mut domain.decisions);
    finding.forks = std::mem::take(&mut domain.forks);
    finding.misses = domain.misses.list();
    let trail = std::mem::take(&mut domain.trail);
    if let Err(Stop::Infeasible) = ended {
        return;
    }
    let input = match domain.input_holds {
        true => input,
        false => match settled(
            context,
            worker,
            domain,
            &finding.decisions,
            &mut finding.effort,
        ) {
            Solved::Input(input) => *input,
            Solved::Infeasible => {
                finding.effort.infeasible += 1;
                return;
            }
            Solved::Open(limit, objects) => {
                finding.open.push((limit, objects));
                return;
            }
            Solved::Diverged => return finding.diverged(),
            Solved::Missing(name) => return finding.missing(context, name, 0),
        },
    };
    let complete_path = ended.is_ok();
    for input in chosen(
        context,
        worker,
        input,
        &finding.decisions,
        &mut finding.effort,
    ) {
        let path = Traversed {
            trail: &trail,
            is_complete: complete_path,
            decided_by,
        };
        finish(context, input, &path, finding);
    }
}

/// The inputs that are taken for a path.
fn chosen(
    context: &Context,
    worker: &Worker,
    input: Input,
    decisions: &[Decision],
    effort: &mut Effort,
) -> Vec<Input> {
    match context.options.values {
        ValueChoice::Any | ValueChoice::SmallestHeap => vec![input],
        ValueChoice::SmallestValues => {
            vec![smallest_values(context, worker, decisions, input, effort)]
        }
        ValueChoice::Shapes(count) => shapes(context, worker, decisions, input, count, effort),
    }
}

/// The path that an input was made for.
struct Traversed<'p> {
    /// Its edges of branch coverage.
    trail: &'p [Edge],
    /// Whether it was followed to its end.
    is_complete: bool,
    /// The part of the environment that decides about its branches.
    decided_by: Option<Environment>,
}

/// Checks an input, runs it, and compares the run with the path that it was made for.
fn finish(context: &Context, input: Input, path: &Traversed<'_>, finding: &mut Finding) {
    let subject = &context.subject;
    let verdict = oracle::precondition(subject, &input);
    if verdict != Verification::Holds {
        match verdict {
            Verification::Undecided(_) => finding.effort.undecided += 1,
            _ => finding.effort.invalid += 1,
        }
        match context.options.mode {
            Mode::Lazy { filter: false } => {}
            // Another input of the same path may be valid.
            Mode::Lazy { filter: true } => return finding.open.push((Limit::Filter, 0)),
            _ => return finding.diverged(),
        }
    }
    let conditions = Conditions {
        deadline: context.deadline.clone(),
        ..Conditions::default()
    };
    let budgets = context.options.budgets;
    let takes_path = |input: &Input| {
        let run = replay_under(subject, input, budgets, conditions.clone());
        run.is_ok_and(|run| follows(&run.trail, path.trail, path.is_complete))
    };
    let input = match acceptance(subject, &input, budgets, takes_path) {
        Ok(Acceptance::NotAsked) => input,
        Ok(Acceptance::Accepted) => {
            finding.effort.accepted += 1;
            input
        }
        Ok(Acceptance::Instead(input)) => {
            finding.effort.accepted += 1;
            *input
        }
        Ok(Acceptance::Rejected(reason)) => {
            finding.effort.rejected += 1;
            finding.effort.rejection.get_or_insert(reason);
            input
        }
        Err(MachineError::UnknownIntrinsic(name)) if !context.missing.contains(&name) => {
            let objects = input.heap.cells.len() as u32;
            return finding.missing(context, name, objects);
        }
        // A predicate that meets what nobody knows says nothing.
        Err(_) => input,
    };
    let run = match replay_under(subject, &input, budgets, conditions.clone()) {
        Ok(run) => run,
        Err(MachineError::Interrupted) => return finding.open.push((context.ending(), 0)),
        Err(MachineError::UnknownIntrinsic(name)) => {
            let objects = input.heap.cells.len() as u32;
            return finding.missing(context, name, objects);
        }
        Err(_) => return finding.diverged(),
    };
    if !follows(&run.trail, path.trail, path.is_complete) {
        finding.diverged();
    }
    let steadiness = match path.decided_by {
        Some(part) => Steadiness::DependsOn(part),
        None => steadiness(subject, &input, &run, budgets, conditions),
    };
    match steadiness {
        Steadiness::Steady => finding.tests.push((input, run)),
        Steadiness::DependsOn(part) => {
            let objects = input.heap.cells.len() as u32;
            finding.open.push((Limit::Environment(part), objects));
        }
        Steadiness::Missing(name) if context.missing.contains(&name) => {
            finding
                .open
                .push((Limit::Unsupported, input.heap.cells.len() as u32));
        }
        Steadiness::Missing(name) => finding.unknown = Some(name),
    }
}

/// Whether a run took a path, or began with it if that is all that is known of the path.
fn follows(taken: &[Edge], path: &[Edge], complete_path: bool) -> bool {
    match complete_path {
        true => taken == path,
        false => taken.starts_with(path),
    }
}

/// An input that takes all decisions of a prefix, as small as possible.
///
/// A prefix that ends with the unfolding of an instance for the sake of a reference says more
/// than the initial heap: the reference lies inside. What that can mean is tried, smallest
/// first.
fn solve(
    context: &Context,
    worker: &Worker,
    prefix: &[Decision],
    near: Near,
    effort: &mut Effort,
) -> Solved {
    let mut pending = VecDeque::from([prefix.to_vec()]);
    let mut open: Option<(Limit, u32)> = None;
    while let Some(prefix) = pending.pop_front() {
        let (domain, stop) = match run_prefix(context, worker, &prefix, None, near) {
            Ok(found) => found,
            Err(Stop::Infeasible) => continue,
            Err(Stop::Machine(MachineError::UnknownIntrinsic(name))) => {
                return Solved::Missing(name);
            }
            Err(Stop::Machine(MachineError::Interrupted)) => {
                return Solved::Open(context.ending(), 0);
            }
            Err(_) => return Solved::Diverged,
        };
        let within = domain.objects() <= context.extent.objects;
        match domain.pending.clone() {
            None => match question(context, domain, effort) {
                Solved::Infeasible => {}
                Solved::Open(limit, objects) => open = open.or(Some((limit, objects))),
                decided => return decided,
            },
            Some((site, choices)) if within && stop == Some(Stop::Paused) => {
                pending.extend(choices.into_iter().map(|choice| {
                    let decision = Decision {
                        site: Some(site),
                        choice,
                        forced: false,
                        edge: None,
                        block: None,
                        fault: false,
                        predicate: None,
                    };
                    [&prefix[..], &[decision]].concat()
                }));
            }
            Some(_) => open = open.or(Some((Limit::Objects, domain.objects()))),
        }
    }
    open.map_or(Solved::Infeasible, |(limit, objects)| {
        Solved::Open(limit, objects)
    })
}

/// An input for the path of a run that took other decisions than its own input.
///
/// The run knows all about it, and its last model is an input of nearly all of the path. Where a
/// reference lies inside of an instance, the path has to be looked at again.
fn settled(
    context: &Context,
    worker: &Worker,
    mut domain: Symbolic,
    decisions: &[Decision],
    effort: &mut Effort,
) -> Solved {
    if domain.pending.is_some() {
        return solve(context, worker, decisions, Near::default(), effort);
    }
    domain.questions.time = Duration::ZERO;
    question(context, domain, effort)
}

/// Asks for a model of what a run knows.
fn question(context: &Context, mut domain: Symbolic, effort: &mut Effort) -> Solved {
    let subject = &context.subject;
    let objects = domain.objects();
    let formula = domain.initial.formula();
    domain.suggest();
    let answer = (domain.questions).check(&mut domain.terms, formula);
    effort.calls += 1;
    effort.solving += domain.questions.time;
    match answer {
        Answer::Unsat => Solved::Infeasible,
        // Nobody gave the solver the time that it is meant to have.
        Answer::Unknown(_) if context.is_late() => Solved::Open(context.ending(), 0),
        Answer::Unknown(_) => {
            effort.unknown += 1;
            Solved::Open(Limit::Solver, objects)
        }
        Answer::Sat(model) => match complete(subject, &domain.terms, &domain.initial, &model) {
            Ok(input) => Solved::Input(Box::new(input)),
            Err(Incomplete::NoClass) => Solved::Open(Limit::Classes, objects),
            Err(Incomplete::Misfit) => Solved::Diverged,
        },
    }
}

/// Runs as far as a prefix leads, with an input that takes it or without.
pub fn pause<'s>(
    context: &'s Context,
    worker: &Worker,
    prefix: &[Decision],
    input: Option<&Input>,
) -> Result<Symbolic<'s>, Stop> {
    run_prefix(context, worker, prefix, input, Near::default()).map(|(domain, _)| domain)
}

/// The same, with what ended the run, unless the program did.
fn run_prefix<'s>(
    context: &'s Context,
    worker: &Worker,
    prefix: &[Decision],
    input: Option<&Input>,
    Near { neighbour, price }: Near,
) -> Result<(Symbolic<'s>, Option<Stop>), Stop> {
    let mut domain = Symbolic::new(
        &context.start(),
        Guide::Pause,
        prefix.to_vec(),
        worker.questions(price),
    );
    if let Some(input) = input {
        let assignment = assignment_of(context, &domain, input).ok_or(Stop::Diverged)?;
        domain = domain.accompanied_by(assignment);
    }
    if let Some(neighbour) = neighbour.and_then(|input| assignment_of(context, &domain, input)) {
        domain = domain.near(neighbour);
    }
    let (domain, ended) = execute(context, domain);
    let stop = match ended {
        Ok(_) => None,
        Err(Stop::Machine(MachineError::UnknownIntrinsic(name)))
            if !context.missing.contains(&name) =>
        {
            return Err(MachineError::UnknownIntrinsic(name).into());
        }
        Err(stop @ Stop::Machine(MachineError::Interrupted)) => return Err(stop),
        Err(stop @ (Stop::Paused | Stop::Cut(_) | Stop::Machine(_))) => Some(stop),
        Err(stop) => return Err(stop),
    };
    match domain.decisions.len() == prefix.len() {
        true => Ok((domain, stop)),
        false => Err(Stop::Diverged),
    }
}

/// An input, for being put beside a run; nothing if it does not fit.
fn assignment_of(context: &Context, domain: &Symbolic, input: &Input) -> Option<Assignment> {
    let subject = &context.subject;
    let variables: Vec<VarId> = subject.inputs.iter().map(|input| input.variable).collect();
    let precondition = match context.is_lazy() {
        true => None,
        false => subject.precondition.as_ref(),
    };
    let definitions = &subject.definitions;
    Assignment::of_input(&domain.terms, definitions, precondition, &variables, input)
}

fn execute<'s>(
    context: &'s Context,
    domain: Symbolic<'s>,
) -> (Symbolic<'s>, Result<Outcome, Stop>) {
    let subject: &'s Subject = &context.subject;
    let mut machine = Machine::new(&subject.program, domain, context.options.budgets)
        .until(context.deadline.clone());
    let ended = match machine.domain.begin() {
        Err(stop) => Err(stop),
        Ok(arguments) => machine.run(subject.function, arguments),
    };
    let ended = ended.map(|outcome| Outcome::of(&outcome));
    let ended = ended.and_then(|outcome| validate(subject, &mut machine, outcome));
    (machine.into_domain(), ended)
}

/// Lets the objects of the input prove that they can be made. That comes last, because only then
/// it is known which objects there are; the edges on the way are none of the path.
fn validate(
    subject: &Subject,
    machine: &mut Machine<'_, Symbolic<'_>>,
    outcome: Outcome,
) -> Result<Outcome, Stop> {
    let ended = matches!(
        outcome,
        Outcome::AssumptionFailed { .. } | Outcome::OutOfBudget { .. }
    );
    if ended || subject.rules.validators.is_empty() {
        return Ok(outcome);
    }
    let length = machine.domain.trail.len();
    let mut next = 0;
    // Looking at one object may bring up others.
    while let Some(known) = machine.domain.initial.cells.get(next) {
        next += 1;
        let Some(&validator) = subject.rules.validators.get(&known.cell.class) else {
            continue;
        };
        let contents = known.contents().to_vec();
        let terms = &machine.domain.terms;
        let contents = contents.into_iter().map(|term| Value::of(terms, term));
        let contents = contents.collect();
        let position = match machine.run(validator, contents)? {
            heapwright_ir::machine::Outcome::Returned(_) => continue,
            other => other.point().map(|point| point.position(&subject.program)),
        };
        machine.domain.trail.truncate(length);
        let position = position.unwrap_or_default();
        return Ok(Outcome::AssumptionFailed { position });
    }
    machine.domain.trail.truncate(length);
    Ok(outcome)
}
