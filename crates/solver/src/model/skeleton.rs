//! Skeletons: derivations as trees of rules, before any value is chosen.

use heapwright_logic::PredId;

use super::counted;
use crate::numeric::completion::Completions;
use crate::numeric::counting::Counting;
use crate::rules::{Child, Grammar, Rule};
use crate::shape::BasePairs;

/// One step: which rule was applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkeletonStep {
    /// The predicate and the index of its rule; nothing for the question itself.
    pub rule: Option<(PredId, u32)>,
    /// The step of the rule's first child; the others follow it.
    pub first_child: u32,
}

/// A derivation of a question's rule, level by level: the first step is the question's own,
/// children come after their parents, and siblings next to each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Skeleton {
    /// All steps, flat, because derivations may be deeper than the call stack.
    pub steps: Vec<SkeletonStep>,
}

/// A skeleton has more steps than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// What all ways to build a skeleton need.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// The rules.
    pub grammar: &'a Grammar,
    /// The question as a rule.
    pub question: &'a Rule,
    /// The largest number of steps.
    pub limit: usize,
}

impl Skeleton {
    /// The rule of a step.
    pub fn rule_of<'a>(&self, step: usize, grammar: &'a Grammar, question: &'a Rule) -> &'a Rule {
        match self.steps[step].rule {
            None => question,
            Some((predicate, rule)) => &grammar.rules(predicate)[rule as usize],
        }
    }

    /// Builds the skeleton. `pending` holds what is known about each child; `expand` picks the
    /// rule of a child and appends what is known about that rule's own children.
    fn grow<P: Copy>(
        &mut self,
        plan: Plan<'_>,
        pending: &mut Vec<P>,
        mut expand: impl FnMut(PredId, P, &mut Vec<P>) -> u32,
    ) -> Result<(), TooLarge> {
        let own = |rule: Option<(PredId, u32)>, first_child: usize| SkeletonStep {
            rule,
            first_child: first_child as u32,
        };
        self.steps.clear();
        self.steps.push(own(None, 1));
        let children = plan.question.children.iter();
        // Until a step is expanded, it only knows its predicate.
        self.steps
            .extend(children.map(|child| own(Some((child.predicate, 0)), 0)));
        let mut step = 1;
        while step < self.steps.len() {
            if self.steps.len() > plan.limit {
                return Err(TooLarge);
            }
            if let Some((predicate, _)) = self.steps[step].rule {
                let rule = expand(predicate, pending[step - 1], pending);
                self.steps[step] = own(Some((predicate, rule)), self.steps.len());
                let children = &plan.grammar.rules(predicate)[rule as usize].children;
                let children = children
                    .iter()
                    .map(|child| own(Some((child.predicate, 0)), 0));
                self.steps.extend(children);
            }
            step += 1;
        }
        Ok(())
    }

    /// The smallest derivation with these base pairs for the question's children.
    pub fn smallest(plan: Plan<'_>, pairs: &BasePairs, chosen: &[u32]) -> Result<Self, TooLarge> {
        let mut skeleton = Skeleton::default();
        skeleton.grow(plan, &mut chosen.to_vec(), |predicate, pair, pending| {
            let production = &pairs.of(predicate).smallest[pair as usize];
            pending.extend_from_slice(&production.children);
            production.rule
        })?;
        Ok(skeleton)
    }

    /// A derivation that uses the productions of each child's grammar as often as counted.
    /// What lies outside these grammars gets smallest derivations.
    pub fn from_counts(
        plan: Plan<'_>,
        pairs: &BasePairs,
        counted: &[(u32, Counting, Vec<u64>)],
    ) -> Result<Self, TooLarge> {
        let total: u64 = (counted.iter().flat_map(|(_, _, counts)| counts))
            .fold(0, |sum, &count| sum.saturating_add(count));
        if total > plan.limit as u64 {
            return Err(TooLarge);
        }
        let children = plan.question.children.iter().zip(counted);
        let derivations: Vec<_> = children
            .map(|(child, (pair, counting, counts))| {
                let nodes = counted::derivation(counting, (child.predicate, *pair), counts);
                let productions: Vec<_> = counting.productions().collect();
                (nodes, productions)
            })
            .collect();
        // A child is a base pair, and a node of one of the derivations if it has one.
        let mut start = (counted.iter().enumerate())
            .map(|(child, (pair, ..))| (*pair, Some((child, 0))))
            .collect();
        let mut skeleton = Skeleton::default();
        skeleton.grow(plan, &mut start, |predicate, (pair, node), pending| {
            let place = node.and_then(|(child, node): (usize, usize)| {
                let (nodes, productions) = &derivations[child];
                let production = nodes[node].production?;
                Some((child, &nodes[node].children, &productions[production]))
            });
            let Some((child, below, &(_, rule, pairs_below, _))) = place else {
                let smallest = &pairs.of(predicate).smallest[pair as usize];
                pending.extend(smallest.children.iter().map(|&pair| (pair, None)));
                return smallest.rule;
            };
            // Recursive children stand in the order of the rule, among others.
            let mut below = below.iter();
            let component = plan.grammar.component_of(predicate);
            let calls = &plan.grammar.rules(predicate)[rule as usize].children;
            for (call, &pair) in calls.iter().zip(pairs_below) {
                let recursive = plan.grammar.component_of(call.predicate) == component;
                let node = recursive.then(|| below.next()).flatten();
                pending.push((pair, node.map(|&node| (child, node))));
            }
            rule
        })?;
        Ok(skeleton)
    }

    /// Becomes derivation number `index` of a combination of facts for the question's children.
    /// The derivations are numbered from 0 to the product of the facts' counts. `pending` is
    /// memory to be used.
    pub fn unrank(
        &mut self,
        plan: Plan<'_>,
        completions: &Completions,
        facts: &[u32],
        index: u64,
        pending: &mut Vec<(u32, u64)>,
    ) -> Result<(), TooLarge> {
        // The digits of the index, one per child, in the mixed radix of the children's counts.
        let split = |children: &[Child], facts: &[u32], mut index: u64, digits: &mut Vec<_>| {
            for (child, &fact) in children.iter().zip(facts) {
                let count = completions.table(child.predicate).count(fact).max(1);
                digits.push((fact, index % count));
                index /= count;
            }
        };
        pending.clear();
        split(&plan.question.children, facts, index, pending);
        self.grow(plan, pending, |predicate, (fact, index), pending| {
            let table = completions.table(predicate);
            let (production, index) = table.production_of(fact, index);
            let children = &plan.grammar.rules(predicate)[production.rule as usize].children;
            split(children, &production.children, index, pending);
            production.rule
        })
    }
}
