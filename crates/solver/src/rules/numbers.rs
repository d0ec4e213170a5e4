//! The arithmetic of a rule as a small linear system over numbered variables.
//!
//! Booleans take part as 0 and 1, and so do choices between two numbers by a boolean. What is not
//! linear stays out of the system, which then says less than the rule.

use std::collections::BTreeSet;

use heapwright_logic::{Linear, Sort, Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::Rule;

/// How deep the condition of a choice may nest.
const CONDITION_DEPTH: u32 = 8;

/// `constant + Σ coefficient * variable`, over variables of one [`Numbers`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// The constant.
    pub constant: i128,
    /// The other summands, by variable.
    pub summands: Vec<(usize, i128)>,
}

impl Sum {
    /// A single variable.
    pub fn variable(index: usize) -> Sum {
        Sum {
            constant: 0,
            summands: vec![(index, 1)],
        }
    }

    /// `self + factor * other`, if the numbers fit.
    pub fn plus(&self, other: &Sum, factor: i128) -> Option<Sum> {
        let mut sum = self.clone();
        sum.constant = (sum.constant).checked_add(other.constant.checked_mul(factor)?)?;
        for &(variable, coefficient) in &other.summands {
            let added = coefficient.checked_mul(factor)?;
            match sum
                .summands
                .iter_mut()
                .find(|(known, _)| *known == variable)
            {
                Some((_, known)) => *known = known.checked_add(added)?,
                None => sum.summands.push((variable, added)),
            }
        }
        sum.summands.retain(|&(_, coefficient)| coefficient != 0);
        Some(sum)
    }

    /// `self - other`, if the numbers fit.
    pub fn minus(&self, other: &Sum) -> Option<Sum> {
        self.plus(other, -1)
    }

    /// What is left of the sum after putting in the solutions of equations (sums that are zero);
    /// nothing if a number does not fit. Only variables with coefficient ±1 are solved for.
    pub fn modulo(&self, equations: &[Sum]) -> Option<Sum> {
        let mut rest = self.clone();
        let mut equations = equations.to_vec();
        while let Some(pivot) = equations.pop() {
            let Some(&(variable, sign)) = (pivot.summands.iter()).find(|(_, c)| c.abs() == 1)
            else {
                continue;
            };
            for sum in equations.iter_mut().chain([&mut rest]) {
                let factor = sum.coefficient(variable).checked_mul(-sign)?;
                if factor != 0 {
                    *sum = sum.plus(&pivot, factor)?;
                }
            }
        }
        Some(rest)
    }

    /// The coefficient of a variable.
    pub fn coefficient(&self, variable: usize) -> i128 {
        let mut summands = self.summands.iter();
        summands
            .find(|(known, _)| *known == variable)
            .map_or(0, |&(_, coefficient)| coefficient)
    }

    /// The value under a total assignment to the variables that occur, if it fits.
    pub fn evaluate(&self, values: &[Option<i128>]) -> Option<i128> {
        self.summands
            .iter()
            .try_fold(self.constant, |sum, &(variable, coefficient)| {
                sum.checked_add(coefficient.checked_mul(values[variable]?)?)
            })
    }
}

/// A conjunction of constraints, as one alternative of several.
#[derive(Clone, Debug, Default)]
pub struct Alternative {
    /// Sums that are zero.
    pub zero: Vec<Sum>,
    /// Sums that are at most zero.
    pub at_most_zero: Vec<Sum>,
    /// Sums that are not zero.
    pub not_zero: Vec<Sum>,
}

/// The linear system of a rule.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// The variables, head parameters first.
    pub variables: Vec<VarId>,
    /// Number of head parameters.
    pub params: usize,
    /// Sums that are zero.
    pub zero: Vec<Sum>,
    /// Sums that are at most zero.
    pub at_most_zero: Vec<Sum>,
    /// Sums that are not zero.
    pub not_zero: Vec<Sum>,
    /// Lists of alternatives of which one must hold.
    pub clauses: Vec<Vec<Alternative>>,
    /// For each child its scalar arguments; nothing where an argument is not linear.
    pub children: Vec<Vec<Option<Sum>>>,
    /// Whether the system without its clauses says all that the rule says (machine ranges
    /// aside).
    pub exact: bool,
    /// Whether the whole system does.
    pub linear: bool,
}

