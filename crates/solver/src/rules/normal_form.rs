//! Disjunctive normal form of pure formulas, with a limit.
//!
//! The shape of a heap is decided on conjunctions of literals. Most disjuncts of real
//! specifications have no inner disjunction at all; those that do (a colour that is red or
//! black, the larger of two heights) are small.

use std::collections::VecDeque;

use heapwright_logic::{SymbolicHeap, Term, TermId, Terms};

/// Literals of one branch.
pub type Branch = Vec<TermId>;

/// Splits a conjunction into branches, each a conjunction of literals without if-then-else,
/// whose disjunction is equivalent to it.
///
/// Where that would give more than `limit` branches, the conjuncts that are left over stay as
/// they are in every branch, which is still equivalent. So do those that `splits` refuses.
pub fn branches(
    terms: &mut Terms,
    conjuncts: &[TermId],
    limit: usize,
    splits: impl Fn(&Terms, TermId) -> bool,
) -> Vec<Branch> {
    split(terms, conjuncts, limit, splits).0
}

/// All branches of a conjunction, unless there are more than `limit`.
pub fn few_branches(terms: &mut Terms, conjuncts: &[TermId], limit: usize) -> Option<Vec<Branch>> {
    let (branches, all) = split(terms, conjuncts, limit, |_, _| true);
    all.then_some(branches)
}

/// The branches, and whether the limit allowed all of them.
fn split(
    terms: &mut Terms,
    conjuncts: &[TermId],
    limit: usize,
    splits: impl Fn(&Terms, TermId) -> bool,
) -> (Vec<Branch>, bool) {
    let mut done: Vec<Branch> = Vec::new();
    let mut all = true;
    let mut open = vec![PartialBranch {
        todo: conjuncts.iter().rev().copied().collect(),
        ..PartialBranch::default()
    }];
    while let Some(mut branch) = open.pop() {
        if !branch.take_apart(terms) {
            continue;
        }
        let others = done.len() + open.len();
        let mut found = None;
        while found.is_none()
            && let Some(term) = branch.later.pop_front()
        {
            found = (splits(terms, term)
                .then(|| alternatives(terms, term))
                .flatten())
            .filter(|list| {
                let fits = others + list.len() <= limit;
                all &= fits;
                fits
            });
            if found.is_none() {
                branch.literals.push(term);
            }
        }
        match found {
            None => done.push(branch.literals),
            Some(alternatives) => {
                for alternative in alternatives.into_iter().rev() {
                    let mut branch = branch.clone();
                    branch.todo.push(alternative);
                    open.push(branch);
                }
            }
        }
    }
    (done, all)
}

/// A branch in the making.
#[derive(Clone, Default)]
struct PartialBranch {
    /// Finished literals.
    literals: Branch,
    /// Conjuncts still to be looked at.
    todo: Vec<TermId>,
    /// Conjuncts that have alternatives, which are looked at when all literals are known.
    later: VecDeque<TermId>,
}

impl PartialBranch {
    /// Collects literals from conjuncts. Returns false if they contradict each other.
    fn take_apart(&mut self, terms: &mut Terms) -> bool {
        loop {
            while let Some(term) = self.todo.pop() {
                if term == Terms::TRUE || self.literals.contains(&term) {
                    continue;
                }
                let negation = terms.not(term);
                if term == Terms::FALSE || self.literals.contains(&negation) {
                    return false;
                }
                if let Term::And(list) = terms.get(term) {
                    self.todo.extend(list.iter().rev());
                } else if alternatives(terms, term).is_some() {
                    self.later.push_back(term);
                } else {
                    self.literals.push(term);
                }
            }
            // Disjunctions of which a literal decides an alternative.
            let later = std::mem::take(&mut self.later);
            for term in later {
                match self.decided(terms, term) {
                    Some(simpler) => self.todo.push(simpler),
                    None => self.later.push_back(term),
                }
            }
            if self.todo.is_empty() {
                return true;
            }
        }
    }

    /// What is left of a disjunction under the literals known, if that is less.
    fn decided(&self, terms: &mut Terms, term: TermId) -> Option<TermId> {
        let Term::Or(list) = terms.get(term) else {
            return None;
        };
        if list
            .iter()
            .any(|alternative| self.literals.contains(alternative))
        {
            return Some(Terms::TRUE);
        }
        let list = list.clone();
        let open: Vec<TermId> = (list.iter().copied())
            .filter(|&alternative| !self.is_refuted(terms, alternative))
            .collect();
        (open.len() < list.len()).then(|| terms.or(open))
    }

    fn is_refuted(&self, terms: &mut Terms, alternative: TermId) -> bool {
        let conjuncts = match terms.get(alternative) {
            Term::And(list) => list.clone(),
            _ => vec![alternative],
        };
        conjuncts.into_iter().any(|conjunct| {
            let negation = terms.not(conjunct);
            self.literals.contains(&negation)
        })
    }
}

