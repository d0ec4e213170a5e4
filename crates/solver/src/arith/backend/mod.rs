//! The last layer: Z3, in process.
//!
//! The theory is chosen per question (which, below the independence layer, is one independent
//! part): bounded integers where they suffice, bit-vectors where bits are looked at, the
//! floating-point theory where there are floats. The theories are never mixed by conversion
//! functions, which Z3 is slow on.

mod bits;
mod decls;
mod floats;
mod home;
mod incremental;
mod integers;
mod theory;

use heapwright_logic::{TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::interval::Interval;
use super::ranges::Ranges;
use super::statistics::Statistics;
use super::{ArithAnswer, ArithConfig, Arithmetic};
use home::Home;
use incremental::{Answer, IncrementalSolver};
use theory::{Plan, Theory};

/// Bits of a ghost about whose range nothing is known, when it takes part in bit operations.
/// An `unsat` found under such a bound is not believed; a wider one is tried.
const GHOST_BITS: [u32; 2] = [40, 80];

/// The SMT backend.
pub struct Backend {
    config: ArithConfig,
    home: Home,
    /// Most recently used last.
    sessions: Vec<IncrementalSolver>,
    statistics: Statistics,
}

impl Backend {
    /// A backend that has not been asked anything yet.
    pub fn new(config: &ArithConfig) -> Self {
        Backend {
            config: config.clone(),
            home: Home::default(),
            sessions: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// The session that shares the longest prefix with the question. If none shares anything,
    /// `None`, for a new one, while there is room, and then the least recently used one of the
    /// same plan, because making a Z3 solver costs more than most questions.
    fn session(&mut self, plan: &Plan, conjuncts: &[TermId]) -> Option<IncrementalSolver> {
        let mut best: Option<(usize, usize)> = None;
        for (index, session) in self.sessions.iter().enumerate() {
            if let Some(shared) = session.common_prefix(plan, conjuncts)
                && best.is_none_or(|(_, most)| shared > most)
            {
                best = Some((index, shared));
            }
        }
        let full = self.sessions.len() >= self.config.sessions;
        match best {
            Some((index, shared)) if shared > 0 || full => Some(self.sessions.remove(index)),
            _ => {
                if full && !self.sessions.is_empty() {
                    self.sessions.remove(0);
                }
                None
            }
        }
    }

    fn ask(&mut self, terms: &Terms, conjuncts: &[TermId], plan: &Plan) -> Answer {
        self.statistics.backend_calls += 1;
        let question = (terms, conjuncts);
        if !self.config.incremental {
            // A context of its own makes the answer independent of everything asked before.
            return Home::default().check(&self.config, None, plan, question).0;
        }
        let session = self.session(plan, conjuncts);
        let (answer, session) = self.home.check(&self.config, session, plan, question);
        let session = session.filter(IncrementalSolver::is_reusable);
        self.sessions
            .extend(session.filter(|_| self.config.sessions > 0));
        answer
    }
}

impl Arithmetic for Backend {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        self.statistics.backend_questions += 1;
        let (theory, ghosts) = match theory::choose(terms, conjuncts, self.config.max_terms) {
            Ok(choice) => choice,
            Err(reason) => return ArithAnswer::Unknown(reason),
        };
        if theory == Theory::Integers {
            let plan = Plan::integers();
            return self.ask(terms, conjuncts, &plan).into_outcome(conjuncts);
        }
        if ghosts.is_empty() {
            let plan = Plan::new(theory, FxHashMap::default());
            return self.ask(terms, conjuncts, &plan).into_outcome(conjuncts);
        }
        let known = Ranges::of(terms, conjuncts);
        if let Some(conflict) = known.conflict {
            return ArithAnswer::Unsat(conflict.select(conjuncts));
        }
        for bits in GHOST_BITS {
            let (widths, guessed) = bounded(terms, &ghosts, &known, bits);
            match self.ask(terms, conjuncts, &Plan::new(theory, widths)) {
                Answer::Unsat(_) if guessed => {}
                // The bounds of ghosts came from conjuncts that Z3 may not have needed.
                Answer::Unsat(_) => return ArithAnswer::Unsat(conjuncts.to_vec()),
                answer => return answer.into_outcome(conjuncts),
            }
        }
        ArithAnswer::Unknown("no solution among integers of 80 bits".to_owned())
    }

    fn add_statistics(&self, total: &mut Statistics) {
        total.add(&self.statistics);
    }
}

/// Bounds for the mathematical integers of a question, and whether any of them is a guess.
fn bounded(
    terms: &Terms,
    ghosts: &[VarId],
    known: &Ranges,
    bits: u32,
) -> (FxHashMap<VarId, Interval>, bool) {
    let mut guessed = false;
    let limit = 1i128 << (bits - 1);
    let guess = Interval::new(-limit, limit - 1);
    let mut bound = |ghost: VarId| {
        let range = known.variable(terms, ghost);
        if range.signed_width().is_some_and(|width| width <= bits) {
            return range;
        }
        guessed = true;
        // What is known starts beyond the guess if it needs huge numbers.
        let common = range.intersect(guess);
        if common.is_empty() { guess } else { common }
    };
    let widths = (ghosts.iter())
        .map(|&ghost| (ghost, bound(ghost)))
        .collect();
    (widths, guessed)
}
