//! Combinations of facts for the children of a rule, pruned while they are put together.
//!
//! After each child's fact the values that follow are propagated through the rule's linear
//! system, so siblings that do not go together (two subtrees whose heights differ by too much)
//! are never combined any further.

use super::completion::{Callee, Completions};
use super::propagate;
use crate::rules::{Numbers, Sum};

/// The children of a rule, and what relates them.
pub struct Combinations<'a> {
    completions: &'a Completions,
    callees: &'a [Callee],
    numbers: &'a Numbers,
    /// The order in which the children get their facts.
    order: &'a [usize],
    /// For each position in the order, the cells that the children from there on need.
    needed: Vec<u32>,
    /// One fact per child.
    chosen: Vec<u32>,
    /// What the facts chosen so far say about the children's arguments.
    equations: Vec<(&'a Sum, i128)>,
    /// The values known after each choice.
    values: Vec<Vec<Option<i128>>>,
    /// Facts tried so far, at any child.
    pub tried: u64,
    limit: u64,
}

impl<'a> Combinations<'a> {
    /// All combinations for these children, which get their facts in the given order.
    pub fn new(
        completions: &'a Completions,
        callees: &'a [Callee],
        numbers: &'a Numbers,
        order: &'a [usize],
    ) -> Self {
        let mut needed = vec![0; order.len() + 1];
        for (position, &child) in order.iter().enumerate().rev() {
            let rest: u32 = needed[position + 1];
            needed[position] = rest.saturating_add(callees[child].smallest);
        }
        Combinations {
            completions,
            callees,
            numbers,
            order,
            needed,
            chosen: vec![0; callees.len()],
            equations: Vec::new(),
            values: vec![vec![None; numbers.variables.len()]; order.len() + 1],
            tried: 0,
            limit: u64::MAX,
        }
    }

    /// Gives up after this many facts were tried.
    pub fn with_limit(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// Calls `visit` with the facts of every combination that has `size` cells, and with the
    /// values of the head's parameters that follow, while it returns true. Returns whether
    /// nothing was left out.
    pub fn each(
        &mut self,
        size: u32,
        visit: &mut impl FnMut(&[u32], &[Option<i128>]) -> bool,
    ) -> bool {
        if !propagate(self.numbers, &[], &mut self.values[0]) {
            return true;
        }
        self.from(0, size, visit)
    }

    fn from(
        &mut self,
        position: usize,
        size: u32,
        visit: &mut impl FnMut(&[u32], &[Option<i128>]) -> bool,
    ) -> bool {
        let Some(&child) = self.order.get(position) else {
            let head = &self.values[position][..self.numbers.params];
            return size > 0 || visit(&self.chosen, head);
        };
        let Some(largest) = size.checked_sub(self.needed[position + 1]) else {
            return true;
        };
        let Callee {
            predicate,
            pair,
            smallest,
        } = self.callees[child];
        let last = position + 1 == self.order.len();
        let table = self.completions.table(predicate);
        for own in if last { size } else { smallest }..=largest {
            for &fact in table.with(pair, own) {
                if self.tried >= self.limit {
                    return false;
                }
                self.tried += 1;
                self.chosen[child] = fact;
                let known = self.equations.len();
                let args = self.numbers.children[child].iter();
                for (arg, value) in args.zip(&table.fact(fact).values) {
                    if let (Some(arg), Some(value)) = (arg, value) {
                        self.equations.push((arg, *value));
                    }
                }
                let (before, after) = self.values.split_at_mut(position + 1);
                after[0].clone_from(&before[position]);
                let go_on = !propagate(self.numbers, &self.equations, &mut after[0])
                    || self.from(position + 1, size - own, visit);
                self.equations.truncate(known);
                if !go_on {
                    return false;
                }
            }
        }
        true
    }
}

/// An order of the children in which as many constraints as possible can be checked as early
/// as possible. Next come the child, or if no child alone makes a difference the two children,
/// after which most constraints have only known variables; among those, the ones that determine
/// most variables.
///
/// `determined` tells for each child which of its parameters its facts have values for.
pub fn most_decisive_first(numbers: &Numbers, determined: &[Vec<bool>]) -> Vec<usize> {
    let mut known = Known::new(numbers);
    let mut left: Vec<usize> = (0..determined.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let before = known.score(numbers).0;
        let best = |candidates: &mut dyn Iterator<Item = Vec<usize>>| {
            let mut best: Option<((usize, usize), Vec<usize>, Known)> = None;
            for children in candidates {
                let mut next = known.clone();
                next.add(numbers, &children, determined);
                let score = next.score(numbers);
                if best.as_ref().is_none_or(|(most, ..)| score > *most) {
                    best = Some((score, children, next));
                }
            }
            best
        };
        let alone = best(&mut left.iter().map(|&child| vec![child]));
        let together = match &alone {
            Some((score, ..)) if score.0 == before => {
                let pairs = (left.iter().enumerate()).flat_map(|(index, &first)| {
                    left[index + 1..]
                        .iter()
                        .map(move |&second| vec![first, second])
                });
                best(&mut pairs.into_iter()).filter(|(score, ..)| score.0 > before)
            }
            _ => None,
        };
        let Some((_, children, next)) = together.or(alone) else {
            break;
        };
        left.retain(|child| !children.contains(child));
        order.extend(children);
        known = next;
    }
    order
}

/// Which variables have values, whatever these are.
#[derive(Clone)]
struct Known {
    variables: Vec<bool>,
    /// What the children chosen so far say: equations with these arguments.
    children: Vec<(usize, usize)>,
}

impl Known {
    fn new(numbers: &Numbers) -> Known {
        let mut known = Known {
            variables: vec![false; numbers.variables.len()],
            children: Vec::new(),
        };
        known.add(numbers, &[], &[]);
        known
    }

