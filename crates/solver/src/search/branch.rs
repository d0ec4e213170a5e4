//! One branch of a question: a rule whose children can be given base pairs in some ways.

use heapwright_logic::{TermId, Terms};

use super::choices::{choices, choices_without};
use super::refutations::Refutations;
use crate::answer::Reason;
use crate::arith::rewritten;
use crate::candidate::{Derivable, Found};
use crate::numeric::combination::most_decisive_first;
use crate::numeric::completion::Callee;
use crate::numeric::{Summary, zone_conjuncts};
use crate::rules::{Numbers, Rule};
use crate::solver::Solver;

/// How many combinations of base pairs are looked at one by one.
const CHOICES: usize = 256;
/// Where there are more, the base pairs of children that have at most so many are looked at one
/// by one first.
const FEW_PAIRS: usize = 8;
/// Where a question fixes the number of cells, it is searched up to this many.
pub const FIXED_CELLS: u32 = 1_000;

/// A branch that is still to be searched.
pub struct Branch<'r> {
    /// Its position among the rules of the question.
    pub index: usize,
    /// The rule.
    pub rule: &'r Rule,
    /// The rule's arithmetic as a linear system.
    pub numbers: Numbers,
    /// The base pairs that its children can have.
    pub choices: Vec<Choice>,
    /// Whether the children cannot have other base pairs.
    pub complete: bool,
    /// The only number of cells that the children can have together, if it is known and small
    /// enough to be searched.
    pub fixed: Option<u32>,
    /// The order in which the children get facts, once it is known.
    pub order: Vec<usize>,
    /// The number of cells that its children are looked at with next.
    pub next: u32,
    /// Derivations tried in this stage of the search.
    pub attempts: u64,
    /// Whether there were more derivations than allowed in this stage.
    pub exhausted: bool,
    /// Why a derivation could not be decided.
    pub undecided: Option<Reason>,
}

/// Base pairs for the children of a branch, and how far they were explored.
pub struct Choice {
    /// One base pair per child.
    pub pairs: Vec<u32>,
    /// The smallest number of cells that they need.
    pub smallest: u32,
    /// A bound on the number of cells of their derivations, if one is known.
    pub largest: Option<u32>,
    /// Whether the summaries were asked, and do not refute it.
    pub checked: bool,
}

/// What is known about a branch before anything is searched.
pub enum Prepared<'r> {
    /// It has no model.
    Refuted,
    /// Its shape alone decides: it has a model.
    Derivable(Found),
    /// It is not decided, and cannot be.
    Unknown(Reason),
    /// It is to be searched.
    Open(Box<Branch<'r>>),
}

impl<'r> Branch<'r> {
    /// Looks at the arithmetic of a rule alone and at the shape of the whole.
    pub fn prepare(
        solver: &mut Solver,
        terms: &mut Terms,
        refutations: &mut Refutations,
        (index, rule): (usize, &'r Rule),
    ) -> Prepared<'r> {
        let mut numbers = Numbers::compile(terms, rule, &[]);
        // What is not linear is better looked at together with what the children say.
        if (numbers.linear || rule.children.is_empty())
            && !rule.scalars.is_empty()
            && refutations.refutes(solver.arith.as_mut(), terms, &rule.scalars)
        {
            return Prepared::Refuted;
        }
        let Solver {
            grammar,
            decisions,
            derivations,
            ..
        } = &mut *solver;
        let predicates = rule.children.iter().map(|child| child.predicate);
        let numeric = rule.has_scalars()
            || (predicates.clone()).any(|predicate| grammar.has_scalars(predicate));
        let pairs = if numeric { derivations } else { decisions };
        let mut complete = true;
        for predicate in predicates {
            complete &= pairs.ensure(grammar, predicate);
        }
        let limit = if numeric { CHOICES } else { 1 };
        let Some(mut chosen) = choices(pairs, rule, limit + 1) else {
            return Prepared::Unknown(Reason::TooManyReferences);
        };
        if chosen.is_empty() {
            return match complete {
                true => Prepared::Refuted,
                false => Prepared::Unknown(Reason::TooManyBasePairs),
            };
        }
        if !numeric {
            let derivation = Derivable::Pairs(chosen.swap_remove(0));
            let found = Found::Derivable(Box::new(rule.clone()), derivation);
            return Prepared::Derivable(found);
        }
        let mut summarised = Summarised {
            solver,
            terms,
            refutations,
            rule,
        };
        if complete && summarised.is_refuted(|_| None) {
            return Prepared::Refuted;
        }
        if complete
            && !numbers.linear
            && let Some(conjuncts) = summarised.conjuncts(|_| None)
            && let Some(scalars) = rewritten(summarised.terms, &conjuncts)
        {
            // What the summaries bound cannot overflow, and is linear without its wraps.
            let rule = Rule {
                scalars,
                ..rule.clone()
            };
            numbers = Numbers::compile(summarised.terms, &rule, &[]);
        }
        if chosen.len() > limit {
            let excluded = summarised.impossible_pairs();
            let pairs = &solver.derivations;
            chosen = choices_without(pairs, rule, limit + 1, &excluded).unwrap_or_default();
        }
        let complete = complete && chosen.len() <= limit;
        Branch::open(solver, index, rule, numbers, chosen, complete)
    }

