//! Branch and bound for set cover: some set must have the element that the fewest sets have.

use std::cmp::Reverse;

use super::bit_set::BitSet;
use super::set_cover::{Cost, Problem};

/// The cheapest cover that is found within a budget of sets and elements looked at, at most as
/// expensive as the one given; and whether it is known that none is cheaper.
pub(super) fn improve(problem: &Problem, cover: Vec<usize>, budget: usize) -> (Vec<usize>, bool) {
    let mut search = Search::new(problem, cover, budget);
    search.descend(&problem.elements, &mut Vec::new(), Cost::ZERO);
    (search.best, search.budget > 0)
}

/// What a search knows.
struct Search<'p> {
    problem: &'p Problem,
    /// The sets that have an element.
    having: Vec<Vec<usize>>,
    /// The elements that share a set with an element.
    neighbours: Vec<BitSet>,
    /// The cost of the cheapest set that has an element.
    cheapest: Vec<Cost>,
    /// The elements, those with the fewest neighbours first.
    isolated_first: Vec<usize>,
    best: Vec<usize>,
    best_cost: Cost,
    /// The number of elements of the largest set.
    largest: usize,
    budget: usize,
}

impl<'p> Search<'p> {
    fn new(problem: &'p Problem, best: Vec<usize>, budget: usize) -> Self {
        let mut having = vec![Vec::new(); problem.bound];
        let mut neighbours = vec![BitSet::new(problem.bound); problem.bound];
        let mut cheapest = vec![Cost::ZERO; problem.bound];
        for (index, set) in problem.sets.iter().enumerate() {
            for element in set
                .elements
                .iter()
                .filter(|&element| element < problem.bound)
            {
                let first = having[element].is_empty();
                if first || set.cost < cheapest[element] {
                    cheapest[element] = set.cost;
                }
                having[element].push(index);
                neighbours[element].add(&set.elements);
            }
        }
        let mut isolated_first: Vec<usize> = problem.elements.iter().collect();
        isolated_first.sort_by_key(|&element| (neighbours[element].len(), element));
        let sizes = problem.sets.iter().map(|set| set.elements.len());
        Search {
            having,
            neighbours,
            cheapest,
            isolated_first,
            best_cost: problem.cost(&best),
            best,
            largest: sizes.max().unwrap_or(0).max(1),
            problem,
            budget,
        }
    }

    /// Looks for covers of what is uncovered that are better together with what is chosen. Goes as
    /// deep as the best cover has sets, because every set costs at least one.
    fn descend(&mut self, uncovered: &BitSet, chosen: &mut Vec<usize>, cost: Cost) {
        self.work(self.isolated_first.len());
        if self.budget == 0 || cost + self.lower_bound(uncovered) >= self.best_cost {
            return;
        }
        let rarest = uncovered
            .iter()
            .min_by_key(|&element| self.having[element].len());
        let Some(rarest) = rarest else {
            self.best = chosen.clone();
            self.best_cost = cost;
            return;
        };
        let sets = &self.problem.sets;
        let candidates = self.having[rarest].iter().map(|&set| {
            let new = sets[set].elements.common(uncovered);
            (Reverse(new), sets[set].cost, set)
        });
        let mut candidates: Vec<_> = candidates.collect();
        candidates.sort_unstable();
        self.work(candidates.len());
        let count = uncovered.len();
        for (Reverse(new), set_cost, set) in candidates {
            // No set has more elements than the largest one. Those that follow have even less.
            let missing = (count - new).div_ceil(self.largest) as u64;
            let cost = cost + set_cost;
            if self.budget == 0 || cost.0[0] + missing > self.best_cost.0[0] {
                break;
            }
            chosen.push(set);
            self.descend(&uncovered.without(&sets[set].elements), chosen, cost);
            chosen.pop();
        }
    }

    fn work(&mut self, amount: usize) {
        self.budget = self.budget.saturating_sub(amount);
    }

    /// Elements no two of which share a set need one set each.
    fn lower_bound(&self, uncovered: &BitSet) -> Cost {
        let mut bound = Cost::ZERO;
        let mut shared = BitSet::new(self.problem.bound);
        for &element in &self.isolated_first {
            if uncovered.contains(element) && !shared.contains(element) {
                bound = bound + self.cheapest[element];
                shared.add(&self.neighbours[element]);
            }
        }
        bound
    }
}
