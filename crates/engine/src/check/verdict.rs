//! Verdicts: what a search says about the branches that no test takes.

use crate::analysis::coverage::Coverage;
use crate::options::{Mode, Options};
use crate::report::{Branch, Limit, Proof, Report, Status, StopReason};
use crate::search::strategy::Candidate;

/// Remembers that a bound leaves something unexplored where every input has at least this many
/// objects; of one bound only the fewest objects matter.
pub fn leave_open(open: &mut Vec<(Limit, u32)>, limit: Limit, objects: u32) {
    match open.iter_mut().find(|(known, _)| *known == limit) {
        Some((_, least)) => *least = objects.min(*least),
        None => open.push((limit, objects)),
    }
}

/// Why what waits was not explored.
pub fn stopped(stop: StopReason, mode: Mode) -> Limit {
    match (stop, mode) {
        (StopReason::Limit(limit), _) => limit,
        (StopReason::Covered | StopReason::Reached, _) => Limit::Goal,
        (_, Mode::Specification) => Limit::Specification,
        // Only a strategy with a bound of its own leaves nodes behind.
        (StopReason::Exhausted | StopReason::Unsatisfiable, _) => Limit::Depth,
    }
}

/// Writes into the report what was left unexplored, and what follows for the branches.
/// `remaining` are the nodes that wait, `open` what bounds kept out; each with a number of
/// objects that every input there has at least.
pub fn judge<'c>(
    report: &mut Report,
    options: &Options,
    coverage: &Coverage,
    remaining: impl Iterator<Item = &'c Candidate>,
    open: &[(Limit, u32)],
) {
    let stopped = stopped(report.stop, options.mode);
    let remaining = remaining.map(|candidate| (stopped, candidate.objects));
    report.open =
        (remaining.chain(open.iter().copied())).min_by_key(|&(limit, objects)| (objects, limit));
    if report.open.is_none() && !report.extended_by_none.is_empty() {
        report.open = Some((Limit::Subclasses, 0));
    }
    let uncovered = match report.open {
        None => Status::Infeasible(Proof::ClosedTree),
        Some((limit, 0)) => Status::Open(limit),
        // What these decide has nothing to do with how large an input is.
        Some((limit @ (Limit::Environment(_) | Limit::StaticState), _)) => Status::Open(limit),
        Some((limit, objects)) => Status::Unreached {
            objects: objects - 1,
            limit,
        },
    };
    report.branches = branches(coverage, &uncovered);
}

/// All branches, where those that no test takes have a status, unless they are known to be
/// infeasible.
pub fn branches(coverage: &Coverage, uncovered: &Status) -> Vec<Branch> {
    (coverage.branches())
        .map(|known| Branch {
            edge: known.edge,
            position: known.position,
            status: match known.test {
                Some(test) => Status::Covered { test },
                None if known.infeasible => Status::Infeasible(Proof::Nullness),
                None => uncovered.clone(),
            },
        })
        .collect()
}
