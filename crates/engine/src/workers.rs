//! Threads that do jobs, each with a solver of its own that it keeps.
//!
//! Which thread does which job does not matter: a job depends on nothing that a thread keeps but
//! what follows from the definitions.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Instant;

use crate::coverage::Coverage;
use crate::decision::Decision;
use crate::input::Input;
use crate::job::{Context, Finding, explore_input, explore_prefix};
use crate::questions::{Price, Worker};

/// What is to be explored.
#[derive(Clone, Debug)]
pub enum Task {
    /// A node of the tree, with an input that takes all decisions but the last, and how much work
    /// the question about it may be.
    Prefix(Vec<Decision>, Option<Arc<Input>>, Price),
    /// The path of an input.
    Input(Input),
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
        findings: Receiver<(usize, Finding)>,
    },
}

impl Workers {
    /// Starts as many threads as there are to be, unless one is enough.
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        deadline: Option<Instant>,
    ) -> Workers {
        if threads <= 1 {
            return Workers::Alone(None);
        }
        let (orders, waiting) = channel::<Order>();
        let waiting = Arc::new(Mutex::new(waiting));
        let (done, findings) = channel();
        for _ in 0..threads {
            let (waiting, done) = (Arc::clone(&waiting), done.clone());
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
                    let worker = worker_for(&mut own, &order.context, deadline);
                    let finding = explore(&order.context, &worker, &order.task, &order.coverage);
                    if done.send((order.index, finding)).is_err() {
                        break;
                    }
                }
            });
        }
        Workers::Many { orders, findings }
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
        deadline: Option<Instant>,
    ) -> Vec<Finding> {
        match self {
            Workers::Alone(own) => {
                let worker = worker_for(own, context, deadline);
                (tasks.iter())
                    .map(|task| explore(context, &worker, task, coverage))
                    .collect()
            }
            Workers::Many { orders, findings } => {
                let mut found: Vec<Finding> = tasks.iter().map(|_| Finding::default()).collect();
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
                    let Ok((index, finding)) = findings.recv() else {
                        break;
                    };
                    found[index] = finding;
                }
                found
            }
        }
    }
}

/// A solver for the program as it is: the one that is there, or a new one.
fn worker_for(
    own: &mut Option<(u32, Worker)>,
    context: &Context,
    deadline: Option<Instant>,
) -> Worker {
    match own {
        Some((generation, worker)) if *generation == context.generation => worker.clone(),
        _ => {
            let (worker, _) = Worker::new(&context.subject, deadline);
            *own = Some((context.generation, worker.clone()));
            worker
        }
    }
}

fn explore(context: &Context, worker: &Worker, task: &Task, coverage: &Coverage) -> Finding {
    match task {
        Task::Prefix(prefix, neighbour, price) => {
            let neighbour = neighbour.as_deref();
            explore_prefix(context, worker, prefix, neighbour, *price, coverage)
        }
        Task::Input(input) => explore_input(context, worker, input.clone(), coverage),
    }
}
