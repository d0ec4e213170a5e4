//! The layer that substitutes what is known.
//!
//! Equalities that determine a variable (`x = t` with coefficient one, known booleans, equal
//! floats) are used up: the variable is replaced everywhere and gets its value back from the
//! answer of the next layer. Conjunctions are taken apart and terms folded, until nothing
//! changes.

use heapwright_logic::{Linear, Sort, Substitution, Term, TermId, Terms, Value, VarId};
use rustc_hash::FxHashSet;

use super::evaluate::value;
use super::fold::fold;
use super::interval::{Interval, interval_of};
use super::order::subterms_first;
use super::reasons::{Derived, Reasons, original_core};
use super::statistics::Statistics;
use super::{ArithAnswer, Arithmetic, Assignment};

/// Rounds of substitution; each solves as many equations as do not depend on each other.
const MAX_ROUNDS: usize = 64;

/// Substitutes and folds before asking the next layer.
pub struct Simplify<A> {
    inner: A,
    statistics: Statistics,
}

impl<A: Arithmetic> Simplify<A> {
    /// Around another layer.
    pub fn new(inner: A) -> Self {
        Simplify {
            inner,
            statistics: Statistics::default(),
        }
    }
}

impl<A: Arithmetic> Arithmetic for Simplify<A> {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        let mut question = Question::new(terms, conjuncts);
        question.solve(terms);
        if let Some(reasons) = question.contradiction {
            self.statistics.simplified += 1;
            return ArithAnswer::Unsat(reasons.select(conjuncts));
        }
        let remaining: Vec<_> = question.derived.iter().map(|item| item.formula).collect();
        let outcome = if remaining.is_empty() {
            self.statistics.simplified += 1;
            ArithAnswer::Sat(Assignment::default())
        } else {
            self.inner.check(terms, &remaining)
        };
        match outcome {
            ArithAnswer::Sat(assignment) => match question.complete(terms, assignment) {
                Some(assignment) => ArithAnswer::Sat(assignment),
                None => ArithAnswer::Unknown("a value beyond 128 bits".to_owned()),
            },
            ArithAnswer::Unsat(core) => {
                ArithAnswer::Unsat(original_core(&question.derived, &core, conjuncts))
            }
            unknown => unknown,
        }
    }

    fn suggest(&mut self, values: &Assignment) {
        self.inner.suggest(values);
    }

    fn add_statistics(&self, total: &mut Statistics) {
        total.add(&self.statistics);
        self.inner.add_statistics(total);
    }
}

/// A variable and the term that it is equal to.
struct Definition {
    variable: VarId,
    term: TermId,
    reasons: Reasons,
}

/// A question on its way to a simpler one.
struct Question {
    derived: Vec<Derived>,
    /// In the order in which they were found: later ones do not mention earlier variables.
    solved: Vec<(VarId, TermId)>,
    contradiction: Option<Reasons>,
}

impl Question {
    fn new(terms: &mut Terms, conjuncts: &[TermId]) -> Question {
        let mut question = Question {
            derived: Vec::with_capacity(conjuncts.len()),
            solved: Vec::new(),
            contradiction: None,
        };
        for (position, &conjunct) in conjuncts.iter().enumerate() {
            let formula = fold(terms, conjunct);
            question.add(terms, formula, Reasons::of(position));
        }
        question
    }

    /// Adds a conjunct, taken apart if it is a conjunction.
    fn add(&mut self, terms: &Terms, formula: TermId, reasons: Reasons) {
        match terms.get(formula) {
            Term::Bool(true) => {}
            Term::Bool(false) => {
                self.contradiction.get_or_insert(reasons);
            }
            // Conjunctions are flat, so this does not go deeper.
            Term::And(list) => {
                for &formula in list {
                    self.add_once(formula, reasons);
                }
            }
            _ => self.add_once(formula, reasons),
        }
    }

    fn add_once(&mut self, formula: TermId, reasons: Reasons) {
        if self.derived.iter().all(|item| item.formula != formula) {
            self.derived.push(Derived { formula, reasons });
        }
    }

    fn solve(&mut self, terms: &mut Terms) {
        for _ in 0..MAX_ROUNDS {
            if self.contradiction.is_some() {
                return;
            }
            let definitions = self.take_definitions(terms);
            if definitions.is_empty() {
                return;
            }
            self.substitute(terms, &definitions);
        }
    }

    /// Removes conjuncts that define variables; no definition mentions a variable that
    /// another one defines, so that all can be substituted at once.
    fn take_definitions(&mut self, terms: &mut Terms) -> Vec<Definition> {
        let mut defined = FxHashSet::default();
        let mut mentioned = FxHashSet::default();
        let mut definitions = Vec::new();
        let mut index = 0;
        while index < self.derived.len() {
            let Derived { formula, reasons } = self.derived[index];
            let usable =
                |variable: VarId| !defined.contains(&variable) && !mentioned.contains(&variable);
            let Some((variable, term)) = definition(terms, formula, usable) else {
                index += 1;
                continue;
            };
            let others = variables_of(terms, term);
            if others.contains(&variable) || others.iter().any(|other| defined.contains(other)) {
                index += 1;
                continue;
            }
            defined.insert(variable);
            mentioned.extend(others);
            definitions.push(Definition {
                variable,
                term,
                reasons,
            });
            self.derived.remove(index);
        }
        definitions
    }

