//! Floating point and functions that no theory covers, decided by search.
//!
//! Every formula has a branch distance (Korel 1990, Tracey 1998), a number that says how far
//! values are from making it true; the alternating variable method makes it smaller. What the
//! search does not find within a number of evaluations is put to the SMT backend, with variables
//! in place of what the backend does not know. A contradiction found there is one; a solution
//! found there is where another search begins.

mod abstraction;
mod alternate;
mod distance;
mod equations;
mod nice;
mod seeds;
mod tape;

use heapwright_logic::{Deadline, FpOp, Sort, Term, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use super::evaluate::satisfies;
use super::order::subterms_first;
use super::statistics::Statistics;
use super::{ArithAnswer, Arithmetic, Assignment};
use abstraction::{Abstracted, Abstraction};
use alternate::Search;
use equations::Reduced;
use tape::Tape;

/// Products, quotients and roots of unknown floats in a question that the SMT backend is asked.
/// Each is a circuit of thousands of gates there; two of them with a condition around them take
/// seconds, mostly in vain.
const MAX_NONLINEAR: usize = 1;
/// Evaluations for making the values of a solution pleasant.
const POLISH: u64 = 2000;

/// Searches before, and after, asking the next layer.
pub struct BranchDistance<A> {
    inner: A,
    first: u64,
    second: u64,
    deadline: Deadline,
    abstraction: Abstraction,
    /// Where searches begin.
    suggested: Assignment,
    /// Questions that were not decided, and why: a derivation after the other comes with the same
    /// arithmetic, and a search that fails costs most.
    undecided: FxHashMap<Vec<TermId>, String>,
    statistics: Statistics,
}

impl<A: Arithmetic> BranchDistance<A> {
    /// Around another layer, with so many evaluations before and after asking it.
    pub fn new(inner: A, [first, second]: [u32; 2], deadline: &Deadline) -> Self {
        BranchDistance {
            inner,
            first: first.into(),
            second: second.into(),
            deadline: deadline.clone(),
            abstraction: Abstraction::default(),
            suggested: Assignment::default(),
            undecided: FxHashMap::default(),
            statistics: Statistics::default(),
        }
    }

    /// Looks for a solution, at first near the one that is given.
    fn search(
        &mut self,
        terms: &Terms,
        conjuncts: &[TermId],
        reduced: &Reduced,
        evaluations: u64,
        hint: Option<&Assignment>,
    ) -> Option<Assignment> {
        let mut tape = Tape::new(terms, &reduced.conjuncts)?;
        let mut starts: Vec<Vec<Value>> = Vec::new();
        let suggested = |variable: VarId| self.suggested.get(&variable).copied();
        if tape
            .unknowns
            .iter()
            .any(|unknown| suggested(unknown.variable).is_some())
        {
            starts.push(start(&tape, suggested));
        }
        match hint {
            Some(hint) => starts.push(start(&tape, |variable| hint.get(&variable).copied())),
            None => starts.extend([
                start(&tape, |_| None),
                start(&tape, |variable| one(terms.variable(variable).sort)),
            ]),
        }
        let found = (Search::new(&mut tape, evaluations).until(&self.deadline)).run(&starts);
        if found {
            // What is near to other values should stay there: they have been made pleasant
            // already, and what else holds for them may be wanted next.
            nice::simplify(&mut tape, POLISH, suggested);
        }
        self.statistics.search_evaluations += tape.evaluations;
        if !found {
            return None;
        }
        let assignment = reduced.complete(terms, tape.assignment())?;
        (satisfies(terms, &assignment, conjuncts) == Some(true)).then_some(assignment)
    }

    /// A solution of the backend with pleasant values.
    fn polished(
        &mut self,
        terms: &Terms,
        conjuncts: &[TermId],
        solution: Assignment,
    ) -> Assignment {
        let Some(mut tape) = Tape::new(terms, conjuncts) else {
            return solution;
        };
        let values = start(&tape, |variable| solution.get(&variable).copied());
        if tape.set_all(&values) == 0.0 {
            nice::simplify(&mut tape, POLISH, |_| None);
        }
        self.statistics.search_evaluations += tape.evaluations;
        let polished = tape.assignment();
        match satisfies(terms, &polished, conjuncts) {
            Some(true) => polished,
            _ => solution,
        }
    }

    /// Searches, asks, and searches again.
    fn decide(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        let reduced = Reduced::new(terms, conjuncts);
        let searchable = !reduced.is_contradictory();
        if searchable && let Some(found) = self.search(terms, conjuncts, &reduced, self.first, None)
        {
            self.statistics.searched += 1;
            return ArithAnswer::Sat(found);
        }
        let (hint, reason) = match self.abstraction.of(terms, conjuncts) {
            _ if nonlinear(terms, conjuncts) > MAX_NONLINEAR => (
                None,
                "no values found for many products of unknown floats".to_owned(),
            ),
            None => match self.inner.check(terms, conjuncts) {
                ArithAnswer::Sat(found) => {
                    return ArithAnswer::Sat(self.polished(terms, conjuncts, found));
                }
                ArithAnswer::Unknown(reason) => (None, reason),
                unsat => return unsat,
            },
            Some(abstracted) => match self.ask_abstracted(terms, conjuncts, &abstracted) {
                ArithAnswer::Sat(found) => (
                    Some(found),
                    "no values found for functions that no theory covers".to_owned(),
                ),
                ArithAnswer::Unknown(reason) => (None, reason),
                unsat => return unsat,
            },
        };
        if searchable
            && let Some(found) = self.search(terms, conjuncts, &reduced, self.second, hint.as_ref())
        {
            self.statistics.searched += 1;
            return ArithAnswer::Sat(found);
        }
        ArithAnswer::Unknown(reason)
    }

    /// Asks the next layer about an abstracted question.
    fn ask_abstracted(
        &mut self,
        terms: &mut Terms,
        conjuncts: &[TermId],
        abstracted: &Abstracted,
    ) -> ArithAnswer {
        match self.inner.check(terms, &abstracted.conjuncts) {
            ArithAnswer::Unsat(core) => {
                let pairs = abstracted.conjuncts.iter().zip(conjuncts);
                let used = pairs.take(abstracted.originals);
                let used: Vec<_> = used
                    .filter(|(stand_in, _)| core.contains(stand_in))
                    .map(|(_, &original)| original)
                    .collect();
                // Facts about functions are no reason that could be named to anyone.
                let alone = core.iter().all(|term| abstracted.conjuncts.contains(term));
                match alone && !used.is_empty() {
                    true => ArithAnswer::Unsat(used),
                    false => ArithAnswer::Unsat(conjuncts.to_vec()),
                }
            }
            outcome => outcome,
        }
    }
}

impl<A: Arithmetic> Arithmetic for BranchDistance<A> {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        if !concerns_floats(terms, conjuncts) {
            return self.inner.check(terms, conjuncts);
        }
        if let Some(reason) = self.undecided.get(conjuncts) {
            return ArithAnswer::Unknown(reason.clone());
        }
        let outcome = self.decide(terms, conjuncts);
        if let ArithAnswer::Unknown(reason) = &outcome {
            self.undecided.insert(conjuncts.to_vec(), reason.clone());
        }
        outcome
    }

    fn suggest(&mut self, values: &Assignment) {
        // Where only more is suggested, what was in vain before still is: the old variables are
        // the ones that were searched for.
        let known = self.suggested.iter();
        let mut changed = known.filter(|&(variable, value)| values.get(variable) != Some(value));
        if changed.next().is_some() {
            self.undecided.clear();
        }
        self.suggested.clone_from(values);
        self.inner.suggest(values);
    }

    fn add_statistics(&self, total: &mut Statistics) {
        total.add(&self.statistics);
        self.inner.add_statistics(total);
    }
}

