//! Completions: how an instance can be derived with a given number of cells.
//!
//! A *fact* says that a predicate has a derivation with a base pair, certain values of those
//! scalar parameters that a derivation determines bottom-up (sizes, heights, colours), and a
//! certain number of cells. Facts are tabulated by size, and each remembers its productions,
//! so that derivations can be counted, and the k-th one be built without building the others.
//!
//! Parameters that a derivation does not determine (bounds of a search tree) have no value
//! here, and constraints on them are left to the arithmetic.
//!
//! Invariant: what the tables say about a size depends on the definitions and the limits only,
//! not on when or for which question it was tabulated. Therefore limits are counted for each
//! component apart.

use heapwright_logic::{PredId, Terms};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::combination::Combinations;
use super::size_param::{CellCount, cell_counts, cells_of};
use crate::rules::{Grammar, Numbers, Rule};
use crate::shape::{BasePairs, Production};

/// A derivable combination of shape, values and size.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    /// Number of the base pair.
    pub pair: u32,
    /// Values of the scalar parameters, where known.
    pub values: Box<[Option<i128>]>,
    /// Number of cells.
    pub size: u32,
}

/// How a fact is derived: a rule, and facts for the rule's children.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactProduction {
    /// Index among the rules of the predicate.
    pub rule: u32,
    /// Facts of the children's predicates.
    pub children: Box<[u32]>,
}

/// The facts of one predicate.
#[derive(Default, Debug)]
pub struct Table {
    facts: IndexSet<Fact, FxBuildHasher>,
    productions: Vec<Vec<FactProduction>>,
    /// For each production of each fact, the number of derivations up to it; saturates.
    ends: Vec<Vec<u64>>,
    by_pair_and_size: FxHashMap<(u32, u32), Vec<u32>>,
}

impl Table {
    /// The fact with a number.
    pub fn fact(&self, id: u32) -> &Fact {
        &self.facts[id as usize]
    }

    /// The productions of a fact.
    pub fn productions(&self, id: u32) -> &[FactProduction] {
        &self.productions[id as usize]
    }

    /// The production that derivation number `index` of a fact starts with, and the number of
    /// the derivation among those.
    pub fn production_of(&self, id: u32, index: u64) -> (&FactProduction, u64) {
        let ends = &self.ends[id as usize];
        let position = ends
            .partition_point(|&end| end <= index)
            .min(ends.len() - 1);
        let before = if position == 0 { 0 } else { ends[position - 1] };
        (&self.productions[id as usize][position], index - before)
    }

    /// How many derivations a fact has; saturates.
    pub fn count(&self, id: u32) -> u64 {
        self.ends[id as usize].last().copied().unwrap_or(0)
    }

    /// The facts with a base pair and size.
    pub fn with(&self, pair: u32, size: u32) -> &[u32] {
        match self.by_pair_and_size.get(&(pair, size)) {
            Some(facts) => facts,
            None => &[],
        }
    }
}

/// The tables of all predicates, grown on demand.
#[derive(Debug)]
pub struct Completions {
    tables: Vec<Table>,
    numbers: Vec<Vec<Numbers>>,
    cell_counts: Vec<CellCount>,
    /// For each component: sizes below this are tabulated.
    done: Vec<u32>,
    /// For each component: the smallest size at which derivations were left out, because a
    /// limit was reached or a derivation goes in a circle without using up a cell.
    incomplete: Vec<Option<u32>>,
    limits: TableLimits,
    /// For each component: how many facts it has.
    facts: Vec<usize>,
    /// For each component and size: the combinations looked at up to there.
    combinations: Vec<Vec<u64>>,
}

/// Limits of the tables of one component of mutually recursive predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableLimits {
    /// Facts that are kept. Default: 200,000.
    pub facts: usize,
    /// Facts that are tried in combinations. Default: 2,000,000.
    pub combinations: u64,
}

impl Default for TableLimits {
    fn default() -> Self {
        TableLimits {
            facts: 200_000,
            combinations: 2_000_000,
        }
    }
}

impl Completions {
    /// Empty tables.
    pub fn new(terms: &Terms, grammar: &Grammar, limits: TableLimits) -> Completions {
        let numbers: Vec<Vec<Numbers>> = (0..grammar.len())
            .map(|predicate| {
                let predicate = PredId(predicate as u32);
                let params = grammar.scalar_params(predicate);
                (grammar.rules(predicate).iter())
                    .map(|rule| Numbers::compile(terms, rule, params))
                    .collect()
            })
            .collect();
        Completions {
            tables: (0..grammar.len()).map(|_| Table::default()).collect(),
            cell_counts: cell_counts(grammar, &numbers),
            numbers,
            done: vec![0; grammar.components().len()],
            incomplete: vec![None; grammar.components().len()],
            limits,
            facts: vec![0; grammar.components().len()],
            combinations: vec![Vec::new(); grammar.components().len()],
        }
    }

