//! The least fixed point of base pairs, semi-naively and smallest heaps first.
//!
//! Pairs are closed in the order of the number of cells that they need (Knuth's
//! generalisation of Dijkstra's algorithm: the cost of a derivation is never less than that of
//! its parts), so the first derivation of a pair is a smallest one. A rule is joined again
//! only with at least one pair that is new.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use heapwright_logic::PredId;

use super::arguments::ParamSet;
use super::base_pair::BasePair;
use super::join::{Join, Source};
use super::relation::Relation;
use crate::rules::{Grammar, Rule};

/// Subsumption is looked for only among this many pairs; it is an optimisation, and large
/// relations are usually antichains.
const SUBSUMPTION_LIMIT: usize = 256;

/// How a pair was derived: the rule, and the pairs of the rule's children.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Production {
    /// Index among the rules of the predicate.
    pub rule: u32,
    /// One pair per child.
    pub children: Box<[u32]>,
}

/// What is known about the pairs of one predicate.
#[derive(Default, Debug)]
pub struct PredicatePairs {
    /// The pairs.
    pub relation: Relation,
    /// The smallest number of cells with which each pair can be derived.
    pub sizes: Vec<u32>,
    /// A smallest derivation of each pair.
    pub smallest: Vec<Production>,
    /// All derivations of each pair, with [`Detail::Derivations`] only.
    pub productions: Vec<Vec<Production>>,
    /// The order in which pairs were closed.
    rank: Vec<u32>,
}

/// Limits of the computation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Pairs of one component of predicates.
    pub pairs: usize,
    /// Choices tried while joining.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            pairs: 4_000_000,
            steps: 400_000_000,
        }
    }
}

/// What the pairs are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Deciding satisfiability: a pair that says more than another is superfluous.
    Decision,
    /// Deriving all models: every pair and every derivation of it is kept.
    Derivations,
}

/// The base pairs of all predicates that were asked for so far.
#[derive(Debug)]
pub struct BasePairs {
    detail: Detail,
    predicates: Vec<PredicatePairs>,
    /// For each component: not computed, or whether the computation ran to its end.
    done: Vec<Option<bool>>,
    limits: Limits,
}

impl Source for BasePairs {
    fn relation(&self, predicate: PredId) -> &Relation {
        &self.predicates[predicate.index()].relation
    }

    fn merges_equal_states(&self) -> bool {
        self.detail == Detail::Decision
    }
}

/// The pairs closed before or with a given one, for the children after or before it.
struct Delta<'a> {
    pairs: &'a BasePairs,
    rule: &'a Rule,
    predicate: PredId,
    child: usize,
    rank: u32,
}

impl Source for Delta<'_> {
    fn relation(&self, predicate: PredId) -> &Relation {
        self.pairs.relation(predicate)
    }

    fn merges_equal_states(&self) -> bool {
        self.pairs.merges_equal_states()
    }

    fn admits(&self, child: usize, id: u32, _chosen: &[Option<u32>]) -> bool {
        if child >= self.child || self.rule.children[child].predicate != self.predicate {
            return true;
        }
        // The same combination was or will be found with the delta at the earlier child.
        self.pairs.of(self.predicate).rank[id as usize] < self.rank
    }
}

impl BasePairs {
    /// Nothing computed yet.
    pub fn new(grammar: &Grammar, detail: Detail, limits: Limits) -> BasePairs {
        BasePairs {
            detail,
            predicates: (0..grammar.len()).map(|_| Default::default()).collect(),
            done: vec![None; grammar.components().len()],
            limits,
        }
    }

    /// The pairs of a predicate.
    pub fn of(&self, predicate: PredId) -> &PredicatePairs {
        &self.predicates[predicate.index()]
    }

    /// Computes the pairs of a predicate and of everything that it calls. Returns whether they
    /// are complete; otherwise a limit was reached.
    pub fn ensure(&mut self, grammar: &Grammar, predicate: PredId) -> bool {
        let mut all = true;
        for component in grammar.reachable_components(predicate) {
            let complete = match self.done[component] {
                Some(complete) => complete,
                None => {
                    let complete = self.rests_on_complete(grammar, component)
                        && self.solve_component(grammar, component);
                    self.done[component] = Some(complete);
                    complete
                }
            };
            all &= complete;
        }
        all
    }

    /// Whether everything that a component calls is complete. Others do not matter: what is
    /// found out about a component does not depend on who asked for it.
    fn rests_on_complete(&self, grammar: &Grammar, component: usize) -> bool {
        let Some(&member) = grammar.components()[component].first() else {
            return true;
        };
        let below = grammar.reachable_components(member).into_iter();
        below
            .filter(|&other| other != component)
            .all(|other| self.done[other] == Some(true))
    }

    fn solve_component(&mut self, grammar: &Grammar, component: usize) -> bool {
        let members = &grammar.components()[component];
        let rules = members.iter().flat_map(|&member| grammar.rules(member));
        let most_nodes = rules.map(Rule::nodes).max().unwrap_or(0);
        let most_params = (members.iter())
            .map(|&member| grammar.reference_params(member).len())
            .max()
            .unwrap_or(0);
        // Parameters are counted from 1.
        if most_params >= ParamSet::CAPACITY {
            return false;
        }
        match most_nodes {
            0..=64 => Component::<1>::new(self, grammar, component).solve(),
            65..=128 => Component::<2>::new(self, grammar, component).solve(),
            129..=512 => Component::<8>::new(self, grammar, component).solve(),
            513..=2048 => Component::<32>::new(self, grammar, component).solve(),
            _ => false,
        }
    }
}

