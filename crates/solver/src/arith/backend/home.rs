//! The Z3 context that the sessions of one backend live in.
//!
//! Z3 numbers the terms of a context, and its heuristics follow these numbers: in a context that
//! has seen other questions before, the same question may get another model, or none. Threads
//! would keep their context for all that they are asked, so answers would depend on which thread
//! did what before. A backend therefore has a context of its own, made when it is first needed.
//!
//! A question runs until its counted limit is reached. The deadline is watched by a thread beside
//! it, which interrupts Z3. Z3 itself must not look at signals, or an interruption would end one
//! question and go unnoticed by everybody else.

use std::cell::RefCell;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use heapwright_logic::{Deadline, TermId, Terms};
use z3::{Context, SatResult, Solver};

use super::incremental::{Answer, IncrementalSolver};
use super::theory::Plan;
use crate::arith::ArithConfig;

/// The time between two looks at the deadline.
const LOOK: Duration = Duration::from_millis(20);

thread_local! {
    /// The bindings let only values into another context that could go to another thread as well.
    /// Z3's own cannot; they are handed over here.
    static LUGGAGE: RefCell<Luggage> = const { RefCell::new(Luggage { context: None, session: None }) };
}

struct Luggage {
    context: Option<Context>,
    session: Option<IncrementalSolver>,
}

fn luggage<T>(act: impl FnOnce(&mut Luggage) -> T) -> T {
    LUGGAGE.with_borrow_mut(act)
}

/// A context, once it is needed.
#[derive(Default)]
pub struct Home(Option<Context>);

impl Home {
    /// Decides a conjunction in this context, by a session that lives here or by a new one, and
    /// returns the session as well.
    pub fn check(
        &mut self,
        config: &ArithConfig,
        session: Option<IncrementalSolver>,
        plan: &Plan,
        (terms, conjuncts): (&Terms, &[TermId]),
    ) -> (Answer, Option<IncrementalSolver>) {
        let context = self.0.get_or_insert_with(fresh);
        luggage(|luggage| luggage.session = session);
        let answer = z3::with_z3_context(context, || {
            let session = luggage(|luggage| luggage.session.take());
            let mut session =
                session.unwrap_or_else(|| IncrementalSolver::new(config, plan.clone()));
            let answer = session.check(terms, conjuncts);
            luggage(|luggage| luggage.session = Some(session));
            answer
        });
        (answer, luggage(|luggage| luggage.session.take()))
    }
}

/// A context that nobody has used.
fn fresh() -> Context {
    z3::with_z3_config(&z3::Config::new(), || {
        let context = Context::thread_local();
        luggage(|luggage| luggage.context = Some(context));
    });
    luggage(|luggage| luggage.context.take()).unwrap_or_else(Context::thread_local)
}

/// Asks a solver of the context that is in use, and interrupts it at the deadline.
pub fn decide(solver: &Solver, deadline: &Deadline) -> SatResult {
    if deadline.is_never() {
        return solver.check();
    }
    if deadline.is_over() {
        return SatResult::Unknown;
    }
    let context = Context::thread_local();
    let handle = context.handle();
    let (done, wait) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The sender is dropped when the question is decided.
            while wait.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                // An interruption that comes before Z3 has begun is lost, so it is repeated.
                if deadline.is_over() {
                    handle.interrupt();
                }
            }
        });
        let result = solver.check();
        drop(done);
        result
    })
}
