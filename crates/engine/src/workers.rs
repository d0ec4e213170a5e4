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
use crate::questions::Worker;

/// What is to be explored.
#[derive(Clone, Debug)]
pub enum Task {
    /// A node of the tree.
    Prefix(Vec<Decision>),
    /// The path of an input.
    Input(Input),
}

/// The threads.
pub enum Workers<'c, 's> {
    /// Nobody but us.
    Alone {
        /// What jobs have in common.
        context: &'c Context<'s>,
        /// Our solver.
        worker: Worker,
    },
    /// Some threads, which wait for tasks.
    Many {
        /// Where tasks go.
        tasks: Sender<(usize, Task, Arc<Coverage>)>,
        /// Where results come from.
        findings: Receiver<(usize, Finding)>,
    },
}

impl<'c, 's> Workers<'c, 's> {
    /// Starts as many threads as there are to be, unless one is enough.
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        context: &'c Context<'s>,
        threads: usize,
        deadline: Option<Instant>,
        worker: Worker,
    ) -> Workers<'c, 's>
    where
        'c: 'scope,
    {
        if threads <= 1 {
            return Workers::Alone { context, worker };
        }
        let (tasks, waiting) = channel::<(usize, Task, Arc<Coverage>)>();
        let waiting = Arc::new(Mutex::new(waiting));
        let (done, findings) = channel();
        for _ in 0..threads {
            let (waiting, done) = (Arc::clone(&waiting), done.clone());
            scope.spawn(move || {
                let (worker, _) = Worker::new(context.start.subject, deadline);
                loop {
                    let next = waiting
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .recv();
                    // The search is over when nobody can send tasks any more.
                    let Ok((index, task, coverage)) = next else {
                        break;
                    };
                    let finding = explore(context, &worker, &task, &coverage);
                    if done.send((index, finding)).is_err() {
                        break;
                    }
                }
            });
        }
        Workers::Many { tasks, findings }
    }

    /// Does tasks, and returns what they found in order.
    pub fn explore(&self, tasks: Vec<Task>, coverage: &Arc<Coverage>) -> Vec<Finding> {
        match self {
            Workers::Alone { context, worker } => (tasks.iter())
                .map(|task| explore(context, worker, task, coverage))
                .collect(),
            Workers::Many {
                tasks: sender,
                findings,
            } => {
                let mut found: Vec<Finding> = tasks.iter().map(|_| Finding::default()).collect();
                let mut expected = 0;
                for (index, task) in tasks.into_iter().enumerate() {
                    let sent = sender.send((index, task, Arc::clone(coverage)));
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

fn explore(context: &Context, worker: &Worker, task: &Task, coverage: &Coverage) -> Finding {
    match task {
        Task::Prefix(prefix) => explore_prefix(context, worker, prefix, coverage),
        Task::Input(input) => explore_input(context, worker, input.clone(), coverage),
    }
}