    /// The table of a predicate.
    pub fn table(&self, predicate: PredId) -> &Table {
        &self.tables[predicate.index()]
    }

    /// How many combinations of facts had to be looked at for the children of a rule with up
    /// to `size` cells, whether that was for this question or an earlier one.
    pub fn combinations(&self, grammar: &Grammar, rule: &Rule, size: u32) -> u64 {
        let children = rule.children.iter();
        let mut components: Vec<usize> = children
            .flat_map(|child| grammar.reachable_components(child.predicate))
            .collect();
        components.sort_unstable();
        components.dedup();
        let up_to_size = |component: usize| {
            let levels = &self.combinations[component];
            let level = levels.get(size as usize).or(levels.last());
            level.copied().unwrap_or(0)
        };
        components.into_iter().map(up_to_size).sum()
    }

    /// The number of cells that every model of a question has, if its numbers fix it.
    pub fn cells_fixed_by(&self, question: &Rule, system: &Numbers) -> Option<i128> {
        let cells = cells_of(&self.cell_counts, question, system)?;
        let rest = cells.modulo(&system.zero)?;
        rest.summands.is_empty().then_some(rest.constant)
    }

    /// The linear systems of all rules, by predicate.
    pub fn systems(&self) -> &[Vec<Numbers>] {
        &self.numbers
    }

    /// The linear system of a rule.
    pub fn numbers(&self, predicate: PredId, rule: u32) -> &Numbers {
        &self.numbers[predicate.index()][rule as usize]
    }

    /// Tabulates everything that `predicate` needs up to `size` cells.
    ///
    /// Precondition: `pairs` holds all derivations of the predicate and of those it calls.
    pub fn ensure(&mut self, grammar: &Grammar, pairs: &BasePairs, predicate: PredId, size: u32) {
        for component in grammar.reachable_components(predicate) {
            while self.done[component] <= size {
                let level = self.done[component];
                self.tabulate(grammar, pairs, component, level);
                self.done[component] += 1;
            }
        }
    }

    /// Whether nothing was left out among the derivations of a rule's children with up to `size`
    /// cells.
    pub fn is_complete(&self, grammar: &Grammar, rule: &Rule, size: u32) -> bool {
        let children = rule.children.iter();
        let mut components =
            children.flat_map(|child| grammar.reachable_components(child.predicate));
        components.all(|component| self.incomplete[component].is_none_or(|from| from > size))
    }

    /// The children of a rule with their base pairs, everything tabulated up to `size` cells.
    pub fn callees(
        &mut self,
        grammar: &Grammar,
        pairs: &BasePairs,
        rule: &Rule,
        chosen: &[u32],
        size: u32,
    ) -> Vec<Callee> {
        (rule.children.iter().zip(chosen))
            .map(|(child, &pair)| {
                self.ensure(grammar, pairs, child.predicate, size);
                Callee {
                    predicate: child.predicate,
                    pair,
                    smallest: pairs.of(child.predicate).sizes[pair as usize],
                }
            })
            .collect()
    }

    /// How many derivations a combination of facts has; saturates.
    pub fn count(&self, callees: &[Callee], facts: &[u32]) -> u64 {
        (callees.iter().zip(facts))
            .map(|(callee, &fact)| self.table(callee.predicate).count(fact))
            .fold(1, u64::saturating_mul)
    }

    /// Finds all facts of one component and size, given all smaller ones.
    fn tabulate(&mut self, grammar: &Grammar, pairs: &BasePairs, component: usize, size: u32) {
        let members = &grammar.components()[component];
        let is_circular = |predicate: PredId, production: &Production| {
            // Without a cell of its own the rule may use facts of this very size.
            let rule = &grammar.rules(predicate)[production.rule as usize];
            let mut callees = rule.children.iter().map(|child| child.predicate);
            rule.allocated.is_empty() && callees.any(|callee| members.contains(&callee))
        };
        let combinations = self.combinations[component].last().copied().unwrap_or(0);
        let mut level = Level {
            component,
            size,
            combinations,
            found: Vec::new(),
            complete: true,
            round: 0,
        };
        loop {
            let before = level.found.len();
            for &predicate in members {
                let known = pairs.of(predicate);
                for &pair in known.relation.active() {
                    for production in &known.productions[pair as usize] {
                        if level.round == 0 || is_circular(predicate, production) {
                            let target = (predicate, pair);
                            self.apply(grammar, pairs, target, production, &mut level);
                        }
                    }
                }
            }
            level.round += 1;
            if level.found.len() == before {
                break;
            }
        }
        self.combinations[component].push(level.combinations);
        if !level.complete {
            self.incomplete[component].get_or_insert(size);
        }
        // Facts rest on earlier ones only, so their order of discovery is a good one to count in.
        for (predicate, id) in level.found {
            let mut total: u64 = 0;
            let ends = (self.table(predicate).productions(id).iter())
                .map(|production| {
                    let count = self.count_production(grammar, predicate, production);
                    total = total.saturating_add(count);
                    total
                })
                .collect();
            self.tables[predicate.index()].ends[id as usize] = ends;
        }
    }