/// The computation of one strongly connected component.
struct Component<'a, const W: usize> {
    pairs: &'a mut BasePairs,
    grammar: &'a Grammar,
    component: usize,
    join: Join<W>,
    /// Pairs found but not closed, cheapest first.
    open: BinaryHeap<Reverse<(u32, PredId, u32)>>,
    closed: u32,
}

/// A pair found by a join, before it is entered.
struct Found {
    pair: BasePair,
    size: u32,
    production: Production,
}

impl<'a, const W: usize> Component<'a, W> {
    fn new(pairs: &'a mut BasePairs, grammar: &'a Grammar, component: usize) -> Self {
        Component {
            pairs,
            grammar,
            component,
            join: Join::default(),
            open: BinaryHeap::new(),
            closed: 0,
        }
    }

    /// Returns whether the fixed point was reached within the limits.
    fn solve(mut self) -> bool {
        let grammar = self.grammar;
        let members = &grammar.components()[self.component];
        // Where each predicate of the component is called within the component.
        let mut calls: Vec<(PredId, PredId, usize, usize)> = Vec::new();
        for &member in members {
            for (index, rule) in grammar.rules(member).iter().enumerate() {
                let before = calls.len();
                for (child, call) in rule.children.iter().enumerate() {
                    if grammar.component_of(call.predicate) == self.component {
                        calls.push((call.predicate, member, index, child));
                    }
                }
                if calls.len() == before {
                    let found = self.join_rule(member, index, None);
                    self.enter(member, found);
                }
            }
        }
        while let Some(Reverse((size, predicate, id))) = self.open.pop() {
            if !self.close(predicate, id, size) {
                continue;
            }
            if self.closed as usize > self.pairs.limits.pairs
                || self.join.steps > self.pairs.limits.steps
            {
                return false;
            }
            for &(callee, caller, rule, child) in &calls {
                if callee == predicate {
                    let found = self.join_rule(caller, rule, Some((child, id)));
                    self.enter(caller, found);
                }
            }
        }
        true
    }

    /// Lets a pair take part in joins, unless it is closed already or a weaker one that costs
    /// no more makes it superfluous.
    fn close(&mut self, predicate: PredId, id: u32, size: u32) -> bool {
        let subsume = self.pairs.detail == Detail::Decision;
        let known = &mut self.pairs.predicates[predicate.index()];
        let index = id as usize;
        if known.rank[index] != u32::MAX || known.sizes[index] != size {
            return false;
        }
        let active = known.relation.active();
        if subsume && active.len() <= SUBSUMPTION_LIMIT {
            let pair = known.relation.pair(id);
            let weaker = |&other: &u32| known.relation.pair(other).is_weaker_than(pair);
            if active.iter().any(weaker) {
                return false;
            }
        }
        known.rank[index] = self.closed;
        self.closed += 1;
        known.relation.activate(id);
        true
    }

    fn join_rule(
        &mut self,
        predicate: PredId,
        index: usize,
        delta: Option<(usize, u32)>,
    ) -> Vec<Found> {
        let rule = &self.grammar.rules(predicate)[index];
        let params = self.grammar.reference_params(predicate).len();
        let pairs = &*self.pairs;
        let limit = pairs.limits.steps;
        let mut found = Vec::new();
        let mut visit = |constraints: &super::Constraints<W>, chosen: &[Option<u32>]| {
            let children: Box<[u32]> = chosen.iter().flatten().copied().collect();
            let below = (rule.children.iter().zip(&children))
                .map(|(call, &id)| pairs.of(call.predicate).sizes[id as usize]);
            let cells = rule.allocated.len() as u32;
            found.push(Found {
                pair: BasePair::project(constraints, params),
                size: below.fold(cells, u32::saturating_add),
                production: Production {
                    rule: index as u32,
                    children,
                },
            });
            if found.len() as u64 > limit {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let _ = match delta {
            None => self.join.run(rule, pairs, &[], &mut visit),
            Some((child, id)) => {
                let predicate = rule.children[child].predicate;
                let rank = pairs.of(predicate).rank[id as usize];
                let delta = Delta {
                    pairs,
                    rule,
                    predicate,
                    child,
                    rank,
                };
                self.join.run(rule, &delta, &[(child, id)], &mut visit)
            }
        };
        found
    }

    fn enter(&mut self, predicate: PredId, found: Vec<Found>) {
        let derivations = self.pairs.detail == Detail::Derivations;
        let known = &mut self.pairs.predicates[predicate.index()];
        for Found {
            pair,
            size,
            production,
        } in found
        {
            let (id, new) = known.relation.insert(pair);
            let index = id as usize;
            if new {
                known.sizes.push(size);
                known.rank.push(u32::MAX);
                known.smallest.push(production.clone());
                if derivations {
                    known.productions.push(Vec::new());
                }
                self.open.push(Reverse((size, predicate, id)));
            } else if size < known.sizes[index] && known.rank[index] == u32::MAX {
                known.sizes[index] = size;
                known.smallest[index] = production.clone();
                self.open.push(Reverse((size, predicate, id)));
            }
            if derivations {
                known.productions[index].push(production);
            }
        }
    }
}
