//! The search for a model of one question, cheapest means first.
//!
//! 1. The arithmetic of the question alone, and the shape of the whole: either may refute it.
//! 2. Without numbers, shape decides.
//! 3. Numeric summaries refute combinations of base pairs.
//! 4. Small models are looked for, by number of cells.
//! 5. Counting refutes what is left, proves it, or bounds the number of cells.
//! 6. Larger models are looked for.

use std::ops::ControlFlow;

use heapwright_logic::{Terms, Value, VarId};

use crate::answer::Reason;
use crate::arith::{Assignment, Outcome};
use crate::candidate::{Candidate, Derivable, Found};
use crate::model::{Plan, Skeleton};
use crate::numeric::counting::Counting;
use crate::numeric::{Summary, zone_conjuncts};
use crate::rules::{Numbers, Rule};
use crate::shape::{BasePairs, Join};
use crate::solver::Solver;

/// How many combinations of base pairs are looked at one by one.
const CHOICES: usize = 256;
/// Up to this many cells, small models are looked for before counting.
const FEW_CELLS: u32 = 8;
/// And up to this many derivations.
const FEW_ATTEMPTS: u64 = 64;

/// Where a question fixes the number of cells, it is searched up to this many.
const FIXED_CELLS: u32 = 1_000;
/// Combinations of facts that are looked at for heaps beyond the configured size.
const CHEAP_COMBINATIONS: u64 = 100_000;
/// The largest derivation that is tried because of its counts alone.
const COUNTED_STEPS: usize = 20_000;

/// The search for one question.
pub struct Search<'a> {
    solver: &'a mut Solver,
    terms: &'a mut Terms,
    rule: Rule,
    /// Only models with fewer cells are of interest; nothing is to be proved.
    below: Option<u32>,
    attempts: u64,
}

/// Base pairs for the question's children, and how far they were explored.
struct Choice {
    pairs: Vec<u32>,
    /// A bound on the number of cells of their derivations, if one is known.
    largest: Option<u32>,
}

/// A stage of the search that ends with a result, or goes on with what it learned.
type Stage<T> = ControlFlow<Found, T>;

impl<'a> Search<'a> {
    /// Prepares a search.
    pub fn new(
        solver: &'a mut Solver,
        terms: &'a mut Terms,
        rule: Rule,
        below: Option<u32>,
    ) -> Self {
        Search {
            solver,
            terms,
            rule,
            below,
            attempts: 0,
        }
    }

    /// Searches.
    pub fn run(self) -> Found {
        if !self.rule.scalars.is_empty()
            && let Outcome::Unsat(_) = self.solver.arith.check(self.terms, &self.rule.scalars)
        {
            return Found::Nothing;
        }
        let Solver {
            grammar,
            decisions,
            derivations,
            ..
        } = &mut *self.solver;
        let children = &self.rule.children;
        let numeric = self.rule.has_scalars()
            || children
                .iter()
                .any(|child| grammar.has_scalars(child.predicate));
        let pairs = if numeric { derivations } else { decisions };
        let mut complete = true;
        for child in children {
            complete &= pairs.ensure(grammar, child.predicate);
        }
        let limit = if numeric { CHOICES } else { 1 };
        let Some(choices) = choices(pairs, &self.rule, limit + 1) else {
            return Found::Unknown(Reason::TooManyReferences);
        };
        match choices.first() {
            None if complete => Found::Nothing,
            None => Found::Unknown(Reason::TooManyBasePairs),
            Some(choice) if !numeric => {
                let derivation = Derivable::Pairs(choice.clone());
                let found = Found::Derivable(Box::new(self.rule), derivation);
                match self.below {
                    Some(below) if found.cells(self.solver) >= below => Found::Nothing,
                    _ => found,
                }
            }
            Some(_) => {
                complete &= choices.len() <= limit;
                match self.with_numbers(choices, complete) {
                    ControlFlow::Break(found) => found,
                    ControlFlow::Continue(reason) => Found::Unknown(reason),
                }
            }
        }
    }