impl Numbers {
    /// The system of `rule`, whose head has these scalar parameters.
    pub fn compile(terms: &Terms, rule: &Rule, params: &[VarId]) -> Numbers {
        let mut compiler = Compiler::new(terms, params, &rule.scalars);
        compiler.numbers.exact &= rule.exact;
        compiler.numbers.linear &= rule.exact;
        for child in &rule.children {
            let args = child.scalars.iter().map(|&arg| compiler.sum(arg)).collect();
            compiler.numbers.children.push(args);
        }
        compiler.finish()
    }

    /// The system of a list of literals.
    pub fn of_literals(terms: &Terms, literals: &[TermId]) -> Numbers {
        Compiler::new(terms, &[], literals).finish()
    }
}

struct Compiler<'a> {
    terms: &'a Terms,
    index: FxHashMap<VarId, usize>,
    /// Booleans that decide which of two numbers something is.
    deciding: BTreeSet<usize>,
    numbers: Numbers,
}

impl<'a> Compiler<'a> {
    fn new(terms: &'a Terms, params: &[VarId], literals: &[TermId]) -> Self {
        let mut compiler = Compiler {
            terms,
            index: FxHashMap::default(),
            deciding: BTreeSet::new(),
            numbers: Numbers {
                params: params.len(),
                exact: true,
                linear: true,
                ..Numbers::default()
            },
        };
        for &param in params {
            compiler.variable(param);
        }
        for &literal in literals {
            match terms.get(literal) {
                Term::Or(list) => {
                    compiler.numbers.exact = false;
                    let clause = list
                        .iter()
                        .map(|&term| compiler.alternative(term))
                        .collect();
                    compiler.numbers.clauses.push(clause);
                }
                _ if compiler.literal(literal).is_none() => {
                    compiler.numbers.exact = false;
                    compiler.numbers.linear = false;
                }
                _ => {}
            }
        }
        compiler
    }

    fn variable(&mut self, variable: VarId) -> usize {
        *self.index.entry(variable).or_insert_with(|| {
            self.numbers.variables.push(variable);
            self.numbers.variables.len() - 1
        })
    }

    /// The system, with what is known about the booleans that are summands.
    fn finish(mut self) -> Numbers {
        for variable in std::mem::take(&mut self.deciding) {
            for (constant, sign) in [(0, -1), (-1, 1)] {
                self.numbers.at_most_zero.push(Sum {
                    constant,
                    summands: vec![(variable, sign)],
                });
            }
        }
        self.numbers
    }

    fn linear(&mut self, linear: &Linear) -> Option<Sum> {
        let mut sum = Sum {
            constant: linear.constant,
            summands: Vec::with_capacity(linear.summands.len()),
        };
        for &(term, coefficient) in &linear.summands {
            sum = match self.terms.as_var(term) {
                Some(variable) => {
                    let variable = self.variable(variable);
                    sum.plus(&Sum::variable(variable), coefficient)?
                }
                None => sum.plus(&self.choice(term)?, coefficient)?,
            };
        }
        Some(sum)
    }

    /// A choice between two constants, linear in the value of its condition.
    fn choice(&mut self, term: TermId) -> Option<Sum> {
        let &Term::Ite(condition, then, otherwise) = self.terms.get(term) else {
            return None;
        };
        let (then, otherwise) = (self.constant(then)?, self.constant(otherwise)?);
        // A boolean is more than a number between 0 and 1 is.
        (self.numbers.exact, self.numbers.linear) = (false, false);
        let truth = self.truth(condition, CONDITION_DEPTH)?;
        let base = Sum {
            constant: otherwise,
            summands: Vec::new(),
        };
        base.plus(&truth, then.checked_sub(otherwise)?)
    }

    fn constant(&self, term: TermId) -> Option<i128> {
        match self.terms.get(term) {
            Term::Linear(linear) if linear.summands.is_empty() => Some(linear.constant),
            _ => None,
        }
    }

    /// 1 if a condition holds, and 0 if it does not.
    fn truth(&mut self, condition: TermId, depth: u32) -> Option<Sum> {
        let depth = depth.checked_sub(1)?;
        match self.terms.get(condition) {
            Term::Bool(_) => self.sum(condition),
            Term::Var(variable) => {
                let variable = self.variable(*variable);
                self.deciding.insert(variable);
                Some(Sum::variable(variable))
            }
            Term::Not(inner) => self.truth(*inner, depth).and_then(|inner| not(&inner)),
            Term::IsZero(linear) => self.test(linear, |value| value == 0, depth),
            Term::AtMostZero(linear) => self.test(linear, |value| value <= 0, depth),
            _ => None,
        }
    }