    fn open(
        solver: &Solver,
        index: usize,
        rule: &'r Rule,
        numbers: Numbers,
        chosen: Vec<Vec<u32>>,
        complete: bool,
    ) -> Prepared<'r> {
        let own = rule.allocated.len() as i128;
        let cells = solver.completions.cells_fixed_by(rule, &numbers);
        if cells.is_some_and(|cells| cells < own) {
            return Prepared::Refuted;
        }
        // A huge number of cells is for counting.
        let fixed = (cells.and_then(|cells| u32::try_from(cells - own).ok()))
            .filter(|&below| below <= FIXED_CELLS);
        let largest = if rule.children.is_empty() {
            Some(0)
        } else {
            fixed
        };
        let smallest = |pairs: &[u32]| {
            let sizes = (rule.children.iter().zip(pairs))
                .map(|(child, &pair)| solver.derivations.of(child.predicate).sizes[pair as usize]);
            sizes.fold(0, u32::saturating_add)
        };
        let choices = (chosen.into_iter())
            .map(|pairs| Choice {
                smallest: smallest(&pairs),
                largest,
                checked: false,
                pairs,
            })
            .collect();
        Prepared::Open(Box::new(Branch {
            index,
            rule,
            numbers,
            choices,
            complete,
            fixed,
            order: Vec::new(),
            next: 0,
            attempts: 0,
            exhausted: false,
            undecided: None,
        }))
    }

    /// Cells of the rule itself.
    pub fn own_cells(&self) -> u32 {
        self.rule.allocated.len() as u32
    }

    /// Drops the choices that need no more than `size` cells (all, if none is given) and that
    /// the summaries refute.
    pub fn refute(
        &mut self,
        solver: &mut Solver,
        terms: &mut Terms,
        refutations: &mut Refutations,
        size: Option<u32>,
    ) {
        let mut summarised = Summarised {
            solver,
            terms,
            refutations,
            rule: self.rule,
        };
        self.choices.retain_mut(|choice| {
            if !choice.checked && size.is_none_or(|size| choice.smallest <= size) {
                choice.checked = true;
                return !summarised.is_refuted(|child| choice.pairs.get(child).copied());
            }
            true
        });
    }

    /// Chooses the order in which the children get facts.
    ///
    /// Precondition: the tables of the children reach as far as their smallest facts.
    pub fn arrange(&mut self, solver: &Solver, callees: &[Callee]) {
        if self.order.len() == callees.len() {
            return;
        }
        let determined: Vec<Vec<bool>> = (callees.iter())
            .map(|callee| {
                let table = solver.completions.table(callee.predicate);
                let smallest = table.with(callee.pair, callee.smallest).first();
                smallest.map_or(Vec::new(), |&fact| {
                    let values = table.fact(fact).values.iter();
                    values.map(Option::is_some).collect()
                })
            })
            .collect();
        self.order = most_decisive_first(&self.numbers, &determined);
    }
}

/// A rule together with the summaries of its children.
struct Summarised<'a> {
    solver: &'a mut Solver,
    terms: &'a mut Terms,
    refutations: &'a mut Refutations,
    rule: &'a Rule,
}

impl Summarised<'_> {
    /// What the rule and the summaries of its children say, given base pairs for some of them;
    /// nothing if a child is impossible.
    fn conjuncts(&mut self, pair_of: impl Fn(usize) -> Option<u32>) -> Option<Vec<TermId>> {
        let Solver {
            grammar,
            derivations,
            completions,
            summaries,
            ..
        } = &mut *self.solver;
        let mut conjuncts = self.rule.scalars.clone();
        for (position, child) in self.rule.children.iter().enumerate() {
            let systems = completions.systems();
            summaries.ensure(self.terms, grammar, derivations, systems, child.predicate);
            let summary = match pair_of(position) {
                Some(pair) => summaries.of(child.predicate, pair),
                None => summaries.of_any(child.predicate),
            };
            match summary {
                Summary::Empty => return None,
                Summary::Within(zone) => {
                    zone_conjuncts(self.terms, zone, &child.scalars, &mut conjuncts);
                }
            }
        }
        Some(conjuncts)
    }

    /// Whether what they say is contradictory.
    fn is_refuted(&mut self, pair_of: impl Fn(usize) -> Option<u32>) -> bool {
        self.conjuncts(pair_of).is_none_or(|conjuncts| {
            let arith = self.solver.arith.as_mut();
            self.refutations.refutes(arith, self.terms, &conjuncts)
        })
    }

    /// Base pairs that a child cannot have, whatever the others have.
    fn impossible_pairs(&mut self) -> Vec<(usize, u32)> {
        let mut impossible = Vec::new();
        for (position, child) in self.rule.children.iter().enumerate() {
            let relation = &self.solver.derivations.of(child.predicate).relation;
            let pairs = relation.active().to_vec();
            if pairs.len() > FEW_PAIRS {
                continue;
            }
            for pair in pairs {
                if self.is_refuted(|other| (other == position).then_some(pair)) {
                    impossible.push((position, pair));
                }
            }
        }
        impossible
    }
}