/// Whether a question has floats or functions that no theory covers.
fn concerns_floats(terms: &Terms, conjuncts: &[TermId]) -> bool {
    let all = subterms_first(terms, conjuncts.iter().copied(), |_| false);
    all.into_iter().any(|term| {
        matches!(terms.sort(term), Sort::Float(_))
            || matches!(terms.get(term), Term::Fp(..) | Term::Apply(..))
    })
}

/// How many products, quotients and roots of unknown floats a question has.
fn nonlinear(terms: &Terms, conjuncts: &[TermId]) -> usize {
    let unknown = |term: &TermId| !matches!(terms.get(*term), Term::Single(_) | Term::Double(_));
    let all = subterms_first(terms, conjuncts.iter().copied(), |_| false);
    let hard = all.into_iter().filter(|&term| match terms.get(term) {
        Term::Fp(FpOp::Sqrt, ..) => true,
        Term::Fp(FpOp::Mul | FpOp::Div, _, args) => args.iter().all(unknown),
        _ => false,
    });
    hard.count()
}

/// The values to start from, the default of the sort where none is known.
fn start(tape: &Tape, known: impl Fn(VarId) -> Option<Value>) -> Vec<Value> {
    let unknowns = tape.unknowns.iter();
    unknowns
        .map(|unknown| known(unknown.variable).unwrap_or(Value::default_of(unknown.sort)))
        .collect()
}

/// The number one of a sort.
fn one(sort: Sort) -> Option<Value> {
    match sort {
        Sort::Float(ty) => Some(seeds::float(ty, 1.0)),
        sort if sort.is_integer() => Some(Value::Int(1)),
        _ => None,
    }
}