/// Splits a symbolic heap into cases in which no scalar field or argument depends on a
/// comparison of references, as in `x -> Node(ite(y = null, 0, n))`.
///
/// With more than a few such comparisons the rest stay where they are.
pub fn without_reference_atoms(terms: &mut Terms, heap: &SymbolicHeap) -> Vec<SymbolicHeap> {
    const SPLITS: usize = 6;
    let mut cases = vec![heap.clone()];
    for _ in 0..SPLITS {
        // All cases have the same comparisons left.
        let Some(atom) = reference_atom(terms, &cases[0]) else {
            break;
        };
        let negation = terms.not(atom);
        cases = (cases.iter())
            .flat_map(|case| {
                [(atom, Terms::TRUE), (negation, Terms::FALSE)].map(|(condition, value)| {
                    let mut case = case.clone();
                    let fields = case.points_to.iter_mut().flat_map(|cell| &mut cell.fields);
                    let args = case
                        .instances
                        .iter_mut()
                        .flat_map(|instance| &mut instance.args);
                    for term in fields.chain(args) {
                        *term = terms.replace(*term, atom, value);
                    }
                    case.pure.push(condition);
                    case
                })
            })
            .collect();
    }
    cases
}

/// A comparison of references inside a scalar field or argument.
fn reference_atom(terms: &Terms, heap: &SymbolicHeap) -> Option<TermId> {
    let fields = heap.points_to.iter().flat_map(|cell| &cell.fields);
    let args = heap.instances.iter().flat_map(|instance| &instance.args);
    terms
        .subterms(fields.chain(args).copied())
        .find(|&term| matches!(*terms.get(term), Term::Eq(a, _) if terms.sort(a).is_ref()))
}

/// Terms whose disjunction is equivalent to `term`, if it is not a literal yet.
/// They exclude each other, so that no model is found in two branches.
fn alternatives(terms: &mut Terms, term: TermId) -> Option<Vec<TermId>> {
    if let Term::Or(list) = terms.get(term) {
        let list = list.clone();
        let mut earlier = Vec::new();
        return Some(
            (list.into_iter())
                .map(|alternative| {
                    let mut conjunction = earlier.clone();
                    conjunction.push(alternative);
                    earlier.push(terms.not(alternative));
                    terms.and(conjunction)
                })
                .collect(),
        );
    }
    // Equivalence of two formulas.
    let (positive, inner) = match terms.get(term) {
        Term::Not(inner) => (false, *inner),
        _ => (true, term),
    };
    if let Term::Eq(a, b) = *terms.get(inner)
        && terms.sort(a) == heapwright_logic::Sort::Bool
        && !(is_atom(terms, a) && is_atom(terms, b))
    {
        let b = if positive { b } else { terms.not(b) };
        let (not_a, not_b) = (terms.not(a), terms.not(b));
        return Some(vec![terms.and([a, b]), terms.and([not_a, not_b])]);
    }
    let (condition, then, otherwise) = first_ite(terms, term)?;
    let with_then = replace_ite(terms, term, (condition, then, otherwise), then);
    let with_otherwise = replace_ite(terms, term, (condition, then, otherwise), otherwise);
    let negated = terms.not(condition);
    Some(vec![
        terms.and([condition, with_then]),
        terms.and([negated, with_otherwise]),
    ])
}

fn is_atom(terms: &Terms, term: TermId) -> bool {
    match terms.get(term) {
        Term::Var(_) | Term::Bool(_) => true,
        Term::Not(inner) => matches!(terms.get(*inner), Term::Var(_)),
        _ => false,
    }
}

fn first_ite(terms: &Terms, term: TermId) -> Option<(TermId, TermId, TermId)> {
    terms
        .subterms([term])
        .find_map(|term| match *terms.get(term) {
            Term::Ite(condition, then, otherwise) => Some((condition, then, otherwise)),
            _ => None,
        })
}

/// Replaces one if-then-else throughout a term.
fn replace_ite(
    terms: &mut Terms,
    term: TermId,
    (condition, then, otherwise): (TermId, TermId, TermId),
    by: TermId,
) -> TermId {
    let target = terms.ite(condition, then, otherwise);
    terms.replace(term, target, by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_logic::Sort;

    /// The branches with their literals in a fixed order.
    fn sorted(mut branches: Vec<Branch>) -> Vec<Branch> {
        branches
            .iter_mut()
            .for_each(|branch| branch.sort_unstable());
        branches
    }

    #[test]
    fn maximum_is_split_into_its_two_cases() {
        let mut terms = Terms::new();
        let [a, b, h] = ["a", "b", "h"].map(|name| {
            let variable = terms.declare(name, Sort::Int);
            terms.var(variable)
        });
        let larger = terms.le(b, a);
        let maximum = terms.ite(larger, a, b);
        let equation = terms.eq(h, maximum);
        let result = branches(&mut terms, &[equation], 16, |_, _| true);
        let (first, second) = (terms.eq(h, a), terms.eq(h, b));
        let smaller = terms.not(larger);
        let expected = vec![vec![larger, first], vec![smaller, second]];
        assert_eq!(sorted(result), sorted(expected));
    }

    #[test]
    fn branches_exclude_each_other() {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| {
            let variable = terms.declare(name, Sort::Bool);
            terms.var(variable)
        });
        let either = terms.or([a, b]);
        let not_a = terms.not(a);
        let result = branches(&mut terms, &[either], 16, |_, _| true);
        assert_eq!(sorted(result), sorted(vec![vec![a], vec![not_a, b]]));
        assert_eq!(
            branches(&mut terms, &[either], 1, |_, _| true),
            vec![vec![either]]
        );
    }
}
