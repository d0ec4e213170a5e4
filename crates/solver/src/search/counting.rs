//! The stage of counting: the Parikh images of a branch's base pairs.

use heapwright_logic::{Value, VarId};

use super::Search;
use super::branch::{Branch, Choice};
use crate::arith::{ArithAnswer, Assignment};
use crate::candidate::{Candidate, Derivable, Found};
use crate::model::{Plan, Skeleton};
use crate::numeric::counting::Counting;
use crate::rules::Rule;
use crate::solver::Solver;

/// The largest derivation that is tried because of its counts alone.
const COUNTED_STEPS: usize = 20_000;

impl Search<'_, '_> {
    /// Asks the Parikh images of a branch's choices: which are impossible, which certain, and
    /// how large the others can get.
    pub(super) fn count(&mut self, branch: &mut Branch<'_>) -> Option<Found> {
        let mut kept = Vec::new();
        for mut choice in std::mem::take(&mut branch.choices) {
            match self.count_choice(branch.rule, &mut choice) {
                Counted::Impossible => {}
                Counted::Found(found) => return Some(found),
                Counted::Open => kept.push(choice),
            }
        }
        branch.choices = kept;
        None
    }

    fn count_choice(&mut self, rule: &Rule, choice: &mut Choice) -> Counted {
        let Solver {
            grammar,
            derivations,
            completions,
            summaries,
            arith,
            config,
            ..
        } = &mut *self.solver;
        let mut conjuncts = rule.scalars.clone();
        let mut cells = self.terms.int(0);
        let mut counted = Vec::new();
        for (child, &pair) in rule.children.iter().zip(&choice.pairs) {
            let symbol = (child.predicate, pair);
            let systems = completions.systems();
            let Some(counting) =
                Counting::new(self.terms, grammar, derivations, systems, summaries, symbol)
            else {
                continue;
            };
            let image = counting.image(self.terms, &child.scalars);
            conjuncts.extend(image.conjuncts);
            cells = self.terms.add(cells, image.cells);
            counted.push((pair, counting, image.counts));
        }
        let all = counted.len() == choice.pairs.len();
        match arith.check(self.terms, &conjuncts) {
            ArithAnswer::Unsat(_) => return Counted::Impossible,
            ArithAnswer::Sat(assignment) if all => {
                let exact = counted.iter().all(|(_, counting, _)| counting.exact);
                let tells_cells = counted.iter().all(|(_, counting, _)| counting.tells_cells);
                // More cells than those searched anyway?
                let most = self.terms.int(i128::from(config.cells));
                conjuncts.push(self.terms.lt(most, cells));
                if tells_cells && let ArithAnswer::Unsat(_) = arith.check(self.terms, &conjuncts) {
                    choice.largest = Some(config.cells);
                }
                let counts = with_counts(counted, &assignment);
                if exact && rule.exact {
                    let derivation = Derivable::Counts(counts);
                    return Counted::Found(Found::Derivable(Box::new(rule.clone()), derivation));
                }
                if let Some(candidate) = self.try_counts(rule, &counts) {
                    let rule = Box::new(rule.clone());
                    return Counted::Found(Found::Model(rule, Box::new(candidate)));
                }
            }
            _ => {}
        }
        Counted::Open
    }

    /// Tries a derivation that uses each production as often as counted. If its arithmetic has
    /// no solution, another derivation may still have one.
    fn try_counts(
        &mut self,
        rule: &Rule,
        counts: &[(u32, Counting, Vec<u64>)],
    ) -> Option<Candidate> {
        let plan = Plan {
            grammar: &self.solver.grammar,
            question: rule,
            limit: COUNTED_STEPS,
        };
        let skeleton = Skeleton::from_counts(plan, &self.solver.derivations, counts).ok()?;
        Candidate::solve(self.solver, self.terms, rule, skeleton).ok()?
    }
}

/// What counting says about a choice of base pairs.
enum Counted {
    Impossible,
    Found(Found),
    Open,
}

fn with_counts(
    counted: Vec<(u32, Counting, Vec<VarId>)>,
    assignment: &Assignment,
) -> Vec<(u32, Counting, Vec<u64>)> {
    (counted.into_iter())
        .map(|(pair, counting, variables)| {
            let count = |variable| match assignment.get(variable) {
                Some(Value::Int(count)) => u64::try_from(*count).unwrap_or(0),
                _ => 0,
            };
            let counts = variables.iter().map(count).collect();
            (pair, counting, counts)
        })
        .collect()
}
