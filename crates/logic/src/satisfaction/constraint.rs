//! Conditions over unknowns.

use std::rc::Rc;

use crate::heap::Value;
use crate::term::{TermId, Terms, VarId};

use super::linear::{Sum, Unknown};
use super::values::decode;

/// How a sum relates to zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    AtMostZero,
    Zero,
    NotZero,
}

impl Relation {
    pub fn holds(self, value: i128) -> bool {
        match self {
            Relation::AtMostZero => value <= 0,
            Relation::Zero => value == 0,
            Relation::NotZero => value != 0,
        }
    }
}

/// A condition over unknowns.
#[derive(Clone, Debug)]
pub(super) enum Constraint {
    Compare(Relation, Sum),
    /// All of them hold; the empty one is true.
    All(Vec<Constraint>),
    /// One of them holds; the empty one is false.
    Any(Vec<Constraint>),
    /// A term that is not linear evaluates to `expected`. Decided once all its unknowns are.
    Opaque {
        term: Closure,
        expected: bool,
    },
    /// The unknown is the value of a term that is not linear.
    Defines {
        unknown: Unknown,
        term: Closure,
    },
}

impl Constraint {
    pub const TRUE: Constraint = Constraint::All(Vec::new());
    pub const FALSE: Constraint = Constraint::Any(Vec::new());

    /// A comparison, decided at once if nothing in it is unknown.
    pub fn compare(relation: Relation, sum: Sum) -> Constraint {
        match (sum.summands.is_empty(), relation.holds(sum.constant)) {
            (true, true) => Constraint::TRUE,
            (true, false) => Constraint::FALSE,
            (false, _) => Constraint::Compare(relation, sum),
        }
    }

    pub fn all(list: Vec<Constraint>) -> Constraint {
        let mut rest = Vec::new();
        for part in list {
            match part {
                Constraint::All(inner) => rest.extend(inner),
                Constraint::Any(inner) if inner.is_empty() => return Constraint::FALSE,
                other => rest.push(other),
            }
        }
        match rest.len() {
            1 => rest.remove(0),
            _ => Constraint::All(rest),
        }
    }

    pub fn any(list: Vec<Constraint>) -> Constraint {
        let mut rest = Vec::new();
        for part in list {
            match part {
                Constraint::Any(inner) => rest.extend(inner),
                Constraint::All(inner) if inner.is_empty() => return Constraint::TRUE,
                other => rest.push(other),
            }
        }
        match rest.len() {
            1 => rest.remove(0),
            _ => Constraint::Any(rest),
        }
    }

    /// Adds the unknowns that the constraint depends on. Constraints are as deep as the
    /// translation allows, so recursion is bounded here and below.
    pub fn unknowns(&self, terms: &Terms, into: &mut Vec<Unknown>) {
        match self {
            Constraint::Compare(_, sum) => into.extend(sum.summands.iter().map(|entry| entry.0)),
            Constraint::All(list) | Constraint::Any(list) => {
                for part in list {
                    part.unknowns(terms, into);
                }
            }
            Constraint::Opaque { term, .. } => into.extend(term.unknowns(terms)),
            Constraint::Defines { unknown, term } => {
                into.push(*unknown);
                into.extend(term.unknowns(terms));
            }
        }
    }
}

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// A value, encoded.
    Known(i128),
    /// Something not determined yet.
    Unknown(Unknown),
}

/// The variables of one disjunct of one step, sorted for lookup.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment(Vec<(VarId, Slot)>);

impl Environment {
    /// Later entries for the same variable are dropped.
    pub fn new(mut entries: Vec<(VarId, Slot)>) -> Self {
        entries.sort_by_key(|entry| entry.0);
        entries.dedup_by_key(|entry| entry.0);
        Environment(entries)
    }

    pub fn get(&self, variable: VarId) -> Option<Slot> {
        let found = self.0.binary_search_by_key(&variable, |entry| entry.0);
        found.ok().map(|index| self.0[index].1)
    }

    /// The value of a variable, given those of the unknowns.
    pub fn value(
        &self,
        terms: &Terms,
        variable: VarId,
        known: impl Fn(Unknown) -> Option<i128>,
    ) -> Option<Value> {
        let code = match self.get(variable)? {
            Slot::Known(code) => code,
            Slot::Unknown(unknown) => known(unknown)?,
        };
        decode(code, terms.variable(variable).sort)
    }
}

/// A term with the environment that it is to be evaluated in.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    pub term: TermId,
    pub environment: Rc<Environment>,
}

impl Closure {
    /// The unknowns behind the variables of the term.
    pub fn unknowns(&self, terms: &Terms) -> Vec<Unknown> {
        let mut variables = indexmap::IndexSet::<VarId>::new();
        terms.collect_variables(self.term, &mut variables);
        (variables.into_iter())
            .filter_map(|variable| match self.environment.get(variable) {
                Some(Slot::Unknown(unknown)) => Some(unknown),
                _ => None,
            })
            .collect()
    }
}
