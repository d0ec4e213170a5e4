//! Skeletons: derivations as trees of rules, before any value is chosen.

use heapwright_logic::PredId;

use crate::numeric::completion::Completions;
use crate::numeric::counting::Counting;
use crate::rules::{Grammar, Rule};
use crate::shape::BasePairs;

/// One step: which rule was applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkeletonStep {
    /// The predicate and the index of its rule; nothing for the question itself.
    pub rule: Option<(PredId, u32)>,
    /// The steps of the rule's children.
    pub children: Vec<u32>,
}

/// A derivation of a question's rule. The first step is the question's own; children come
/// after their parents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skeleton {
    /// All steps, flat, because derivations may be deeper than the call stack.
    pub steps: Vec<SkeletonStep>,
}

/// A skeleton has more steps than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Skeleton {
    /// Builds a skeleton top-down. `expand` turns a pending child into a rule and the pending
    /// children of that rule.
    fn grow<P>(
        question: &Rule,
        pending: Vec<P>,
        limit: usize,
        mut expand: impl FnMut(PredId, P) -> (u32, Vec<P>),
        grammar: &Grammar,
    ) -> Result<Skeleton, TooLarge> {
        let mut steps = vec![SkeletonStep {
            rule: None,
            children: Vec::new(),
        }];
        // Parent step, predicate and what is known about the child.
        let mut queue: Vec<(usize, PredId, P)> = (question.children.iter().zip(pending))
            .map(|(child, pending)| (0, child.predicate, pending))
            .collect();
        queue.reverse();
        while let Some((parent, predicate, pending)) = queue.pop() {
            if steps.len() > limit {
                return Err(TooLarge);
            }
            let own = steps.len();
            steps[parent].children.push(own as u32);
            let (rule, below) = expand(predicate, pending);
            steps.push(SkeletonStep {
                rule: Some((predicate, rule)),
                children: Vec::new(),
            });
            let children = &grammar.rules(predicate)[rule as usize].children;
            let below = children.iter().zip(below);
            queue.extend((below.rev()).map(|(child, pending)| (own, child.predicate, pending)));
        }
        Ok(Skeleton { steps })
    }

    /// The smallest derivation with these base pairs for the question's children.
    pub fn smallest(
        grammar: &Grammar,
        pairs: &BasePairs,
        question: &Rule,
        chosen: &[u32],
        limit: usize,
    ) -> Result<Skeleton, TooLarge> {
        let expand = |predicate: PredId, pair: u32| {
            let production = &pairs.of(predicate).smallest[pair as usize];
            (production.rule, production.children.to_vec())
        };
        Skeleton::grow(question, chosen.to_vec(), limit, expand, grammar)
    }

    /// A derivation that uses the productions of each child's grammar as often as counted.
    ///
    /// Where the counts cannot be used up (they are for a grammar with several symbols, and the
    /// order taken here left some over), smallest derivations fill in.
    pub fn from_counts(
        grammar: &Grammar,
        pairs: &BasePairs,
        question: &Rule,
        counted: &[(u32, Counting, Vec<u64>)],
        limit: usize,
    ) -> Result<Skeleton, TooLarge> {
        let mut left: Vec<Vec<u64>> = counted.iter().map(|(_, _, counts)| counts.clone()).collect();
        let start = (counted.iter().enumerate())
            .map(|(child, (pair, ..))| (child, *pair))
            .collect();
        let expand = |predicate: PredId, (child, pair): (usize, u32)| {
            let (_, counting, _) = &counted[child];
            let own = (counting.productions().enumerate())
                .filter(|&(index, (head, ..))| head == (predicate, pair) && left[child][index] > 0);
            // Productions that go on come before those that end, so that none is stranded.
            let next = own.max_by_key(|&(index, (_, _, _, recursive))| {
                (recursive.len(), left[child][index])
            });
            let (rule, below) = match next {
                Some((index, (_, rule, below, _))) => {
                    left[child][index] -= 1;
                    (rule, below)
                }
                None => {
                    let smallest = &pairs.of(predicate).smallest[pair as usize];
                    (smallest.rule, &smallest.children[..])
                }
            };
            (rule, below.iter().map(|&pair| (child, pair)).collect())
        };
        Skeleton::grow(question, start, limit, expand, grammar)
    }

    /// Derivation number `index` of a combination of facts for the question's children; the
    /// derivations are numbered from 0 to the product of the facts' counts.
    pub fn unrank(
        grammar: &Grammar,
        completions: &Completions,
        question: &Rule,
        facts: &[u32],
        index: u64,
        limit: usize,
    ) -> Result<Skeleton, TooLarge> {
        let split = |children: &[crate::rules::Child], facts: &[u32], mut index: u64| {
            let digits: Vec<(u32, u64)> = (children.iter().zip(facts))
                .map(|(child, &fact)| {
                    let count = completions.table(child.predicate).count(fact).max(1);
                    let digit = index % count;
                    index /= count;
                    (fact, digit)
                })
                .collect();
            digits
        };
        let expand = |predicate: PredId, (fact, mut index): (u32, u64)| {
            let productions = completions.table(predicate).productions(fact);
            let mut picked = &productions[0];
            for production in productions {
                picked = production;
                let count = completions.count_production(grammar, predicate, production);
                if index < count {
                    break;
                }
                index -= count;
            }
            let children = &grammar.rules(predicate)[picked.rule as usize].children;
            (picked.rule, split(children, &picked.children, index))
        };
        let start = split(&question.children, facts, index);
        Skeleton::grow(question, start, limit, expand, grammar)
    }

    /// The rule of a step.
    pub fn rule_of<'a>(&self, step: usize, grammar: &'a Grammar, question: &'a Rule) -> &'a Rule {
        match self.steps[step].rule {
            None => question,
            Some((predicate, rule)) => &grammar.rules(predicate)[rule as usize],
        }
    }
}
