//! What is tested apart from everything else: a target, or the targets of a class that are tested by
//! calls together.
//!
//! A unit is a session of its own with a front end that has seen nothing, so what it finds is a function
//! of the program, the specifications and the request. That is why it can be found by another thread,
//! by another machine, or yesterday: what comes back is data, which the session enters in the order of
//! the targets. Whether a unit was searched here or [recalled](Frontend::recalled) makes no difference,
//! since it is always recalled.

use std::path::PathBuf;

use heapwright_engine::{Limit, Report, Status, StopReason};
use serde::{Deserialize, Serialize};

use crate::contradictions::Contradictions;
use crate::error::Error;
use crate::frontend::Frontend;
use crate::request::Request;
use crate::session::Session;

/// What was found for a unit.
#[derive(Serialize, Deserialize)]
pub struct Findings {
    /// What the front end makes of suites and tests.
    pub(crate) tested: Vec<u8>,
    /// How many targets that is.
    pub(crate) targets: usize,
    pub(crate) unwritten: Vec<String>,
    pub(crate) complaints: Vec<String>,
    pub(crate) contradictions: Contradictions,
    pub(crate) specification: Option<PathBuf>,
}

/// A unit that was searched.
pub struct Searched {
    /// What was found.
    pub findings: Findings,
    /// What was looked at, if anybody knows.
    pub looks: Option<Vec<u8>>,
    /// Whether the result may be another one the next time: the clock, the memory or the user ended
    /// something.
    pub is_cut: bool,
    /// Whether the user has ended it: then this is nothing that anybody should go on with.
    pub is_interrupted: bool,
    /// What the result depends on besides what was looked at, as the search has read it: files may
    /// have been written again since somebody asked for it.
    pub circumstances: Option<String>,
}

/// Searches for tests of some targets with a front end that has seen nothing. `None` if what was
/// found cannot be written down.
pub fn search<F: Frontend>(
    frontend: F,
    targets: Vec<F::Target>,
    request: Request,
) -> Result<Option<Searched>, Error> {
    let mut session = Session::of_unit(frontend, request, targets.clone());
    while session.advance(&mut |_| ())? {}
    let is_interrupted = session.is_interrupted();
    let is_cut = is_interrupted
        || session.request.options.interrupt.was_exhausted()
        || session.frontend.was_cut()
        || session.suites().any(|suite| is_cut(&suite.report));
    let circumstances = session.frontend.circumstances(&targets).ok();
    let looks = session.frontend.looks();
    let targets = session.tested.len();
    let Some(tested) = session.frontend.stored(session.tested) else {
        return Ok(None);
    };
    let findings = Findings {
        tested,
        targets,
        unwritten: session.unwritten,
        complaints: session.complaints,
        contradictions: session.contradictions,
        specification: session.specification,
    };
    Ok(Some(Searched {
        findings,
        looks,
        is_cut,
        is_interrupted,
        circumstances,
    }))
}

/// Whether something ended a search that need not end it the next time.
fn is_cut(report: &Report) -> bool {
    let passes = |limit: &Limit| {
        matches!(
            limit,
            Limit::Time | Limit::Memory | Limit::Interrupted | Limit::Panic
        )
    };
    let stopped = matches!(&report.stop, StopReason::Limit(limit) if passes(limit));
    let open = report.open.iter().any(|(limit, _)| passes(limit));
    let branches = report.branches.iter().any(|branch| match &branch.status {
        Status::Open(limit) | Status::Unreached { limit, .. } => passes(limit),
        Status::Covered { .. } | Status::Infeasible(_) => false,
    });
    let cut = report.statistics.cut.keys().any(passes);
    stopped || open || branches || cut || report.checked.cut_short
}
