//! The search for a model of one question, cheapest means first.
//!
//! A question has several branches: its disjuncts, and the branches of their disjunctive normal
//! forms. All of them go through each stage before any goes through the next, so the first
//! model found is a smallest one, and larger heaps are looked at only if there is no smaller
//! model in any branch.
//!
//! 1. The arithmetic of a branch alone, its shape, and the summaries of its children may refute
//!    it. Without numbers, shape decides.
//! 2. Small models are looked for, by number of cells. Base pairs take part from the number of
//!    cells on that they need, unless their summaries refute them.
//! 3. Counting refutes what is left, proves it, or bounds the number of cells.
//! 4. Larger models are looked for.

mod branch;
mod choices;
mod counting;
mod refutations;
mod sizes;

use std::collections::BTreeSet;

use heapwright_logic::Terms;

use crate::answer::Reason;
use crate::candidate::Found;
use crate::rules::Rule;
use crate::solver::Solver;
use branch::{Branch, FIXED_CELLS, Prepared};
pub use choices::choices;
use refutations::Refutations;

/// Up to this many cells of the children, small models are looked for before counting.
const FEW_CELLS: u32 = 8;
/// And up to this many derivations per branch.
const FEW_ATTEMPTS: u64 = 64;
/// Larger ones are looked for before counting while there is nothing to be attempted, and only
/// so many facts are tried.
const FEW_FACTS: u64 = 20_000;
/// Combinations of facts that are looked at for heaps beyond the configured size.
const CHEAP_COMBINATIONS: u64 = 100_000;

/// What is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Any model.
    Any,
    /// A model with as few cells as possible.
    Smallest,
}

/// The search for one question, given as the rules of its branches.
pub struct Search<'a, 'r> {
    solver: &'a mut Solver,
    terms: &'a mut Terms,
    branches: Vec<Branch<'r>>,
    refutations: Refutations,
    /// Facts tried so far.
    tried: u64,
    /// What the shape alone decides, with its branch and number of cells.
    known: Option<(usize, Found, u32)>,
    unknown: Option<Reason>,
}

impl<'a, 'r> Search<'a, 'r> {
    /// Searches the branches. A model comes with the index of the branch it was found in.
    pub fn run(
        solver: &'a mut Solver,
        terms: &'a mut Terms,
        rules: &'r [Rule],
        goal: Goal,
    ) -> (usize, Found) {
        let mut search = Search {
            solver,
            terms,
            branches: Vec::new(),
            refutations: Refutations::default(),
            tried: 0,
            known: None,
            unknown: None,
        };
        search.prepare(rules, goal);
        if goal == Goal::Smallest || search.known.is_none() {
            if let Some(found) = search.small() {
                return found;
            }
            if search.known.is_none()
                && let Some(found) = search.large()
            {
                return found;
            }
        }
        match (search.known, search.unknown) {
            (Some((index, found, _)), _) => (index, found),
            (None, Some(reason)) => (0, Found::Unknown(reason)),
            (None, None) => (0, Found::Nothing),
        }
    }

    fn prepare(&mut self, rules: &'r [Rule], goal: Goal) {
        for (index, rule) in rules.iter().enumerate() {
            if self.solver.is_late() {
                return self.give_up(Reason::OutOfTime);
            }
            let branch = (index, rule);
            match Branch::prepare(self.solver, self.terms, &mut self.refutations, branch) {
                Prepared::Refuted => {}
                Prepared::Unknown(reason) => self.give_up(reason),
                Prepared::Open(branch) => self.branches.push(*branch),
                Prepared::Derivable(found) => {
                    let cells = found.cells(self.solver);
                    if self.known.as_ref().is_none_or(|known| cells < known.2) {
                        self.known = Some((index, found, cells));
                    }
                    if goal == Goal::Any {
                        return;
                    }
                }
            }
        }
    }

    fn give_up(&mut self, reason: Reason) {
        self.unknown.get_or_insert(reason);
    }

    /// Looks for models with few cells, and where the number of cells is fixed, with those.
    fn small(&mut self) -> Option<(usize, Found)> {
        let mut totals: BTreeSet<u32> = BTreeSet::new();
        for branch in &self.branches {
            let own = branch.own_cells();
            match branch.fixed {
                Some(fixed) => totals.extend([own + fixed]),
                None => totals.extend(own..=own + self.solver.config.cells.max(FEW_CELLS)),
            }
        }
        let most = self.known.as_ref().map_or(u32::MAX, |known| known.2);
        let all = self.solver.config.attempts;
        for total in totals.into_iter().take_while(|&total| total < most) {
            let found = self.each_branch(|search, branch| {
                let size = total.checked_sub(branch.own_cells())?;
                match branch.fixed {
                    Some(fixed) if fixed == size => search.with_size(branch, size, all),
                    None if size <= FEW_CELLS || search.is_vain(branch, size) => {
                        search.with_size(branch, size, FEW_ATTEMPTS)
                    }
                    _ => None,
                }
            });
            if found.is_some() {
                return found;
            }
        }
        self.close_branches();
        None
    }

