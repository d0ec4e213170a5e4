//! Numeric summaries: for each base pair of a predicate a zone that contains all values its
//! scalar parameters can take together, by abstract interpretation with widening.
//!
//! Summaries say too much rather than too little, so they refute but never prove.

use heapwright_logic::{PredId, Sort, TermId, Terms};

use super::zone::Zone;
use crate::rules::{Grammar, Numbers, Sum};
use crate::shape::{BasePairs, Production};

/// After this many changes of a zone its unstable bounds are dropped.
const JOINS_BEFORE_WIDENING: u32 = 4;
/// Larger systems are not summarised.
const VARIABLE_LIMIT: usize = 48;
/// Predicates with more derivations are not summarised.
const PRODUCTION_LIMIT: usize = 5_000;

/// What is known about the numbers of one base pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Summary {
    /// No derivation has been found whose numbers agree.
    Empty,
    /// All derivations lie in this zone over the scalar parameters.
    Within(Zone),
}

/// The summaries of all predicates that were asked for so far.
#[derive(Debug)]
pub struct Summaries {
    /// By predicate and base pair.
    summaries: Vec<Vec<Summary>>,
    /// By predicate, whatever the base pair.
    overall: Vec<Summary>,
    joins: Vec<Vec<u32>>,
    done: Vec<bool>,
}

impl Summaries {
    /// Nothing computed yet.
    pub fn new(grammar: &Grammar) -> Summaries {
        Summaries {
            summaries: vec![Vec::new(); grammar.len()],
            overall: vec![Summary::Empty; grammar.len()],
            joins: vec![Vec::new(); grammar.len()],
            done: vec![false; grammar.components().len()],
        }
    }

    /// The summary of a base pair.
    pub fn of(&self, predicate: PredId, pair: u32) -> &Summary {
        &self.summaries[predicate.index()][pair as usize]
    }

    /// What all base pairs of a predicate have in common.
    pub fn of_any(&self, predicate: PredId) -> &Summary {
        &self.overall[predicate.index()]
    }

    /// Computes the summaries of a predicate and of everything that it calls.
    ///
    /// Precondition: `pairs` holds all derivations of them.
    pub fn ensure(
        &mut self,
        terms: &Terms,
        grammar: &Grammar,
        pairs: &BasePairs,
        numbers: &[Vec<Numbers>],
        predicate: PredId,
    ) {
        for component in grammar.reachable_components(predicate) {
            if !self.done[component] {
                self.done[component] = true;
                self.solve(terms, grammar, pairs, numbers, component);
            }
        }
    }

    fn solve(
        &mut self,
        terms: &Terms,
        grammar: &Grammar,
        pairs: &BasePairs,
        numbers: &[Vec<Numbers>],
        component: usize,
    ) {
        let members = &grammar.components()[component];
        let mut productions: Vec<(PredId, u32, &Production)> = Vec::new();
        for &predicate in members {
            let known = pairs.of(predicate);
            for (pair, list) in (0..).zip(&known.productions) {
                productions.extend(list.iter().map(|production| (predicate, pair, production)));
            }
        }
        let small = numbers_of(members, numbers).all(|n| n.variables.len() <= VARIABLE_LIMIT);
        let precise = productions.len() <= PRODUCTION_LIMIT && small;
        for &predicate in members {
            let params = grammar.scalar_params(predicate).len();
            let start = if precise {
                Summary::Empty
            } else {
                Summary::Within(Zone::top(params))
            };
            let count = pairs.of(predicate).productions.len();
            self.summaries[predicate.index()] = vec![start; count];
            self.joins[predicate.index()] = vec![0; count];
        }
        let mut changed = precise;
        while changed {
            changed = false;
            for &(predicate, pair, production) in &productions {
                let system = &numbers[predicate.index()][production.rule as usize];
                if let Some(zone) = self.transfer(terms, grammar, predicate, production, system) {
                    changed |= self.update(predicate, pair, &zone);
                }
            }
        }
        for &predicate in members {
            self.overall[predicate.index()] = joined(&self.summaries[predicate.index()]);
        }
    }

