//! What a disjunct needed, and what the heap has instead.

use std::rc::Rc;

use crate::definitions::Definitions;
use crate::heap::{Loc, Value};
use crate::print::Printer;
use crate::symbolic_heap::PointsTo;
use crate::term::{TermId, Terms, VarId};

use super::constraint::Environment;
use super::linear::Unknown;
use super::mismatch::Need;

/// Where a constraint comes from.
#[derive(Clone, Debug)]
pub(super) enum Origin<'a> {
    /// A conjunct of the pure part.
    Condition {
        term: TermId,
        environment: Rc<Environment>,
    },
    /// The pure parts of disjuncts that share their spatial part, with their numbers.
    Alternatives {
        pure: Vec<(usize, &'a [TermId], Rc<Environment>)>,
    },
    /// A field of a cell.
    Field {
        points_to: &'a PointsTo,
        field: usize,
        loc: Loc,
        found: Value,
    },
    /// A cell is needed at an address that has none left.
    Cell {
        points_to: &'a PointsTo,
        found: Option<Value>,
        why: NoCell,
    },
    /// The value of an argument or of a guess.
    Value,
    /// The first needs what the second does not allow.
    Conflict(Box<(Origin<'a>, Origin<'a>)>),
}

/// Why a points-to finds no cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum NoCell {
    NotAnAddress,
    AlreadyDescribed,
    OtherClass,
    NoneLeft,
}

/// Larger terms are not printed: nobody would read them.
const MAX_PRINTED: usize = 200;

/// A term for people.
pub(super) fn condition(terms: &Terms, definitions: &Definitions, term: TermId) -> String {
    let mut size = 0;
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        size += 1;
        if size > MAX_PRINTED {
            return "a large condition".to_owned();
        }
        stack.extend(terms.children(term));
    }
    Printer::new(terms, definitions).term(term)
}

/// The variables of a term with their values, as far as they have some.
pub(super) fn values_of(
    terms: &Terms,
    term: TermId,
    value: impl Fn(VarId) -> Option<Value>,
) -> Vec<(String, Value)> {
    let mut variables = indexmap::IndexSet::<VarId>::new();
    terms.collect_variables(term, &mut variables);
    (variables.into_iter().take(8))
        .filter_map(|variable| {
            let name = &terms.variable(variable).name;
            value(variable).map(|value| (name.clone(), value))
        })
        .collect()
}

/// Tells what origins need.
pub(super) struct Narrator<'a, K> {
    pub terms: &'a Terms,
    pub definitions: &'a Definitions,
    pub known: K,
}

impl<K: Fn(Unknown) -> Option<i128>> Narrator<'_, K> {
    /// What was needed: continues a sentence such as "disjunct 2 needs".
    pub fn need(&self, origin: &Origin<'_>) -> Need {
        match origin {
            Origin::Condition { term, environment } => self.condition(*term, environment),
            Origin::Alternatives { pure } => {
                let parts = pure.iter().map(|(disjunct, conjuncts, environment)| {
                    (self.first_false(conjuncts, environment), disjunct + 1)
                });
                Need::Either(parts.collect())
            }
            Origin::Field {
                points_to,
                field,
                loc,
                found,
            } => {
                let class = self.definitions.class(points_to.class);
                let name = class.fields.get(*field).map_or("?", |field| &field.name);
                Need::Field {
                    object: *loc,
                    field: name.to_owned(),
                    expected: condition(self.terms, self.definitions, points_to.fields[*field]),
                    found: *found,
                }
            }
            Origin::Cell {
                points_to,
                found,
                why,
            } => Need::Cell {
                class: self.definitions.class(points_to.class).name.clone(),
                at: condition(self.terms, self.definitions, points_to.source),
                found: *found,
                why: match why {
                    NoCell::NotAnAddress => "which is no object of the heap",
                    NoCell::AlreadyDescribed => "which is described already",
                    NoCell::OtherClass => "which is of another class",
                    NoCell::NoneLeft => "but no object is left",
                }
                .into(),
            },
            Origin::Value => Need::Value,
            Origin::Conflict(pair) => {
                Need::Conflict(Box::new((self.need(&pair.0), self.need(&pair.1))))
            }
        }
    }

    fn condition(&self, term: TermId, environment: &Environment) -> Need {
        Need::Condition {
            text: condition(self.terms, self.definitions, term),
            values: values_of(self.terms, term, |variable| {
                environment.value(self.terms, variable, &self.known)
            }),
        }
    }

    /// The first conjunct that is false, or all of them if none is on its own.
    fn first_false(&self, conjuncts: &[TermId], environment: &Environment) -> Need {
        let mut evaluator = crate::eval::Evaluator::default();
        let false_one = conjuncts.iter().find(|&&term| {
            let value = evaluator.holds(self.terms, term, |variable| {
                environment.value(self.terms, variable, &self.known)
            });
            value == Ok(false)
        });
        match (false_one, conjuncts) {
            (Some(&term), _) => self.condition(term, environment),
            (None, []) => Need::SomethingElse,
            (None, list) => Need::All(
                (list.iter().take(4))
                    .map(|&term| self.condition(term, environment))
                    .collect(),
            ),
        }
    }
}
