//! Faults as goals: an alternative that makes the program fail is worth a look, even when every
//! branch is covered.
//!
//! A dereference of null, the use of a freed object, a failed assertion or a division by zero
//! takes no branch of its own, so coverage does not ask for it. Every place where a fault is an alternative gets a few
//! tries; one that succeeds is a finding, or shows that the program expects it.

use heapwright_ir::machine::Site;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::path::decision::{Choice, Decision};
use crate::search::strategy::Candidate;

/// How many alternatives of one place are tried, if they turn out to be infeasible.
const TRIES: u32 = 4;

/// The places where a fault is possible as far as is known.
#[derive(Debug, Default)]
pub struct FaultGoals {
    places: IndexMap<FaultSite, Goal, FxBuildHasher>,
}

/// A question whose answer may be a fault, and whether the fault is the use of a freed object,
/// which is another one than null.
type FaultSite = (Site, bool);

#[derive(Debug, Default)]
struct Goal {
    candidates: Vec<Candidate>,
    tries: u32,
    reached: bool,
}

impl FaultGoals {
    /// An alternative has become available.
    pub fn add(&mut self, decision: &Decision, candidate: Candidate) {
        if let Some(place) = place(decision) {
            let goal = self.places.entry(place).or_default();
            goal.candidates.push(candidate);
        }
    }

    /// The decision was taken by a run.
    pub fn reach(&mut self, decision: &Decision) {
        if let Some(place) = place(decision) {
            self.places.entry(place).or_default().reached = true;
        }
    }

    /// Takes out an alternative that is worth a try: the smallest one of a place that was not
    /// reached yet.
    pub fn next(&mut self, is_open: impl Fn(&Candidate) -> bool) -> Option<Candidate> {
        for goal in self.places.values_mut() {
            if goal.reached || goal.tries >= TRIES {
                continue;
            }
            goal.candidates.retain(&is_open);
            let smallest = (goal.candidates.iter().enumerate())
                .min_by_key(|(_, known)| (known.objects, known.depth, known.node))
                .map(|(index, _)| index);
            if let Some(index) = smallest {
                goal.tries += 1;
                return Some(goal.candidates.swap_remove(index));
            }
        }
        None
    }
}

fn place(decision: &Decision) -> Option<FaultSite> {
    let freed = matches!(decision.choice, Choice::Alias(_));
    decision
        .site
        .filter(|_| decision.fault)
        .map(|site| (site, freed))
}
