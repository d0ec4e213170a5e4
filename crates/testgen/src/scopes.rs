//! Sequences of calls in larger and larger scopes.

use std::time::{Duration, Instant};

use heapwright_engine::sequences::{Exploration, Record, SequenceBounds, report};
use heapwright_engine::{Keep, Limit, Progress, Status, StopReason, Subject};

use crate::error::{Error, SequenceError};
use crate::frontend::Event;
use crate::request::Request;

/// Where scopes begin that grow, and where they end.
const SCOPES: std::ops::RangeInclusive<u32> = 2..=7;

/// A scope that covers nothing new ends the growth, but for the first few: small states often have
/// to be left behind before anything happens.
const LEAST_SCOPE: u32 = 4;

/// No larger scope is explored after one that has taken more calls than this.
const CALLS: u64 = 30_000;

/// What was found in one scope.
pub struct InScope<T> {
    /// What the front end makes of it.
    pub found: T,
    /// Whether every branch of what is tested is taken that can be.
    pub is_covered: bool,
}

/// Searches in the scope that was asked for, or in larger and larger ones until everything is
/// covered or nothing new is. A search gets the scope and the time that is left.
pub fn search_scopes<T>(
    request: &Request,
    exploration: impl Fn(&T) -> &Exploration,
    mut search: impl FnMut(u32, Option<Duration>) -> Result<InScope<T>, Error>,
) -> Result<T, Error> {
    let begin = Instant::now();
    let time = request.options.bounds.time;
    if let Some(scope) = request.sequences.scope {
        return Ok(search(scope, time)?.found);
    }
    let mut last: Option<T> = None;
    for scope in SCOPES {
        let left = time.map(|time| time.saturating_sub(begin.elapsed()));
        let InScope { found, is_covered } = search(scope, left)?;
        let known = last
            .as_ref()
            .map_or(0, |last| exploration(last).edges.len());
        let own = exploration(&found);
        let is_new = own.edges.len() > known;
        let is_ended = [Limit::Time, Limit::Memory, Limit::Interrupted]
            .iter()
            .any(|&limit| own.stop == StopReason::Limit(limit));
        // The next scope takes a multiple of the calls.
        let is_large = own.transitions > CALLS;
        // A search that was cut off may have seen less than the one before.
        if last.is_none() || is_new {
            last = Some(found);
        }
        let is_fruitless = !is_new && scope >= LEAST_SCOPE;
        if is_covered || is_fruitless || is_ended || is_large {
            break;
        }
    }
    last.ok_or_else(|| SequenceError::NoScope.into())
}

/// What bounds the search in a scope.
pub fn bounds_of(request: &Request, scope: u32, time: Option<Duration>) -> SequenceBounds {
    let options = &request.options;
    SequenceBounds {
        length: Some(request.sequences.length.unwrap_or(scope)),
        states: request.sequences.states,
        calls: u64::MAX,
        time,
        memory: options.bounds.memory,
        budgets: options.budgets,
        record: match request.keep {
            Keep::All => Record::Everything,
            Keep::Mutants | Keep::Coverage | Keep::Paths => Record::Paths,
        },
        interrupt: options.interrupt.clone(),
    }
}

/// Tells an observer about a search that goes on.
pub fn watched<T>(
    name: &str,
    time: Option<Duration>,
    observer: &mut dyn FnMut(Event<'_>),
    search: impl FnOnce(&mut dyn FnMut(&Exploration)) -> T,
) -> T {
    let begin = Instant::now();
    observer(Event::Begins { name, time });
    let found = search(&mut |exploration: &Exploration| {
        observer(Event::Progress(&Progress {
            tests: exploration.tests.iter().map(Vec::len).sum(),
            covered: exploration.edges.len(),
            branches: exploration.edges.len(),
            frontier: exploration.states as usize,
            solver_calls: 0,
            solving: Duration::ZERO,
            elapsed: begin.elapsed(),
        }));
    });
    observer(Event::Ends);
    found
}

/// Whether every branch of a subject is taken that can be.
pub fn is_covered(
    subject: &Subject,
    data_type: &heapwright_engine::sequences::DataType,
    exploration: &Exploration,
    bounds: &SequenceBounds,
) -> bool {
    let nothing = Exploration::default();
    let (report, _) = report(subject, data_type, &nothing, usize::MAX, &[], bounds);
    !report.branches.iter().any(|branch| {
        matches!(branch.status, Status::Open(_)) && !exploration.edges.contains(&branch.edge)
    })
}
