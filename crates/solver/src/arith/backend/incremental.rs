//! One Z3 solver whose assertion stack follows the questions.
//!
//! The next question keeps the levels that are a prefix of it, and pops the rest. A level is
//! expensive: Z3 simplifies, internalises and propagates what was asserted whenever one begins, so
//! one for each conjunct costs several times as much as the search itself. The conjuncts that a
//! question adds are therefore halved: the first half becomes a level, then the half of what is
//! left, down to the last conjunct alone. Wherever the next question differs, at most as many
//! conjuncts are asserted once more as differ from there on.
//!
//! What encoding a conjunct introduced (variables with their ranges, wrap quotients) lives and dies
//! with its level.

use heapwright_logic::{Deadline, Sort, Term, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;
use z3::ast::{BV, Bool, Float, Int};
use z3::{Model, Params, SatResult, Solver};

use super::decls::Conversions;
use super::home::decide;
use super::theory::{Plan, Theory};
use super::{bits, floats, integers};
use crate::arith::interval::Interval;
use crate::arith::order::subterms_first;
use crate::arith::{ArithAnswer, ArithConfig, Assignment};

/// The answer of Z3.
pub enum Answer {
    /// With values for all variables of the question.
    Sat(Assignment),
    /// With the positions of the conjuncts in the core.
    Unsat(Vec<usize>),
    /// With the reason.
    Unknown(String),
}

impl Answer {
    /// As an outcome for the conjuncts that were asked about.
    pub fn into_outcome(self, conjuncts: &[TermId]) -> ArithAnswer {
        match self {
            Answer::Sat(assignment) => ArithAnswer::Sat(assignment),
            Answer::Unsat(core) => {
                ArithAnswer::Unsat(core.into_iter().map(|index| conjuncts[index]).collect())
            }
            Answer::Unknown(reason) => ArithAnswer::Unknown(reason),
        }
    }
}

/// A term in Z3's language.
#[derive(Clone)]
pub enum Encoded {
    /// A formula.
    Bool(Bool),
    /// A number, in the theory of integers.
    Int(Int),
    /// A number in two's complement, wide enough for every value it can take.
    Bits(BV, u32),
    /// A float.
    Float(Float),
    /// A number that would need more bits than are sensible.
    TooWide,
}

/// Terms encoded so far, and the facts that come with them.
pub struct Encoder {
    /// How numbers are encoded.
    pub plan: Plan,
    /// The encodings.
    pub done: FxHashMap<TermId, Encoded>,
    /// The values that each integer term can take, given the plan.
    pub ranges: FxHashMap<TermId, Interval>,
    /// Low bits of terms, by width; see [`bits`].
    pub low: FxHashMap<(TermId, u32), BV>,
    /// Conversions that the bindings do not offer.
    pub conversions: Conversions,
    /// Facts about introduced variables that are still to be asserted.
    pub facts: Vec<Bool>,
}

struct Level {
    conjuncts: Vec<TermId>,
    /// Terms whose encoding relies on facts of this level.
    introduced: Vec<TermId>,
}

/// A solver and what is asserted in it.
pub struct IncrementalSolver {
    solver: Solver,
    encoder: Encoder,
    levels: Vec<Level>,
    variables: FxHashMap<VarId, TermId>,
    /// Names of tracked conjuncts, by position.
    trackers: Vec<Bool>,
    questions: u32,
    deadline: Deadline,
}

/// After this many questions a session starts afresh, so that Z3's tables stay small.
const QUESTIONS_PER_SOLVER: u32 = 2000;

impl IncrementalSolver {
    /// A session with an empty stack.
    pub fn new(config: &ArithConfig, plan: Plan) -> Self {
        let solver = match plan.theory {
            Theory::BitVectors => Solver::new_for_logic("QF_BV").unwrap_or_default(),
            Theory::Integers | Theory::Floats | Theory::NonlinearFloats => Solver::new(),
        };
        let resource_limit = match plan.theory {
            Theory::NonlinearFloats => config.float_resource_limit.min(config.resource_limit),
            _ => config.resource_limit,
        };
        let mut params = Params::new();
        params.set_u32("rlimit", resource_limit);
        params.set_u32("random_seed", 0);
        params.set_bool("ctrl_c", false);
        if plan.theory == Theory::Integers {
            // Z3 keeps two solvers, and asks the one that knows no levels only if there are none.
            params.set_bool("ignore_solver1", true);
        }
        solver.set_params(&params);
        IncrementalSolver {
            solver,
            encoder: Encoder {
                plan,
                done: FxHashMap::default(),
                ranges: FxHashMap::default(),
                low: FxHashMap::default(),
                conversions: Conversions::default(),
                facts: Vec::new(),
            },
            levels: Vec::new(),
            variables: FxHashMap::default(),
            trackers: Vec::new(),
            questions: 0,
            deadline: config.deadline.clone(),
        }
    }

    /// How many leading conjuncts are on the stack already, in levels that can be kept; `None` if
    /// the plans differ.
    pub fn common_prefix(&self, plan: &Plan, conjuncts: &[TermId]) -> Option<usize> {
        (self.encoder.plan == *plan).then(|| self.kept(conjuncts).1)
    }

    /// The levels that a question keeps, and how many conjuncts they hold.
    fn kept(&self, conjuncts: &[TermId]) -> (usize, usize) {
        let (mut levels, mut rest) = (0, conjuncts);
        for level in &self.levels {
            match rest.strip_prefix(level.conjuncts.as_slice()) {
                Some(further) => (levels, rest) = (levels + 1, further),
                None => break,
            }
        }
        (levels, conjuncts.len() - rest.len())
    }

    /// Whether the session may serve further questions.
    pub fn is_reusable(&self) -> bool {
        !self.encoder.plan.theory.has_floats() && self.questions < QUESTIONS_PER_SOLVER
    }

    /// Decides a conjunction.
    pub fn check(&mut self, terms: &Terms, conjuncts: &[TermId]) -> Answer {
        self.questions += 1;
        let (kept, asserted) = self.kept(conjuncts);
        self.pop_to(kept);
        let mut rest = &conjuncts[asserted..];
        while !rest.is_empty() {
            let (level, further) = rest.split_at(rest.len().div_ceil(2));
            let position = conjuncts.len() - rest.len();
            if let Err(reason) = self.push(terms, level, position) {
                // The level of a conjunct that was not asserted must not look as if it were.
                self.pop_to(kept);
                return Answer::Unknown(reason);
            }
            rest = further;
        }
        match decide(&self.solver, &self.deadline) {
            SatResult::Sat => self.read_model(terms, conjuncts),
            SatResult::Unsat => Answer::Unsat(self.read_core(conjuncts.len())),
            SatResult::Unknown => {
                let reason = self.solver.get_reason_unknown().unwrap_or_default();
                Answer::Unknown(format!("the SMT backend gave up: {reason}"))
            }
        }
    }

    fn pop_to(&mut self, kept: usize) {
        let surplus = self.levels.len() - kept;
        if surplus == 0 {
            return;
        }
        if !self.encoder.plan.theory.has_floats() {
            self.solver.pop(surplus as u32);
        }
        for level in self.levels.drain(kept..) {
            for term in level.introduced {
                self.encoder.done.remove(&term);
            }
        }
    }

    /// Asserts conjuncts in a level of their own. The first of them has this position in the
    /// question.
    fn push(&mut self, terms: &Terms, conjuncts: &[TermId], position: usize) -> Result<(), String> {
        if !self.encoder.plan.theory.has_floats() {
            self.solver.push();
        }
        self.levels.push(Level {
            conjuncts: conjuncts.to_vec(),
            introduced: Vec::new(),
        });
        (conjuncts.iter().zip(position..))
            .try_for_each(|(&conjunct, position)| self.assert(terms, conjunct, position))
    }

    /// Asserts a conjunct in the last level.
    fn assert(&mut self, terms: &Terms, conjunct: TermId, position: usize) -> Result<(), String> {
        let done = &self.encoder.done;
        let order = subterms_first(terms, [conjunct], |term| done.contains_key(&term));
        for term in order {
            let encoded = self.encoder.encode(terms, term);
            if let Term::Var(variable) = terms.get(term) {
                self.variables.insert(*variable, term);
            }
            self.encoder.done.insert(term, encoded);
            if let Some(level) = self.levels.last_mut() {
                level.introduced.push(term);
            }
        }
        for fact in self.encoder.facts.drain(..) {
            self.solver.assert(fact);
        }
        let encoded = self.encoder.done.get(&conjunct).cloned();
        let Some(Encoded::Bool(formula)) = encoded else {
            return Err("numbers too wide for bit-vectors".to_owned());
        };
        if self.encoder.plan.theory.has_floats() {
            // Tracking would keep Z3 from its strategy for floats, which is much faster.
            self.solver.assert(formula);
            return Ok(());
        }
        while self.trackers.len() <= position {
            let name = format!("c{}", self.trackers.len());
            self.trackers.push(Bool::new_const(name));
        }
        self.solver
            .assert_and_track(formula, &self.trackers[position]);
        Ok(())
    }

    fn read_core(&self, conjuncts: usize) -> Vec<usize> {
        if self.encoder.plan.theory.has_floats() {
            return (0..conjuncts).collect();
        }
        let core = self.solver.get_unsat_core();
        (0..conjuncts)
            .filter(|&index| core.contains(&self.trackers[index]))
            .collect()
    }

    fn read_model(&self, terms: &Terms, conjuncts: &[TermId]) -> Answer {
        let Some(model) = self.solver.get_model() else {
            return Answer::Unknown("the SMT backend gave no model".to_owned());
        };
        let order = subterms_first(terms, conjuncts.iter().copied(), |_| false);
        let mut assignment = Assignment::default();
        for term in order {
            let Term::Var(variable) = terms.get(term) else {
                continue;
            };
            match self.read_value(&model, terms, term) {
                Some(value) => assignment.insert(*variable, value),
                None => {
                    return Answer::Unknown("a value of the model does not fit".to_owned());
                }
            };
        }
        Answer::Sat(assignment)
    }

    fn read_value(&self, model: &Model, terms: &Terms, term: TermId) -> Option<Value> {
        match self.encoder.done.get(&term)? {
            Encoded::Bool(formula) => model.eval(formula, true)?.as_bool().map(Value::Bool),
            Encoded::Int(number) => model.eval(number, true)?.as_i128().map(Value::Int),
            Encoded::Bits(vector, width) => {
                let value = bits::read(model, vector, *width)?;
                Some(Value::Int(value))
            }
            Encoded::Float(float) => floats::read(model, float, terms.sort(term)),
            Encoded::TooWide => None,
        }
    }
}

impl Encoder {
    /// Encodes one term. Precondition: its subterms are encoded.
    fn encode(&mut self, terms: &Terms, term: TermId) -> Encoded {
        match (terms.sort(term), self.plan.theory) {
            (Sort::Bool, _) => self.encode_formula(terms, term),
            (Sort::Float(ty), _) => floats::encode(self, terms, term, ty),
            (_, Theory::Integers) => integers::encode(self, terms, term),
            _ => bits::encode(self, terms, term),
        }
    }

    fn encode_formula(&mut self, terms: &Terms, term: TermId) -> Encoded {
        let formula = match terms.get(term) {
            Term::Bool(value) => Some(Bool::from_bool(*value)),
            Term::Var(variable) => Some(Bool::new_const(variable.0)),
            Term::AtMostZero(linear) => match self.plan.theory {
                Theory::Integers => integers::at_most_zero(self, linear),
                _ => bits::at_most_zero(self, terms, linear),
            },
            Term::IsZero(linear) => match self.plan.theory {
                Theory::Integers => integers::is_zero(self, linear),
                _ => bits::is_zero(self, terms, linear),
            },
            Term::Eq(a, b) => match (self.done.get(a), self.done.get(b)) {
                (Some(Encoded::Bool(a)), Some(Encoded::Bool(b))) => Some(a.iff(b)),
                (Some(Encoded::Float(a)), Some(Encoded::Float(b))) => Some(a.eq(b)),
                _ => None,
            },
            Term::Not(a) => self.formula(*a).map(|a| a.not()),
            Term::And(list) => self.formulas(list).map(|list| Bool::and(&list)),
            Term::Or(list) => self.formulas(list).map(|list| Bool::or(&list)),
            Term::Ite(condition, then, otherwise) => {
                let parts = self.formulas(&[*condition, *then, *otherwise]);
                parts.map(|parts| parts[0].ite(&parts[1], &parts[2]))
            }
            Term::Fp(op, _, args) => floats::encode_predicate(self, *op, args),
            _ => None,
        };
        formula.map_or(Encoded::TooWide, Encoded::Bool)
    }

    /// An encoded formula.
    pub fn formula(&self, term: TermId) -> Option<Bool> {
        match self.done.get(&term) {
            Some(Encoded::Bool(formula)) => Some(formula.clone()),
            _ => None,
        }
    }

    fn formulas(&self, list: &[TermId]) -> Option<Vec<Bool>> {
        list.iter().map(|&term| self.formula(term)).collect()
    }
}