    /// Counting, and models with more cells.
    fn large(&mut self) -> Option<(usize, Found)> {
        let found = self.each_branch(|search, branch| {
            branch.refute(search.solver, search.terms, &mut search.refutations, None);
            search.count(branch)
        });
        if found.is_some() {
            return found;
        }
        self.close_branches();
        let limit = self.solver.config.cells;
        for branch in &mut self.branches {
            // What was cut short starts again.
            branch.next = if branch.exhausted { 0 } else { branch.next };
            (branch.exhausted, branch.attempts) = (branch.fixed.is_some(), 0);
        }
        let all = self.solver.config.attempts;
        let least = self.branches.iter().map(Branch::own_cells).min()?;
        let most = self.branches.iter().map(Branch::own_cells).max()?;
        for total in least..=most + FIXED_CELLS {
            let found = self.each_branch(|search, branch| {
                let size = total.checked_sub(branch.own_cells())?;
                let cheap = size <= limit || search.is_cheap(branch, size);
                if branch.next <= size && cheap {
                    search.with_size(branch, size, all)
                } else {
                    None
                }
            });
            if found.is_some() {
                return found;
            }
            let open = |branch: &Branch<'_>| {
                let may_grow =
                    total < branch.own_cells() + limit || branch.next + branch.own_cells() > total;
                !branch.exhausted && !branch.choices.is_empty() && may_grow
            };
            if !self.branches.iter().any(open) {
                break;
            }
        }
        self.close_branches();
        if !self.branches.is_empty() {
            self.give_up(Reason::Exhausted { cells: limit });
        }
        None
    }

    /// Whether there was nothing to be attempted so far, and that was cheap to find out.
    fn is_vain(&mut self, branch: &Branch<'_>, size: u32) -> bool {
        branch.attempts == 0
            && self.tried <= FEW_FACTS
            && self.table_costs(branch, FEW_CELLS, size) <= FEW_FACTS
    }

    /// Whether larger heaps than configured may be looked at, because there are few derivations
    /// to be tabulated, as for trees that have to be perfect.
    fn is_cheap(&mut self, branch: &Branch<'_>, size: u32) -> bool {
        let limit = self.solver.config.cells;
        self.table_costs(branch, limit, size) <= CHEAP_COMBINATIONS
    }

    /// How many combinations it took to tabulate what the children of a branch need from
    /// beyond `first` up to below `size` cells. Without a limit if sizes before were left out.
    fn table_costs(&mut self, branch: &Branch<'_>, first: u32, size: u32) -> u64 {
        let Solver {
            grammar,
            derivations,
            completions,
            ..
        } = &mut *self.solver;
        let Some(before) = size.checked_sub(1).filter(|_| branch.next == size) else {
            return u64::MAX;
        };
        for child in &branch.rule.children {
            completions.ensure(grammar, derivations, child.predicate, before);
        }
        let up_to = |size| completions.combinations(grammar, branch.rule, size);
        up_to(before).saturating_sub(up_to(first))
    }

    /// Goes through the branches in which something is left to be tried.
    fn each_branch(
        &mut self,
        mut look: impl FnMut(&mut Self, &mut Branch<'r>) -> Option<Found>,
    ) -> Option<(usize, Found)> {
        let mut branches = std::mem::take(&mut self.branches);
        let mut found = None;
        for branch in &mut branches {
            if self.solver.is_late() {
                branch.undecided = Some(Reason::OutOfTime);
                branch.exhausted = true;
                continue;
            }
            found = look(self, branch).map(|found| (branch.index, found));
            if found.is_some() {
                break;
            }
        }
        self.branches = branches;
        found
    }

    /// Ends the branches in which nothing is left to be tried, or nothing can be decided.
    fn close_branches(&mut self) {
        for branch in std::mem::take(&mut self.branches) {
            match branch.undecided {
                Some(reason) => self.give_up(reason),
                None if !branch.choices.is_empty() => self.branches.push(branch),
                None if branch.complete => {}
                None => self.give_up(Reason::TooManyBasePairs),
            }
        }
    }
}