    /// `complete` says whether there are no other choices.
    fn with_numbers(mut self, choices: Vec<Vec<u32>>, complete: bool) -> Stage<Reason> {
        let mut choices: Vec<Choice> = (choices.into_iter())
            .filter(|pairs| !self.is_refuted_by_summaries(pairs))
            .map(|pairs| Choice {
                pairs,
                largest: None,
            })
            .collect();
        let numbers = Numbers::compile(self.terms, &self.rule, &[]);
        self.ended(&choices, complete)?;
        let fixed = self.solver.completions.cells_fixed_by(&self.rule, &numbers);
        if let Some(cells) = fixed {
            self.with_cells(&numbers, &mut choices, cells)?;
            self.ended(&choices, complete)?;
        }
        let start = match (self.below, self.rule.children.is_empty()) {
            (Some(below), _) => match below.checked_sub(self.rule.allocated.len() as u32 + 1) {
                Some(start) => start.min(FEW_CELLS),
                None => return ControlFlow::Break(Found::Nothing),
            },
            (None, true) => 0,
            (None, false) => FEW_CELLS,
        };
        let tried = self.up_to(&numbers, &mut choices, 0..=start, FEW_ATTEMPTS)?;
        if self.below.is_some() {
            return ControlFlow::Break(Found::Nothing);
        }
        self.ended(&choices, complete)?;
        self.count(&mut choices)?;
        self.ended(&choices, complete)?;
        let limit = self.solver.config.cells;
        self.attempts = 0;
        let first = tried.map_or(0, |()| start + 1);
        let attempts = self.solver.config.attempts;
        let tried = self.up_to(&numbers, &mut choices, first..=limit, attempts)?;
        self.ended(&choices, complete)?;
        if tried.is_some() {
            self.while_cheap(&numbers, &mut choices, limit + 1)?;
            self.ended(&choices, complete)?;
        }
        ControlFlow::Continue(Reason::Exhausted { cells: limit })
    }

    /// Searches the only possible number of cells, if it is not too large.
    fn with_cells(
        &mut self,
        numbers: &Numbers,
        choices: &mut Vec<Choice>,
        cells: i128,
    ) -> Stage<()> {
        if self.below.is_some_and(|below| cells >= i128::from(below)) {
            return ControlFlow::Break(Found::Nothing);
        }
        let own = self.rule.allocated.len() as i128;
        let Ok(below) = u32::try_from(cells - own) else {
            // A negative number of cells is impossible; a huge one is for counting.
            if cells < own {
                choices.clear();
            }
            return ControlFlow::Continue(());
        };
        if below > FIXED_CELLS {
            return ControlFlow::Continue(());
        }
        for choice in choices.iter_mut() {
            choice.largest = Some(below);
        }
        let attempts = self.solver.config.attempts;
        self.up_to(numbers, choices, below..=below, attempts)?;
        ControlFlow::Continue(())
    }