    /// The number of derivations that start with a production.
    fn count_production(
        &self,
        grammar: &Grammar,
        predicate: PredId,
        production: &FactProduction,
    ) -> u64 {
        let rule = &grammar.rules(predicate)[production.rule as usize];
        (rule.children.iter().zip(&production.children))
            .map(|(child, &fact)| self.table(child.predicate).count(fact))
            .fold(1, u64::saturating_mul)
    }

    /// Applies one production in all ways that give the size wanted, adding new facts to `level`.
    fn apply(
        &mut self,
        grammar: &Grammar,
        pairs: &BasePairs,
        (predicate, pair): (PredId, u32),
        production: &Production,
        level: &mut Level,
    ) {
        let rule = &grammar.rules(predicate)[production.rule as usize];
        let Some(rest) = level.size.checked_sub(rule.allocated.len() as u32) else {
            return;
        };
        let callees: Vec<_> = (rule.children.iter().zip(&production.children))
            .map(|(child, &pair)| Callee {
                predicate: child.predicate,
                pair,
                smallest: pairs.of(child.predicate).sizes[pair as usize],
            })
            .collect();
        let numbers = self.numbers(predicate, production.rule);
        let order: Vec<usize> = (0..callees.len()).collect();
        let mut found = Vec::new();
        let room = self.limits.combinations.saturating_sub(level.combinations);
        let mut combinations = Combinations::new(self, &callees, numbers, &order).with_limit(room);
        level.complete &= combinations.each(rest, &mut |chosen, values| {
            found.push((Box::from(values), Box::from(chosen)));
            true
        });
        level.combinations += combinations.tried;
        for (values, children) in found {
            let size = level.size;
            let fact = Fact { pair, values, size };
            let production = FactProduction {
                rule: production.rule,
                children,
            };
            self.enter(&callees, predicate, fact, production, level);
        }
    }

    fn enter(
        &mut self,
        callees: &[Callee],
        predicate: PredId,
        fact: Fact,
        production: FactProduction,
        level: &mut Level,
    ) {
        if self.facts[level.component] >= self.limits.facts {
            level.complete = false;
            return;
        }
        let key = (fact.pair, fact.size);
        let table = &mut self.tables[predicate.index()];
        let (index, new) = table.facts.insert_full(fact);
        let id = index as u32;
        if new {
            self.facts[level.component] += 1;
            table.productions.push(Vec::new());
            table.ends.push(Vec::new());
            table.by_pair_and_size.entry(key).or_default().push(id);
            level.found.push((predicate, id));
        } else {
            // Only facts found from facts of the same size are met again.
            if level.round > 0 && table.productions[index].contains(&production) {
                return;
            }
            // Derivations must not go in circles: what a fact rests on was found before it.
            let since_own = level
                .found
                .iter()
                .skip_while(|&&known| known != (predicate, id));
            let children = callees.iter().zip(&production.children);
            let mut children = children.map(|(callee, &child)| (callee.predicate, child));
            if children.any(|child| since_own.clone().any(|&known| known == child)) {
                level.complete = false;
                return;
            }
        }
        self.tables[predicate.index()].productions[index].push(production);
    }
}

/// The facts of one component and size, in the making.
struct Level {
    component: usize,
    size: u32,
    /// Combinations looked at for the component so far.
    combinations: u64,
    /// New facts in the order of discovery.
    found: Vec<(PredId, u32)>,
    /// Whether nothing was left out.
    complete: bool,
    /// How often the productions were gone through.
    round: u32,
}

/// An instance whose base pair is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Callee {
    /// Its predicate.
    pub predicate: PredId,
    /// Its base pair.
    pub pair: u32,
    /// The smallest number of cells that the pair needs.
    pub smallest: u32,
}