    /// What a production says about the head's parameters, given the children's summaries.
    fn transfer(
        &self,
        terms: &Terms,
        grammar: &Grammar,
        predicate: PredId,
        production: &Production,
        system: &Numbers,
    ) -> Option<Zone> {
        let rule = &grammar.rules(predicate)[production.rule as usize];
        let mut sums = system.at_most_zero.clone();
        sums.extend(
            system
                .zero
                .iter()
                .flat_map(|sum| [Some(sum.clone()), negated(sum)])
                .flatten(),
        );
        let children = rule.children.iter().zip(&production.children);
        for ((child, &pair), args) in children.zip(&system.children) {
            match self.of(child.predicate, pair) {
                Summary::Empty => return None,
                Summary::Within(zone) => add_zone(zone, args, &mut sums),
            }
        }
        let mut zone = Zone::top(system.variables.len());
        for (index, &variable) in system.variables.iter().enumerate() {
            let (least, greatest) = match terms.variable(variable).sort {
                // A parameter means its argument, whatever range that has.
                Sort::Machine(ty) if index >= system.params => (ty.min(), ty.max()),
                Sort::Bool => (0, 1),
                _ => continue,
            };
            zone.add(index + 1, 0, greatest);
            zone.add(0, index + 1, -least);
        }
        // Bounds found in one round may give better ones in the next; three are plenty.
        for _ in 0..3 {
            let changed = sums
                .iter()
                .fold(false, |changed, sum| zone.add_sum(sum) | changed);
            if !zone.close() {
                return None;
            }
            if !changed {
                break;
            }
        }
        // Sums without any variable left.
        if sums
            .iter()
            .any(|sum| sum.summands.is_empty() && sum.constant > 0)
        {
            return None;
        }
        Some(zone.project(system.params))
    }

    fn update(&mut self, predicate: PredId, pair: u32, zone: &Zone) -> bool {
        let joins = &mut self.joins[predicate.index()][pair as usize];
        match &mut self.summaries[predicate.index()][pair as usize] {
            summary @ Summary::Empty => {
                *summary = Summary::Within(zone.clone());
                true
            }
            Summary::Within(known) => {
                let changed = known.join(zone, *joins >= JOINS_BEFORE_WIDENING);
                *joins += u32::from(changed);
                changed
            }
        }
    }
}

/// The smallest summary that contains all others.
fn joined(summaries: &[Summary]) -> Summary {
    let mut overall: Option<Zone> = None;
    for summary in summaries {
        if let Summary::Within(zone) = summary {
            match &mut overall {
                None => overall = Some(zone.clone()),
                Some(overall) => {
                    overall.join(zone, false);
                }
            }
        }
    }
    overall.map_or(Summary::Empty, Summary::Within)
}

fn numbers_of<'a>(
    members: &'a [PredId],
    numbers: &'a [Vec<Numbers>],
) -> impl Iterator<Item = &'a Numbers> {
    members
        .iter()
        .flat_map(|predicate| &numbers[predicate.index()])
}

/// The bounds of a zone as sums over the arguments that its parameters stand for.
pub fn add_zone(zone: &Zone, args: &[Option<Sum>], sums: &mut Vec<Sum>) {
    let argument = |index: usize| match index {
        0 => Some(Sum::default()),
        index => args[index - 1].clone(),
    };
    for i in 0..=zone.variables() {
        for j in 0..=zone.variables() {
            if i != j
                && let Some(bound) = zone.bound(i, j)
                && let (Some(first), Some(second)) = (argument(i), argument(j))
                && let Some(mut difference) = first.minus(&second)
                && let Some(constant) = difference.constant.checked_sub(bound)
            {
                difference.constant = constant;
                sums.push(difference);
            }
        }
    }
}

/// The bounds of a zone as constraints on the terms that its parameters stand for.
pub fn zone_conjuncts(
    terms: &mut Terms,
    zone: &Zone,
    args: &[TermId],
    conjuncts: &mut Vec<TermId>,
) {
    let zero = terms.int(0);
    for i in 0..=zone.variables() {
        for j in 0..=zone.variables() {
            let Some(bound) = zone.bound(i, j).filter(|_| i != j) else {
                continue;
            };
            let argument = |index: usize| if index == 0 { zero } else { args[index - 1] };
            let (first, second) = (argument(i), argument(j));
            if terms.sort(first).is_integer() && terms.sort(second).is_integer() {
                let limit = terms.int(bound);
                let limit = terms.add(second, limit);
                conjuncts.push(terms.le(first, limit));
            } else if terms.sort(first) == Sort::Bool && j == 0 && bound == 0 {
                conjuncts.push(terms.not(first));
            } else if terms.sort(second) == Sort::Bool && i == 0 && bound == -1 {
                conjuncts.push(second);
            }
        }
    }
    conjuncts.retain(|&conjunct| conjunct != Terms::TRUE);
}

fn negated(sum: &Sum) -> Option<Sum> {
    Sum::default().minus(sum)
}
