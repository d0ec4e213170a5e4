//! What was refuted on the way to one answer.
//!
//! The branches of a question and their base pairs share most of their arithmetic, so the
//! reason why one of them is impossible often rules out many others. It is remembered for one
//! question only: answers do not depend on earlier questions.

use heapwright_logic::{TermId, Terms};
use rustc_hash::FxHashSet;

use crate::arith::{ArithAnswer, Arithmetic};

/// As many reasons are kept; looking through them must stay cheaper than asking again.
const REMEMBERED: usize = 64;

/// Reasons for contradictions.
#[derive(Default)]
pub struct Refutations {
    cores: Vec<Vec<TermId>>,
}

impl Refutations {
    /// Whether a conjunction is known or found to be contradictory.
    pub fn refutes(
        &mut self,
        arith: &mut dyn Arithmetic,
        terms: &mut Terms,
        conjuncts: &[TermId],
    ) -> bool {
        let members: FxHashSet<TermId> = conjuncts.iter().copied().collect();
        let contains = |core: &Vec<TermId>| core.iter().all(|term| members.contains(term));
        if self.cores.iter().any(contains) {
            return true;
        }
        let ArithAnswer::Unsat(core) = arith.check(terms, conjuncts) else {
            return false;
        };
        if !core.is_empty() && self.cores.len() < REMEMBERED {
            self.cores.push(core);
        }
        true
    }
}
