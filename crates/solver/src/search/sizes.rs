//! The stages that look for models by number of cells.

use super::Search;
use super::branch::{Branch, Choice};
use crate::answer::Reason;
use crate::candidate::{Candidate, Found};
use crate::model::{Plan, Skeleton};
use crate::numeric::combination::Combinations;
use crate::rules::Rule;
use crate::solver::Solver;

impl Search<'_, '_> {
    /// Looks for a model whose children have `size` cells together, with at most `attempts`
    /// derivations in this stage. Choices that have no larger derivations are dropped.
    pub(super) fn with_size(
        &mut self,
        branch: &mut Branch<'_>,
        size: u32,
        attempts: u64,
    ) -> Option<Found> {
        if branch.exhausted || branch.choices.is_empty() {
            return None;
        }
        branch.refute(self.solver, self.terms, &mut self.refutations, Some(size));
        let choices = std::mem::take(&mut branch.choices);
        let mut found = None;
        for choice in &choices {
            if choice.smallest > size || choice.largest.is_some_and(|largest| size > largest) {
                continue;
            }
            found = self.with_choice(branch, choice, size, attempts);
            if found.is_some() || branch.exhausted {
                break;
            }
        }
        branch.choices = choices;
        branch.next = size + 1;
        let Solver {
            grammar,
            completions,
            ..
        } = &*self.solver;
        if branch.undecided.is_none()
            && !branch.exhausted
            && completions.is_complete(grammar, branch.rule, size)
        {
            (branch.choices).retain(|choice| choice.largest.is_none_or(|largest| largest > size));
        }
        found
    }

    fn with_choice(
        &mut self,
        branch: &mut Branch<'_>,
        choice: &Choice,
        size: u32,
        attempts: u64,
    ) -> Option<Found> {
        let Solver {
            grammar,
            derivations,
            completions,
            ..
        } = &mut *self.solver;
        let callees = completions.callees(grammar, derivations, branch.rule, &choice.pairs, size);
        branch.arrange(self.solver, &callees);
        let completions = &self.solver.completions;
        let room = attempts.saturating_sub(branch.attempts) as usize + 1;
        let mut combinations: Vec<Vec<u32>> = Vec::new();
        let limit = self.solver.config.facts.saturating_sub(self.tried);
        let mut all = Combinations::new(completions, &callees, &branch.numbers, &branch.order)
            .with_limit(limit);
        all.each(size, &mut |facts, _| {
            combinations.push(facts.to_vec());
            combinations.len() < room
        });
        let is_cut = all.tried >= limit;
        let tried = all.tried;
        self.tried += tried;
        self.solver.facts += tried;
        for facts in combinations {
            let derivations = self.solver.completions.count(&callees, &facts);
            for index in 0..derivations {
                branch.attempts += 1;
                if self.solver.is_late() {
                    branch.undecided = Some(Reason::OutOfTime);
                    branch.exhausted = true;
                    return None;
                }
                if branch.attempts > attempts {
                    branch.exhausted = true;
                    return None;
                }
                match self.attempt(branch.rule, &facts, index) {
                    Ok(Some(candidate)) => {
                        let rule = Box::new(branch.rule.clone());
                        return Some(Found::Model(rule, Box::new(candidate)));
                    }
                    Ok(None) => {}
                    Err(reason) => branch.undecided = Some(reason),
                }
            }
        }
        branch.exhausted |= is_cut;
        None
    }

    /// Solves the arithmetic of one derivation.
    fn attempt(
        &mut self,
        rule: &Rule,
        facts: &[u32],
        index: u64,
    ) -> Result<Option<Candidate>, Reason> {
        let Solver {
            grammar,
            completions,
            config,
            ..
        } = &*self.solver;
        let plan = Plan {
            grammar,
            question: rule,
            limit: config.steps,
        };
        let mut skeleton = Skeleton::default();
        (skeleton.unrank(plan, completions, facts, index, &mut Vec::new()))
            .map_err(|_| Reason::ModelTooLarge)?;
        Candidate::solve(self.solver, self.terms, rule, skeleton)
    }
}