    fn substitute(&mut self, terms: &mut Terms, definitions: &[Definition]) {
        let substitution: Substitution = (definitions.iter())
            .map(|definition| (definition.variable, definition.term))
            .collect();
        for Derived { formula, reasons } in std::mem::take(&mut self.derived) {
            let replaced = terms.substitute(formula, &substitution);
            if replaced == formula {
                self.add_once(formula, reasons);
                continue;
            }
            let variables = variables_of(terms, formula);
            let reasons = (definitions.iter())
                .filter(|definition| variables.contains(&definition.variable))
                .fold(reasons, |all, definition| all.and(definition.reasons));
            let folded = fold(terms, replaced);
            self.add(terms, folded, reasons);
        }
        for definition in definitions {
            self.keep_range(terms, definition);
            self.solved.push((definition.variable, definition.term));
        }
    }

    /// A machine integer that is replaced leaves its range behind.
    fn keep_range(&mut self, terms: &mut Terms, definition: &Definition) {
        let Sort::Machine(ty) = terms.variable(definition.variable).sort else {
            return;
        };
        if static_interval(terms, definition.term).within(Interval::of_type(ty)) {
            return;
        }
        let (low, high) = (terms.int(ty.min()), terms.int(ty.max()));
        let bounds = [
            terms.le(low, definition.term),
            terms.le(definition.term, high),
        ];
        for bound in bounds {
            self.add(terms, bound, definition.reasons);
        }
    }

    /// Gives the substituted variables their values.
    fn complete(&self, terms: &Terms, mut assignment: Assignment) -> Option<Assignment> {
        for &(variable, term) in self.solved.iter().rev() {
            let value = value(terms, &assignment, term)?;
            assignment.insert(variable, value);
            // Variables that the definition mentions get their defaults written down.
            for mentioned in variables_of(terms, term) {
                let sort = terms.variable(mentioned).sort;
                assignment
                    .entry(mentioned)
                    .or_insert_with(|| Value::default_of(sort));
            }
        }
        Some(assignment)
    }
}

/// The variables of a term.
fn variables_of(terms: &Terms, term: TermId) -> FxHashSet<VarId> {
    (subterms_first(terms, [term], |_| false).into_iter())
        .filter_map(|term| terms.as_var(term))
        .collect()
}

/// The values a term can take, from the sorts of its variables alone.
fn static_interval(terms: &Terms, term: TermId) -> Interval {
    let mut intervals = rustc_hash::FxHashMap::default();
    for term in subterms_first(terms, [term], |_| false) {
        let of = |child: TermId| intervals.get(&child).copied().unwrap_or(Interval::ALL);
        let interval = interval_of(terms, term, of);
        intervals.insert(term, interval);
    }
    intervals[&term]
}

/// A variable that a conjunct determines, and the term it must be equal to.
fn definition(
    terms: &mut Terms,
    formula: TermId,
    usable: impl Fn(VarId) -> bool,
) -> Option<(VarId, TermId)> {
    match terms.get(formula) {
        Term::Var(variable) if usable(*variable) => Some((*variable, Terms::TRUE)),
        Term::Not(inner) => match terms.get(*inner) {
            Term::Var(variable) if usable(*variable) => Some((*variable, Terms::FALSE)),
            _ => None,
        },
        Term::Eq(a, b) => match (terms.as_var(*a), terms.as_var(*b)) {
            (Some(variable), _) if usable(variable) => Some((variable, *b)),
            (_, Some(variable)) if usable(variable) => Some((variable, *a)),
            _ => None,
        },
        Term::IsZero(linear) => {
            let linear = linear.clone();
            let (term, coefficient) = determined(terms, &linear, usable)?;
            let variable = terms.as_var(term)?;
            // x + rest = 0 means x = -rest; -x + rest = 0 means x = rest.
            let rest = Linear {
                constant: linear.constant,
                summands: (linear.summands.iter().copied())
                    .filter(|&(summand, _)| summand != term)
                    .collect(),
            };
            let solution = rest.scale(-coefficient)?;
            Some((variable, terms.linear(solution)))
        }
        _ => None,
    }
}

/// The summand to solve an equation for: mathematical integers first, because machine
/// integers leave their range behind.
fn determined(
    terms: &Terms,
    linear: &Linear,
    usable: impl Fn(VarId) -> bool,
) -> Option<(TermId, i128)> {
    let candidates = (linear.summands.iter()).filter(|&&(term, coefficient)| {
        matches!(coefficient, 1 | -1) && terms.as_var(term).is_some_and(&usable)
    });
    candidates
        .min_by_key(|&&(term, _)| (terms.sort(term) != Sort::Int, std::cmp::Reverse(term)))
        .copied()
}
