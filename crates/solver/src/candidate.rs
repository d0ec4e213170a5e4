//! What a search finds: derivations, with or without values, and the models they stand for.

use heapwright_logic::{Model, SymbolicHeap, Terms};

use crate::answer::Reason;
use crate::arith::{ArithAnswer, Assignment};
use crate::model::{Parts, Plan, References, Scalars, Skeleton, adopt, equations, resembling};
use crate::numeric::counting::Counting;
use crate::rules::Rule;
use crate::solver::Solver;

/// What the search found.
pub enum Found {
    /// A derivation whose arithmetic is solved.
    Model(Box<Rule>, Box<Candidate>),
    /// A derivation, known to exist but not built.
    Derivable(Box<Rule>, Derivable),
    /// There is no model.
    Nothing,
    /// Not decided.
    Unknown(Reason),
}

impl Found {
    /// The number of cells of what was found.
    pub fn cells(&self, solver: &Solver) -> u32 {
        let (rule, below) = match self {
            Found::Model(rule, candidate) => return candidate.cells(solver, rule),
            Found::Derivable(rule, Derivable::Pairs(pairs)) => (rule, pairs),
            _ => return u32::MAX,
        };
        let sizes = (rule.children.iter().zip(below))
            .map(|(child, &pair)| solver.decisions.of(child.predicate).sizes[pair as usize]);
        sizes.fold(rule.allocated.len() as u32, u32::saturating_add)
    }
}

/// A derivation that is known to be satisfiable.
pub enum Derivable {
    /// Any derivation with these base pairs will do.
    Pairs(Vec<u32>),
    /// A derivation that uses each production as often as counted: for each child its base
    /// pair, the grammar, and the counts.
    Counts(Vec<(u32, Counting, Vec<u64>)>),
}

/// A derivation with values.
pub struct Candidate {
    skeleton: Skeleton,
    scalars: Scalars,
    assignment: Assignment,
}

impl Candidate {
    /// Solves the arithmetic of a derivation; nothing if it has no solution.
    pub fn solve(
        solver: &mut Solver,
        terms: &mut Terms,
        question: &Rule,
        skeleton: Skeleton,
    ) -> Result<Option<Candidate>, Reason> {
        let Solver {
            grammar,
            arith,
            pool,
            suggested,
            ..
        } = solver;
        let scalars = Scalars::collect(terms, pool, grammar, question, &skeleton);
        let suggested = (!suggested.is_empty())
            .then(|| resembling(terms, grammar, question, &skeleton, &scalars, suggested));
        if let Some(suggested) = &suggested {
            arith.suggest(suggested);
        }
        match equations::check(arith.as_mut(), terms, &scalars.conjuncts) {
            ArithAnswer::Sat(mut assignment) => {
                if let Some(suggested) = &suggested {
                    adopt(terms, &scalars.conjuncts, suggested, &mut assignment);
                }
                Ok(Some(Candidate {
                    skeleton,
                    scalars,
                    assignment,
                }))
            }
            ArithAnswer::Unsat(_) => Ok(None),
            ArithAnswer::Unknown(reason) => Err(Reason::Arithmetic(reason)),
        }
    }

    /// Whether all rules used say all that their disjuncts say.
    pub fn is_exact(&self, solver: &Solver, question: &Rule) -> bool {
        (0..self.skeleton.steps.len())
            .all(|step| self.skeleton.rule_of(step, &solver.grammar, question).exact)
    }

    fn cells(&self, solver: &Solver, question: &Rule) -> u32 {
        (0..self.skeleton.steps.len())
            .map(|step| self.skeleton.rule_of(step, &solver.grammar, question))
            .map(|rule| rule.allocated.len() as u32)
            .sum()
    }

    /// The model that the candidate stands for.
    pub fn model(
        &self,
        solver: &Solver,
        terms: &mut Terms,
        heap: &SymbolicHeap,
        question: &Rule,
    ) -> Result<Model, Reason> {
        let references = References::solve(&solver.grammar, question, &self.skeleton);
        let parts = Parts {
            definitions: &solver.definitions,
            grammar: &solver.grammar,
            question,
            skeleton: &self.skeleton,
            references: &references,
            scalars: &self.scalars,
            assignment: &self.assignment,
        };
        parts.model(terms, heap).ok_or(Reason::ModelTooLarge)
    }
}

impl Solver {
    /// Builds the model of a derivation that is known to exist.
    pub(crate) fn build(
        &mut self,
        terms: &mut Terms,
        heap: &SymbolicHeap,
        question: &Rule,
        derivation: &Derivable,
    ) -> Result<Model, Reason> {
        let plan = Plan {
            grammar: &self.grammar,
            question,
            limit: self.config.steps,
        };
        let skeleton = match derivation {
            Derivable::Pairs(chosen) => Skeleton::smallest(plan, &self.decisions, chosen),
            Derivable::Counts(counted) => Skeleton::from_counts(plan, &self.derivations, counted),
        };
        let skeleton = skeleton.map_err(|_| Reason::ModelTooLarge)?;
        match Candidate::solve(self, terms, question, skeleton)? {
            Some(candidate) => candidate.model(self, terms, heap, question),
            None => Err(Reason::ModelTooLarge),
        }
    }
}