    /// Goes on with larger heaps as long as there are few derivations to be tabulated, as for
    /// trees that have to be perfect.
    fn while_cheap(
        &mut self,
        numbers: &Numbers,
        choices: &mut Vec<Choice>,
        first: u32,
    ) -> Stage<()> {
        let attempts = self.solver.config.attempts;
        let start = self.solver.completions.combinations();
        for size in first..=FIXED_CELLS {
            let cost = self.solver.completions.combinations() - start;
            if choices.is_empty() || cost > CHEAP_COMBINATIONS {
                break;
            }
            if self
                .up_to(numbers, choices, size..=size, attempts)?
                .is_none()
            {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Ends the search if nothing is left to be tried.
    fn ended(&self, choices: &[Choice], complete: bool) -> Stage<()> {
        if !choices.is_empty() {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(if complete {
            Found::Nothing
        } else {
            Found::Unknown(Reason::TooManyBasePairs)
        })
    }

    fn is_refuted_by_summaries(&mut self, pairs: &[u32]) -> bool {
        let Solver {
            grammar,
            derivations,
            completions,
            summaries,
            arith,
            ..
        } = &mut *self.solver;
        let mut conjuncts = self.rule.scalars.clone();
        for (child, &pair) in self.rule.children.iter().zip(pairs) {
            let systems = completions.systems();
            summaries.ensure(self.terms, grammar, derivations, systems, child.predicate);
            match summaries.of(child.predicate, pair) {
                Summary::Empty => return true,
                Summary::Within(zone) => {
                    zone_conjuncts(self.terms, zone, &child.scalars, &mut conjuncts);
                }
            }
        }
        matches!(arith.check(self.terms, &conjuncts), Outcome::Unsat(_))
    }

    /// Looks for models of the sizes given, with a limit on attempts. Choices that have no
    /// larger derivations are removed. Goes on with nothing if the limit was reached.
    fn up_to(
        &mut self,
        numbers: &Numbers,
        choices: &mut Vec<Choice>,
        sizes: std::ops::RangeInclusive<u32>,
        attempts: u64,
    ) -> Stage<Option<()>> {
        let mut undecided = None;
        for size in sizes {
            for choice in choices.iter() {
                match self.of_size(numbers, &choice.pairs, size, attempts) {
                    Ok(Some(candidate)) => {
                        let rule = Box::new(self.rule.clone());
                        return ControlFlow::Break(Found::Model(rule, Box::new(candidate)));
                    }
                    Ok(None) => {}
                    Err(reason) => undecided = Some(reason),
                }
                if self.attempts > attempts {
                    return match undecided {
                        Some(reason) => ControlFlow::Break(Found::Unknown(reason)),
                        None => ControlFlow::Continue(None),
                    };
                }
            }
            let Solver {
                grammar,
                completions,
                ..
            } = &*self.solver;
            if undecided.is_none() && completions.is_complete(grammar, &self.rule, size) {
                choices.retain(|choice| choice.largest.is_none_or(|largest| largest > size));
            }
            if choices.is_empty() {
                break;
            }
        }
        match undecided {
            Some(reason) => ControlFlow::Break(Found::Unknown(reason)),
            None => ControlFlow::Continue(Some(())),
        }
    }

    /// Looks for a model whose instances have these base pairs and `size` cells together.
    fn of_size(
        &mut self,
        numbers: &Numbers,
        pairs: &[u32],
        size: u32,
        attempts: u64,
    ) -> Result<Option<Candidate>, Reason> {
        let Solver {
            grammar,
            derivations,
            completions,
            ..
        } = &mut *self.solver;
        let callees = completions.callees(grammar, derivations, &self.rule, pairs, size);
        let mut combinations: Vec<Vec<u32>> = Vec::new();
        let room = attempts.saturating_sub(self.attempts) as usize + 1;
        completions.combine(&callees, size, &mut Vec::new(), &mut |facts| {
            if completions.head_values(&callees, numbers, facts).is_some() {
                combinations.push(facts.to_vec());
            }
            combinations.len() < room
        });
        let mut undecided = None;
        for facts in combinations {
            let derivations = self.solver.completions.count(&callees, &facts);
            for index in 0..derivations {
                self.attempts += 1;
                if self.attempts > attempts {
                    return undecided.map_or(Ok(None), Err);
                }
                match self.attempt(&facts, index) {
                    Ok(Some(candidate)) => return Ok(Some(candidate)),
                    Ok(None) => {}
                    Err(reason) => undecided = Some(reason),
                }
            }
        }
        undecided.map_or(Ok(None), Err)
    }

    /// Solves the arithmetic of one derivation.
    fn attempt(&mut self, facts: &[u32], index: u64) -> Result<Option<Candidate>, Reason> {
        let Solver {
            grammar,
            completions,
            config,
            ..
        } = &*self.solver;
        let plan = Plan {
            grammar,
            question: &self.rule,
            limit: config.steps,
        };
        let mut skeleton = Skeleton::default();
        (skeleton.unrank(plan, completions, facts, index, &mut Vec::new()))
            .map_err(|_| Reason::ModelTooLarge)?;
        Candidate::solve(self.solver, self.terms, &self.rule, skeleton)
    }

    /// Asks the Parikh images of the choices: which are impossible, which certain, and how
    /// large the others can get.
    fn count(&mut self, choices: &mut Vec<Choice>) -> Stage<()> {
        let mut kept = Vec::new();
        for mut choice in std::mem::take(choices) {
            let Solver {
                grammar,
                derivations,
                completions,
                summaries,
                arith,
                config,
                ..
            } = &mut *self.solver;
            let mut conjuncts = self.rule.scalars.clone();
            let mut cells = self.terms.int(0);
            let mut counted = Vec::new();
            for (child, &pair) in self.rule.children.iter().zip(&choice.pairs) {
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
                Outcome::Unsat(_) => continue,
                Outcome::Sat(assignment) if all => {
                    let exact = counted.iter().all(|(_, counting, _)| counting.exact);
                    let tells_cells = counted.iter().all(|(_, counting, _)| counting.tells_cells);
                    // More cells than those searched anyway?
                    let most = self.terms.int(i128::from(config.cells));
                    conjuncts.push(self.terms.lt(most, cells));
                    if tells_cells && let Outcome::Unsat(_) = arith.check(self.terms, &conjuncts) {
                        choice.largest = Some(config.cells);
                    }
                    let counts = with_counts(counted, &assignment);
                    if exact && self.rule.exact {
                        let rule = Box::new(self.rule.clone());
                        let derivation = Derivable::Counts(counts);
                        return ControlFlow::Break(Found::Derivable(rule, derivation));
                    }
                    self.try_counts(&counts)?;
                }
                _ => {}
            }
            kept.push(choice);
        }
        *choices = kept;
        ControlFlow::Continue(())
    }
}

impl Search<'_> {
    /// Tries a derivation that uses each production as often as counted. If its arithmetic has
    /// no solution, another derivation may still have one.
    fn try_counts(&mut self, counts: &[(u32, Counting, Vec<u64>)]) -> Stage<()> {
        let plan = Plan {
            grammar: &self.solver.grammar,
            question: &self.rule,
            limit: COUNTED_STEPS,
        };
        if let Ok(skeleton) = Skeleton::from_counts(plan, &self.solver.derivations, counts)
            && let Ok(Some(candidate)) =
                Candidate::solve(self.solver, self.terms, &self.rule, skeleton)
        {
            let rule = Box::new(self.rule.clone());
            return ControlFlow::Break(Found::Model(rule, Box::new(candidate)));
        }
        ControlFlow::Continue(())
    }
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

/// Consistent base pairs for the children of a rule, at most `limit` combinations; nothing if
/// the rule has too many references.
pub(crate) fn choices(pairs: &BasePairs, rule: &Rule, limit: usize) -> Option<Vec<Vec<u32>>> {
    match rule.nodes() {
        0..=64 => Some(choices_within::<1>(pairs, rule, limit)),
        65..=256 => Some(choices_within::<4>(pairs, rule, limit)),
        257..=1024 => Some(choices_within::<16>(pairs, rule, limit)),
        1025..=4096 => Some(choices_within::<64>(pairs, rule, limit)),
        _ => None,
    }
}

fn choices_within<const W: usize>(pairs: &BasePairs, rule: &Rule, limit: usize) -> Vec<Vec<u32>> {
    let mut choices = Vec::new();
    let _ = Join::<W>::default().run(rule, pairs, &[], &mut |_, chosen| {
        choices.push(chosen.iter().flatten().copied().collect());
        if choices.len() < limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    choices
}
