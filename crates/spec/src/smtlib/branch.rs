//! Disjunctive form: a formula as a list of symbolic heaps.
//!
//! `or` and `exists` move to the outside while a formula is read. What one branch quantifies
//! belongs to it alone, so a branch that is needed twice is renamed for its second use.

use heapwright_logic::{Substitution, SymbolicHeap, Term, TermId, Terms, VarId};
use rustc_hash::FxHashSet;

/// One disjunct.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    pub heap: SymbolicHeap,
    /// Whether it says anything about the heap (`emp` does); otherwise it is pure and holds
    /// on every heap.
    pub spatial: bool,
}

/// How two branches are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Junction {
    /// `and`: both hold of the same heap.
    And,
    /// `sep`: they hold of separate parts.
    Sep,
}

/// Why two lists of branches cannot be joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum JoinError {
    /// Two spatial formulas would have to hold of the same heap.
    TwoSpatial,
    /// The result has too many disjuncts.
    TooMany,
    /// The result is too large.
    TooLarge,
}

/// The most disjuncts that one formula may have.
pub(super) const MAX_DISJUNCTS: usize = 10_000;

/// A bound on the work that one script may cause, in nodes of terms and atoms of heaps.
///
/// A script can describe a formula exponentially larger than itself, by `let`, by function
/// definitions, or by `or` inside `sep`.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    pub const fn new() -> Self {
        Budget { left: 10_000_000 }
    }

    /// Spends what some step costs; false when there was not enough.
    #[must_use]
    pub fn spend(&mut self, cost: u64) -> bool {
        let enough = cost <= self.left;
        self.left = self.left.saturating_sub(cost);
        enough
    }
}

impl Branch {
    /// A pure formula.
    pub fn pure(terms: &Terms, term: TermId) -> Branch {
        let pure = match terms.get(term) {
            Term::And(conjuncts) => conjuncts.clone(),
            _ if term == Terms::TRUE => Vec::new(),
            _ => vec![term],
        };
        Branch {
            heap: SymbolicHeap {
                pure,
                ..SymbolicHeap::emp()
            },
            spatial: false,
        }
    }

    /// The same formula with other quantified variables.
    pub fn renamed(&self, terms: &mut Terms) -> Branch {
        if self.heap.exists.is_empty() {
            return self.clone();
        }
        Branch {
            heap: self.heap.instantiate(terms, &Substitution::default()),
            spatial: self.spatial,
        }
    }

    /// Quantifies those of the variables that occur.
    pub fn quantified(mut self, terms: &Terms, variables: &[VarId]) -> Branch {
        let free: FxHashSet<_> = self.heap.free_variables(terms).into_iter().collect();
        let mut exists: Vec<_> = (variables.iter().copied())
            .filter(|variable| free.contains(variable))
            .collect();
        exists.append(&mut self.heap.exists);
        self.heap.exists = exists;
        self
    }

    /// Number of atoms and quantified variables.
    pub fn size(&self) -> u64 {
        let heap = &self.heap;
        let cells = heap.points_to.iter().map(|cell| 1 + cell.fields.len());
        let instances = (heap.instances.iter()).map(|instance| 1 + instance.args.len());
        let spatial: usize = cells.chain(instances).sum();
        (1 + heap.exists.len() + heap.pure.len() + spatial) as u64
    }

    fn join(self, other: Branch, junction: Junction) -> Result<Branch, JoinError> {
        let is_emp =
            |branch: &Branch| branch.heap.points_to.is_empty() && branch.heap.instances.is_empty();
        if junction == Junction::And
            && self.spatial
            && other.spatial
            && !(is_emp(&self) && is_emp(&other))
        {
            return Err(JoinError::TwoSpatial);
        }
        Ok(Branch {
            spatial: self.spatial || other.spatial,
            heap: self.heap.star(other.heap),
        })
    }
}

/// Brings `or` to the outside of `and` or `sep`: every branch of the one list joined with
/// every branch of the other.
pub(super) fn join_all(
    left: Vec<Branch>,
    right: Vec<Branch>,
    junction: Junction,
    terms: &mut Terms,
    budget: &mut Budget,
) -> Result<Vec<Branch>, JoinError> {
    if left.len().saturating_mul(right.len()) > MAX_DISJUNCTS {
        return Err(JoinError::TooMany);
    }
    // The usual case, in which nothing has to be copied.
    if left.len() == 1 && right.len() == 1 {
        let mut sides = left.into_iter().chain(right);
        return match (sides.next(), sides.next()) {
            (Some(left), Some(right)) => Ok(vec![left.join(right, junction)?]),
            _ => Ok(Vec::new()),
        };
    }
    let mut joined = Vec::with_capacity(left.len() * right.len());
    for (i, first) in left.iter().enumerate() {
        for (j, second) in right.iter().enumerate() {
            if !budget.spend(first.size() + second.size()) {
                return Err(JoinError::TooLarge);
            }
            let first = if j == 0 {
                first.clone()
            } else {
                first.renamed(terms)
            };
            let second = if i == 0 {
                second.clone()
            } else {
                second.renamed(terms)
            };
            joined.push(first.join(second, junction)?);
        }
    }
    Ok(joined)
}
