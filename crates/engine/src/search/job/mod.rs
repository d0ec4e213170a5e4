//! One unexplored node of the tree: is it feasible, and where does it lead?
//!
//! A job depends on the prefix of its node, on the input of the path that left it there, on the
//! options and on the branches covered when its batch began, and on nothing else. It can be done
//! by any thread, on any machine, at any time.
//!
//! | module | what |
//! | --- | --- |
//! | `solve` | whether any input takes the prefix |
//! | `execution` | runs with symbols |
//! | `selection` | which inputs of the path become tests |
//! | `finish` | checking and running them |
//! | `rounding` | inputs that do the same on platforms that round otherwise |
//! | `result` | what is handed back |

mod execution;
mod finish;
mod result;
mod rounding;
mod selection;
mod solve;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use heapwright_ir::GlobalId;
use heapwright_ir::machine::{MachineError, Missing};
use heapwright_logic::{Deadline, Terms};

use crate::analysis::coverage::Coverage;
use crate::analysis::overlap::Overlap;
use crate::input::Input;
use crate::options::{Extent, Mode, Options};
use crate::path::decision::Decision;
use crate::path::knowledge::Knowledge;
use crate::path::questions::{Price, Worker};
use crate::path::symbolic::{Guide, PathStop, Start, Symbolic};
use crate::report::{Limit, Outcome};
use crate::subject::Subject;

use execution::{assignment_of, execute};
use finish::{Traversed, chosen, finish};
use solve::{Near, Solved, settled, solve};

pub use result::{JobResult, JobStatistics};

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
    /// What runs have called and nobody can supply.
    pub missing: BTreeSet<Missing>,
    /// How often the program has grown.
    pub generation: u32,
    /// When the search has to end.
    pub deadline: Deadline,
}

impl Context {
    /// Facts about a subject, found with a solver for it.
    pub fn new(subject: Arc<Subject>, options: &Options, deadline: &Deadline) -> (Context, Worker) {
        let (worker, terms) = Worker::new(&subject, options.layers, deadline);
        let definitions = &subject.definitions;
        let mut knowledge =
            worker.with_solver(|solver| Knowledge::new(&terms, definitions, solver));
        knowledge.overlap = Overlap::new(
            &subject.program,
            &subject.rules,
            subject.function,
            subject.inputs.iter().map(|input| input.sort),
        );
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
) -> JobResult {
    let begin = Instant::now();
    let mut result = JobResult::default();
    let near = Near { neighbour, price };
    match solve(context, worker, prefix, near, &mut result.effort) {
        Solved::Infeasible => result.infeasible = true,
        Solved::Open(limit, objects) => result.open.push((limit, objects)),
        Solved::Diverged => result.diverged(),
        Solved::Missing(missing) => result.missing(context, missing, 0),
        Solved::Input(input) => follow(context, worker, prefix, *input, coverage, &mut result),
    }
    result.effort.work = worker.take_work();
    result.effort.total = begin.elapsed();
    result
}

/// Explores the path of an input that is known already.
pub fn explore_input(
    context: &Context,
    worker: &Worker,
    input: Input,
    coverage: &Coverage,
) -> JobResult {
    let begin = Instant::now();
    let mut result = JobResult::default();
    follow(context, worker, &[], input, coverage, &mut result);
    result.effort.work = worker.take_work();
    result.effort.total = begin.elapsed();
    result
}

/// Runs from the beginning, with an input of the prefix at hand.
fn follow(
    context: &Context,
    worker: &Worker,
    prefix: &[Decision],
    input: Input,
    coverage: &Coverage,
    result: &mut JobResult,
) {
    let guide = match context.options.mode {
        Mode::Concolic | Mode::Specification => Guide::Input,
        _ => Guide::Search(coverage),
    };
    let questions = worker.questions(Price::Full);
    let domain = Symbolic::new(&context.start(), guide, prefix.to_vec(), questions);
    let Some(assignment) = assignment_of(context, &domain, &input) else {
        return result.diverged();
    };
    let (mut domain, ended) = execute(context, domain.accompanied_by(assignment));
    result.effort.calls += domain.questions.calls;
    result.effort.hits += domain.questions.hits;
    result.effort.solving += domain.questions.time;
    result.effort.infeasible += domain.infeasible;
    let objects = domain.objects();
    result.open.append(&mut domain.open);
    let decided_by = domain.decided_by;
    result.short = domain.short;
    result.extended_by_none.append(&mut domain.extended_by_none);
    result.tried_in_part.append(&mut domain.tried_in_part);
    for (limit, count) in std::mem::take(&mut domain.cut) {
        *result.effort.cut.entry(limit).or_insert(0) += count;
    }
    match &ended {
        Ok(Outcome::OutOfBudget { .. }) => result.open.push((Limit::Run, objects)),
        Ok(_) => {}
        // What was cut off has said so.
        Err(PathStop::Cut(_) | PathStop::NoInput) => {}
        Err(PathStop::Machine(MachineError::Missing(missing))) => {
            result.missing(context, missing.clone(), objects);
            if result.unknown.is_some() {
                return;
            }
        }
        // Nothing is known about what lies below the prefix, but that it was not looked at.
        Err(PathStop::Machine(MachineError::Interrupted)) => {
            return result.open.push((context.ending(), 0));
        }
        Err(PathStop::Machine(_)) => result.open.push((Limit::Unsupported, objects)),
        // The alternative that was taken last could not be kept up: it is infeasible, though
        // nothing said so at once.
        Err(PathStop::Infeasible) if !domain.input_holds => result.effort.infeasible += 1,
        Err(_) => return result.diverged(),
    }
    result.decisions = std::mem::take(&mut domain.decisions);
    result.forks = std::mem::take(&mut domain.forks);
    result.misses = domain.misses.list();
    let trail = std::mem::take(&mut domain.trail);
    if let Err(PathStop::Infeasible | PathStop::NoInput) = ended {
        return;
    }
    let input = match domain.input_holds {
        true => input,
        false => match settled(
            context,
            worker,
            domain,
            &result.decisions,
            &mut result.effort,
        ) {
            Solved::Input(input) => *input,
            Solved::Infeasible => {
                result.effort.infeasible += 1;
                return;
            }
            Solved::Open(limit, objects) => {
                result.open.push((limit, objects));
                return;
            }
            Solved::Diverged => return result.diverged(),
            Solved::Missing(missing) => return result.missing(context, missing, 0),
        },
    };
    let complete_path = ended.is_ok();
    for input in chosen(
        context,
        worker,
        input,
        &result.decisions,
        &mut result.effort,
    ) {
        let path = Traversed {
            trail: &trail,
            is_complete: complete_path,
            decided_by,
        };
        finish(context, input, &path, result);
    }
}