    /// The same for a condition on a choice between two constants, as languages without booleans
    /// have it: `(b ? 1 : 0) != 0`.
    fn test(&mut self, linear: &Linear, holds: fn(i128) -> bool, depth: u32) -> Option<Sum> {
        let [(term, coefficient)] = linear.summands[..] else {
            return None;
        };
        let &Term::Ite(condition, then, otherwise) = self.terms.get(term) else {
            return None;
        };
        let case = |value: i128| {
            let product = coefficient.checked_mul(value)?;
            Some(holds(linear.constant.checked_add(product)?))
        };
        let then = case(self.constant(then)?)?;
        let otherwise = case(self.constant(otherwise)?)?;
        match (then, otherwise) {
            (true, false) => self.truth(condition, depth),
            (false, true) => (self.truth(condition, depth)).and_then(|truth| not(&truth)),
            (always, _) => Some(Sum {
                constant: i128::from(always),
                summands: Vec::new(),
            }),
        }
    }

    /// An integer or boolean argument.
    fn sum(&mut self, term: TermId) -> Option<Sum> {
        match self.terms.get(term) {
            Term::Bool(value) => Some(Sum {
                constant: i128::from(*value),
                summands: Vec::new(),
            }),
            Term::Var(variable) if !matches!(self.terms.sort(term), Sort::Float(_)) => {
                Some(Sum::variable(self.variable(*variable)))
            }
            Term::Linear(linear) => self.linear(linear),
            Term::Not(inner) => {
                let inner = self.terms.as_var(*inner)?;
                let variable = self.variable(inner);
                Some(Sum {
                    constant: 1,
                    summands: vec![(variable, -1)],
                })
            }
            _ => None,
        }
    }

    /// One alternative of a disjunction. What is not linear is left out.
    fn alternative(&mut self, term: TermId) -> Alternative {
        let literals = match self.terms.get(term) {
            Term::And(list) => list.clone(),
            _ => vec![term],
        };
        let outside = [
            std::mem::take(&mut self.numbers.zero),
            std::mem::take(&mut self.numbers.at_most_zero),
            std::mem::take(&mut self.numbers.not_zero),
        ];
        for literal in literals {
            if self.literal(literal).is_none() {
                self.numbers.linear = false;
            }
        }
        let [zero, at_most_zero, not_zero] = outside;
        Alternative {
            zero: std::mem::replace(&mut self.numbers.zero, zero),
            at_most_zero: std::mem::replace(&mut self.numbers.at_most_zero, at_most_zero),
            not_zero: std::mem::replace(&mut self.numbers.not_zero, not_zero),
        }
    }

    fn literal(&mut self, literal: TermId) -> Option<()> {
        match self.terms.get(literal) {
            Term::Bool(true) => {}
            Term::AtMostZero(linear) => {
                let sum = self.linear(linear)?;
                self.numbers.at_most_zero.push(sum);
            }
            Term::IsZero(linear) => {
                let sum = self.linear(linear)?;
                self.numbers.zero.push(sum);
            }
            Term::Var(variable) => {
                let index = self.variable(*variable);
                self.numbers.zero.push(Sum {
                    constant: -1,
                    summands: vec![(index, 1)],
                });
            }
            Term::Eq(a, b) if self.terms.sort(*a) == Sort::Bool => {
                let difference = self.difference(*a, *b)?;
                self.numbers.zero.push(difference);
            }
            Term::Not(inner) => match self.terms.get(*inner) {
                Term::Var(variable) => {
                    let index = self.variable(*variable);
                    self.numbers.zero.push(Sum::variable(index));
                }
                Term::IsZero(linear) => {
                    let sum = self.linear(linear)?;
                    self.numbers.not_zero.push(sum);
                }
                Term::Eq(a, b) if self.terms.sort(*a) == Sort::Bool => {
                    let difference = self.difference(*a, *b)?;
                    self.numbers.not_zero.push(difference);
                }
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    fn difference(&mut self, a: TermId, b: TermId) -> Option<Sum> {
        let (a, b) = (self.sum(a)?, self.sum(b)?);
        a.minus(&b)
    }
}

/// The value of a negation.
fn not(truth: &Sum) -> Option<Sum> {
    let one = Sum {
        constant: 1,
        summands: Vec::new(),
    };
    one.minus(truth)
}
