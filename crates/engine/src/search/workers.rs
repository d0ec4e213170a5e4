//! Threads that do jobs, each with a solver of its own that it keeps.
//!
//! Which thread does which job does not matter: a job depends on nothing that a thread keeps but
//! what follows from the definitions.
//!
//! A job that panics is a bug of ours. It must not cost more than its own path, so it becomes a
//! result that says so, and the thread goes on with a new solver.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;

use heapwright_logic::Deadline;

use crate::analysis::coverage::Coverage;
use crate::input::Input;
use crate::path::decision::Decision;
use crate::path::questions::{Price, Worker};
use crate::search::job::{Context, JobResult, explore_input, explore_prefix};

/// What is to be explored.
#[derive(Clone, Debug)]
pub enum Task {
    /// A node of the tree, with an input that takes all decisions but the last, and how much work
    /// the question about it may be.
    Prefix(Vec<Decision>, Option<Arc<Input>>, Price),
    /// The path of an input.
    Input(Input),
    /// A bug.
    #[cfg(test)]
    Panic,
}

/// A task with what it depends on.
pub struct Order {
    index: usize,
    task: Task,
    context: Arc<Context>,
    coverage: Arc<Coverage>,
}

/// The threads.
pub enum Workers {
    /// Nobody but us, with our solver.
    Alone(Option<(u32, Worker)>),
    /// Some threads, which wait for tasks.
    Many {
        /// Where tasks go.
        orders: Sender<Order>,
        /// Where results come from.
        results: Receiver<(usize, JobResult)>,
    },
}

impl Workers {
    /// Starts as many threads as there are to be, unless one is enough.
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        deadline: &Deadline,
    ) -> Workers {
        if threads <= 1 {
            return Workers::Alone(None);
        }
        let (orders, waiting) = channel::<Order>();
        let waiting = Arc::new(Mutex::new(waiting));
        let (done, results) = channel();
        for _ in 0..threads {
            let (waiting, done) = (Arc::clone(&waiting), done.clone());
            let deadline = deadline.clone();
            scope.spawn(move || {
                let mut own = None;
                loop {
                    let next = waiting
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .recv();
                    // The search is over when nobody can send tasks any more.
                    let Ok(order) = next else {
                        break;
                    };
                    let Order { task, context, .. } = &order;
                    let result = guarded(&mut own, context, &deadline, task, &order.coverage);
                    if done.send((order.index, result)).is_err() {
                        break;
                    }
                }
            });
        }
        Workers::Many { orders, results }
    }

    /// Uses a solver for a generation of the program that is there already.
    pub fn employ(&mut self, generation: u32, worker: Worker) {
        if let Workers::Alone(own) = self {
            *own = Some((generation, worker));
        }
    }

    /// Does tasks, and returns what they found in order.
    pub fn explore(
        &mut self,
        context: &Arc<Context>,
        tasks: Vec<Task>,
        coverage: &Arc<Coverage>,
        deadline: &Deadline,
    ) -> Vec<JobResult> {
        match self {
            Workers::Alone(own) => (tasks.iter())
                .map(|task| guarded(own, context, deadline, task, coverage))
                .collect(),
            Workers::Many { orders, results } => {
                let mut found: Vec<JobResult> =
                    tasks.iter().map(|_| JobResult::default()).collect();
                let mut expected = 0;
                for (index, task) in tasks.into_iter().enumerate() {
                    let sent = orders.send(Order {
                        index,
                        task,
                        context: Arc::clone(context),
                        coverage: Arc::clone(coverage),
                    });
                    expected += usize::from(sent.is_ok());
                }
                for _ in 0..expected {
                    let Ok((index, result)) = results.recv() else {
                        break;
                    };
                    found[index] = result;
                }
                found
            }
        }
    }
}

/// Does a task, whatever happens.
fn guarded(
    own: &mut Option<(u32, Worker)>,
    context: &Context,
    deadline: &Deadline,
    task: &Task,
    coverage: &Coverage,
) -> JobResult {
    let done = catch_unwind(AssertUnwindSafe(|| {
        let worker = worker_for(own, context, deadline);
        explore(context, &worker, task, coverage)
    }));
    done.unwrap_or_else(|_| {
        // Nobody knows in which state it was left.
        *own = None;
        JobResult::panicked()
    })
}

/// A solver for the program as it is: the one that is there, or a new one.
fn worker_for(own: &mut Option<(u32, Worker)>, context: &Context, deadline: &Deadline) -> Worker {
    match own {
        Some((generation, worker)) if *generation == context.generation => worker.clone(),
        _ => {
            let (worker, _) = Worker::new(&context.subject, context.options.layers, deadline);
            *own = Some((context.generation, worker.clone()));
            worker
        }
    }
}

fn explore(context: &Context, worker: &Worker, task: &Task, coverage: &Coverage) -> JobResult {
    match task {
        Task::Prefix(prefix, neighbour, price) => {
            let neighbour = neighbour.as_deref();
            explore_prefix(context, worker, prefix, neighbour, *price, coverage)
        }
        Task::Input(input) => explore_input(context, worker, input.clone(), coverage),
        #[cfg(test)]
        Task::Panic => panic!("a bug, for the sake of a test"),
    }
}

#[cfg(test)]
mod tests {
    use heapwright_ir::{FunctionId, parse};

    use super::*;
    use crate::options::Options;
    use crate::report::Limit;
    use crate::subject::Subject;

    /// What some tasks find, with so many threads.
    fn results(threads: usize, tasks: Vec<Task>) -> Vec<JobResult> {
        let text = "file \"test\"\nfunction main(x: int) {\nb0:\n  return\n}";
        let program = parse(text).expect("a program");
        let function = FunctionId(0);
        let subject = Arc::new(Subject::new(&program, function, None).expect("a subject"));
        let (options, deadline) = (Options::default(), Deadline::NEVER);
        let coverage = Arc::new(Coverage::new(&subject.program, function));
        let (context, _) = Context::new(subject, &options, &deadline);
        std::thread::scope(|scope| {
            let mut workers = Workers::start(scope, threads, &deadline);
            workers.explore(&Arc::new(context), tasks, &coverage, &deadline)
        })
    }

    /// More panics than threads: each thread survives several.
    #[test]
    fn a_panic_costs_its_own_path_only() {
        for threads in [1, 2] {
            let prefix = || Task::Prefix(Vec::new(), None, Price::Full);
            let mut tasks = vec![Task::Panic; 5];
            tasks.extend([prefix(), Task::Panic, prefix()]);
            let results = results(threads, tasks);
            for (index, result) in results.iter().enumerate() {
                let is_panic = !matches!(index, 5 | 7);
                assert_eq!(result.effort.panics, u64::from(is_panic));
                assert_eq!(result.open.contains(&(Limit::Panic, 0)), is_panic);
                assert_eq!(result.tests.is_empty(), is_panic);
            }
        }
    }
}
