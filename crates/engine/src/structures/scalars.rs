//! The numbers of structures: their terms, and whether conditions on them can hold.
//!
//! All partial structures of a search share one store of terms. The number in a field of the n-th
//! object has the same name in all of them, so the store does not grow with the search.
//!
//! Conditions on truth values and conditions on numbers have nothing to do with each other, so
//! each kind is decided by itself: truth values by trying, numbers by the solver.

use std::rc::Rc;

use heapwright_logic::{Deadline, Sort, Term, TermId, Terms, Value, VarId};
use heapwright_solver::arith::{ArithAnswer, Arithmetic, Assignment, chain, satisfies};
use rustc_hash::FxHashMap;

use super::truths::{self, Found};
use crate::path::questions::arithmetic;

/// What a condition is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Truth values only.
    Truths,
    /// Numbers only.
    Numbers,
    /// Both.
    Both,
}

/// The variables of a condition.
struct Mentioned {
    kind: Kind,
    names: Box<[VarId]>,
}

/// The terms of a search and the way to the solver.
pub struct Scalars {
    /// The store of all terms.
    pub terms: Terms,
    solver: Box<dyn Arithmetic>,
    /// Names by object, position and sort; the arguments count as the object before the first.
    names: FxHashMap<(u32, u32, Sort), VarId>,
    mentioned: FxHashMap<TermId, Rc<Mentioned>>,
    /// Questions put to the solver.
    pub calls: u64,
    /// Questions that it did not decide.
    pub unknown: u64,
    /// Structures that were left out, since there was no end of numbers or no answer about them.
    pub left_out: u64,
    /// Whether an object was made of a class of which there are others than those that are made.
    pub restricted: bool,
}

/// Whether conditions can hold.
pub enum Feasible {
    /// They do for these numbers.
    With(Assignment),
    /// They never do.
    Never,
    /// Nobody knows.
    Perhaps,
}

impl Scalars {
    /// No names so far. Questions are given up at the deadline.
    pub fn new(terms: Terms, deadline: &Deadline) -> Scalars {
        Scalars {
            terms,
            solver: chain(&arithmetic(deadline)),
            names: FxHashMap::default(),
            mentioned: FxHashMap::default(),
            calls: 0,
            unknown: 0,
            left_out: 0,
            restricted: false,
        }
    }

    /// The number at a position of an object.
    pub fn name(&mut self, object: u32, position: u32, sort: Sort) -> VarId {
        let terms = &mut self.terms;
        *(self.names.entry((object, position, sort)))
            .or_insert_with(|| terms.declare(format!("number{object}_{position}"), sort))
    }

    /// The truth value of a condition for given numbers; those that are missing are zero.
    pub fn holds(&self, model: &Assignment, condition: TermId) -> Option<bool> {
        satisfies(&self.terms, model, &[condition])
    }

    fn mentioned(&mut self, condition: TermId) -> Rc<Mentioned> {
        if let Some(known) = self.mentioned.get(&condition) {
            return Rc::clone(known);
        }
        let mut names = indexmap::IndexSet::<VarId>::default();
        self.terms.collect_variables(condition, &mut names);
        let is_truth = |name: &VarId| self.terms.variable(*name).sort == Sort::Bool;
        let truths = names.iter().filter(|name| is_truth(name)).count();
        let kind = match truths {
            0 => Kind::Numbers,
            _ if truths == names.len() => Kind::Truths,
            _ => Kind::Both,
        };
        let names = names.into_iter().collect();
        let mentioned = Rc::new(Mentioned { kind, names });
        self.mentioned.insert(condition, Rc::clone(&mentioned));
        mentioned
    }

    /// The truth value that a condition fixes, if it does nothing else.
    pub fn literal(&self, condition: TermId) -> Option<(VarId, bool)> {
        let (atom, holds) = match self.terms.get(condition) {
            Term::Not(inner) => (*inner, false),
            _ => (condition, true),
        };
        Some((self.terms.as_var(atom)?, holds))
    }

    /// Whether a term depends on truth values only.
    pub fn is_of_truths(&mut self, term: TermId) -> bool {
        let mentioned = self.mentioned(term);
        mentioned.kind == Kind::Truths || mentioned.names.is_empty()
    }

    /// What a condition is about.
    pub fn kind(&mut self, condition: TermId) -> Kind {
        self.mentioned(condition).kind
    }

    /// Whether a condition says anything about a variable.
    pub fn mentions(&mut self, condition: TermId, name: VarId) -> bool {
        self.mentioned(condition).names.contains(&name)
    }