    fn unknowns(&self, sum: &Sum) -> usize {
        let summands = sum.summands.iter();
        summands
            .filter(|&&(variable, _)| !self.variables[variable])
            .count()
    }

    fn knows(&self, sums: &[Sum]) -> bool {
        sums.iter().all(|sum| self.unknowns(sum) == 0)
    }

    /// Takes the facts of some children for known, and what follows from equations.
    fn add(&mut self, numbers: &Numbers, children: &[usize], determined: &[Vec<bool>]) {
        for &child in children {
            let params = determined[child].iter().enumerate();
            let known = params.filter(|(_, known)| **known);
            self.children.extend(known.map(|(param, _)| (child, param)));
        }
        let args: Vec<&Sum> = (self.children.iter())
            .filter_map(|&(child, param)| numbers.children[child].get(param)?.as_ref())
            .collect();
        loop {
            let mut progress = false;
            let mut solve = |known: &mut Known, sum: &Sum| {
                if known.unknowns(sum) == 1 {
                    for &(variable, _) in &sum.summands {
                        known.variables[variable] = true;
                    }
                    progress = true;
                }
            };
            for sum in numbers.zero.iter().chain(args.iter().copied()) {
                solve(self, sum);
            }
            for clause in &numbers.clauses {
                // Conditions that can be checked tell the alternatives apart.
                if (clause.iter()).all(|alternative| self.knows(&alternative.at_most_zero)) {
                    for sum in clause.iter().flat_map(|alternative| &alternative.zero) {
                        solve(self, sum);
                    }
                }
            }
            if !progress {
                break;
            }
        }
    }

    /// How many constraints can be checked, and how many variables are known.
    fn score(&self, numbers: &Numbers) -> (usize, usize) {
        let constraints = (numbers.zero.iter())
            .chain(&numbers.at_most_zero)
            .chain(&numbers.not_zero);
        let checked = constraints.filter(|sum| self.unknowns(sum) == 0).count();
        let known = self.variables.iter().filter(|known| **known).count();
        (checked, known)
    }
}
