//! The arithmetic of a skeleton: its constraints, and the terms that stand for its scalars.

use heapwright_logic::{Substitution, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::skeleton::Skeleton;
use crate::rules::{Contents, Grammar, Rule};

/// The variables that stand for quantified scalars, by step and original.
///
/// They are the same from derivation to derivation, so that derivations with common parts have
/// common constraints, and the store of terms does not grow with every attempt.
#[derive(Debug, Default)]
pub struct VariablePool {
    variables: FxHashMap<(u32, VarId), VarId>,
}

impl VariablePool {
    fn variable(&mut self, terms: &mut Terms, step: usize, original: VarId) -> VarId {
        let entry = self.variables.entry((step as u32, original));
        *entry.or_insert_with(|| terms.fresh_like(original))
    }
}

/// The scalar part of a derivation with all instances unfolded.
#[derive(Debug)]
pub struct Scalars {
    /// For each step: what its parameters and quantified variables stand for.
    pub frames: Vec<Substitution>,
    /// Everything that must hold.
    pub conjuncts: Vec<TermId>,
}

impl Scalars {
    /// The scalars of a derivation that says nothing about them.
    pub fn none(skeleton: &Skeleton) -> Scalars {
        Scalars {
            frames: vec![Substitution::default(); skeleton.steps.len()],
            conjuncts: Vec::new(),
        }
    }

    /// Collects the constraints. Variables of the question stand for themselves, all others
    /// are renamed apart.
    pub fn collect(
        terms: &mut Terms,
        pool: &mut VariablePool,
        grammar: &Grammar,
        question: &Rule,
        skeleton: &Skeleton,
    ) -> Scalars {
        let mut scalars = Scalars::none(skeleton);
        for step in 0..skeleton.steps.len() {
            let rule = skeleton.rule_of(step, grammar, question);
            if skeleton.steps[step].rule.is_some() {
                for place in &rule.exists {
                    if let Contents::Scalar(variable) = *place {
                        let fresh = pool.variable(terms, step, variable);
                        let fresh = terms.var(fresh);
                        scalars.frames[step].insert(variable, fresh);
                    }
                }
            }
            for &literal in &rule.scalars {
                let literal = terms.substitute(literal, &scalars.frames[step]);
                if literal != Terms::TRUE {
                    scalars.conjuncts.push(literal);
                }
            }
            let first = skeleton.steps[step].first_child as usize;
            for (child, below) in rule.children.iter().zip(first..) {
                let params = grammar.scalar_params(child.predicate);
                for (&param, &arg) in params.iter().zip(&child.scalars) {
                    let arg = terms.substitute(arg, &scalars.frames[step]);
                    scalars.frames[below].insert(param, arg);
                }
            }
        }
        scalars
    }

    /// The term that a scalar of a step stands for.
    pub fn term(&self, terms: &mut Terms, step: usize, term: TermId) -> TermId {
        terms.substitute(term, &self.frames[step])
    }

    /// The term that a variable of a step stands for.
    pub fn variable(&self, terms: &mut Terms, step: usize, variable: VarId) -> TermId {
        match self.frames[step].get(&variable) {
            Some(&term) => term,
            None => terms.var(variable),
        }
    }
}