    /// Whether conditions can hold together.
    pub fn check(&mut self, conditions: &[TermId]) -> Feasible {
        let kinds = self.kinds(conditions);
        if !kinds.contains(&Kind::Truths) || kinds.contains(&Kind::Both) {
            return self.solve(conditions);
        }
        let of = |kind: Kind| -> Vec<TermId> {
            let both = conditions.iter().zip(&kinds);
            let of_kind = both.filter(|(_, other)| **other == kind);
            of_kind.map(|(&condition, _)| condition).collect()
        };
        let (truths, numbers) = (of(Kind::Truths), of(Kind::Numbers));
        let found = match self.find_truths(&truths, &Assignment::default()) {
            Found::Truths(found) => found,
            Found::None => return Feasible::Never,
            Found::Unknown => return self.solve(conditions),
        };
        let mut model = match numbers.is_empty() {
            true => Assignment::default(),
            false => match self.solve(&numbers) {
                Feasible::With(found) => {
                    let mut model = Assignment::default();
                    self.add(&mut model, &found, &numbers);
                    model
                }
                other => return other,
            },
        };
        model.extend(found.iter().map(|(name, value)| (name, Value::Bool(value))));
        Feasible::With(model)
    }

    /// Whether another condition can hold together with those that hold in a model.
    pub fn check_also(
        &mut self,
        conditions: &[TermId],
        also: TermId,
        model: &Assignment,
    ) -> Feasible {
        let kinds = self.kinds(conditions);
        let kind = self.kind(also);
        let first = [also].into_iter();
        // Where something was not decided before, the model may not be one.
        if self.unknown > 0 || kind == Kind::Both || kinds.contains(&Kind::Both) {
            let all: Vec<TermId> = first.chain(conditions.iter().copied()).collect();
            return self.check(&all);
        }
        let alike = conditions.iter().zip(&kinds);
        let alike = alike.filter(|(_, other)| **other == kind);
        let concerned: Vec<TermId> = first
            .chain(alike.map(|(&condition, _)| condition))
            .collect();
        if kind == Kind::Truths {
            match self.find_truths(&concerned, model) {
                Found::None => return Feasible::Never,
                Found::Unknown => {}
                Found::Truths(found) => {
                    let mut model = model.clone();
                    let found = found.iter();
                    model.extend(found.map(|(name, value)| (name, Value::Bool(value))));
                    return Feasible::With(model);
                }
            }
        }
        match self.solve(&concerned) {
            Feasible::With(found) => {
                let mut model = model.clone();
                self.add(&mut model, &found, &concerned);
                Feasible::With(model)
            }
            other => other,
        }
    }

    /// Adds what a model says about the variables of some conditions. The solver may have given one
    /// that it knew from another question, with values for others.
    fn add(&mut self, model: &mut Assignment, found: &Assignment, conditions: &[TermId]) {
        for &condition in conditions {
            for name in &self.mentioned(condition).names {
                let value = found.get(name).copied();
                let sort = self.terms.variable(*name).sort;
                model.insert(*name, value.unwrap_or_else(|| Value::default_of(sort)));
            }
        }
    }

    fn kinds(&mut self, conditions: &[TermId]) -> Vec<Kind> {
        let kinds = conditions.iter();
        kinds.map(|&condition| self.kind(condition)).collect()
    }

    fn find_truths(&mut self, conditions: &[TermId], preferred: &Assignment) -> Found {
        let mentioned: Vec<Rc<Mentioned>> = (conditions.iter())
            .map(|&condition| self.mentioned(condition))
            .collect();
        let conditions: Vec<(TermId, &[VarId])> = (conditions.iter().zip(&mentioned))
            .map(|(&condition, mentioned)| (condition, &*mentioned.names))
            .collect();
        let preferred = |name| preferred.get(&name) == Some(&Value::Bool(true));
        truths::find(&self.terms, &conditions, preferred)
    }

    fn solve(&mut self, conditions: &[TermId]) -> Feasible {
        self.calls += 1;
        match self.solver.check(&mut self.terms, conditions) {
            ArithAnswer::Sat(model) => Feasible::With(model),
            ArithAnswer::Unsat(_) => Feasible::Never,
            ArithAnswer::Unknown(_) => {
                self.unknown += 1;
                Feasible::Perhaps
            }
        }
    }

    /// A number of a model.
    pub fn value(&self, model: &Assignment, name: VarId) -> Value {
        let known = model.get(&name).copied();
        known.unwrap_or_else(|| Value::default_of(self.terms.variable(name).sort))
    }
}
