//! Conjuncts that share no variables are solved apart.

use heapwright_logic::{Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::order::subterms_first;
use super::statistics::Statistics;
use super::{ArithAnswer, Arithmetic, Assignment};

/// Splits questions into independent parts.
pub struct Independence<A> {
    inner: A,
    statistics: Statistics,
}

impl<A: Arithmetic> Independence<A> {
    /// Around another layer.
    pub fn new(inner: A) -> Self {
        Independence {
            inner,
            statistics: Statistics::default(),
        }
    }
}

impl<A: Arithmetic> Arithmetic for Independence<A> {
    fn check(&mut self, terms: &mut Terms, conjuncts: &[TermId]) -> ArithAnswer {
        let parts = parts(terms, conjuncts);
        if parts.len() <= 1 {
            return self.inner.check(terms, conjuncts);
        }
        self.statistics.split += 1;
        let mut merged = Assignment::default();
        let mut unknown = None;
        for Part {
            conjuncts,
            variables,
        } in parts
        {
            match self.inner.check(terms, &conjuncts) {
                // Layers below may hand over values of variables that belong to other parts.
                ArithAnswer::Sat(assignment) => merged.extend(
                    (variables.into_iter())
                        .filter_map(|variable| Some((variable, *assignment.get(&variable)?))),
                ),
                // One contradiction decides, whatever is unknown about the other parts.
                ArithAnswer::Unsat(core) => return ArithAnswer::Unsat(core),
                ArithAnswer::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        unknown.map_or(ArithAnswer::Sat(merged), ArithAnswer::Unknown)
    }

    fn suggest(&mut self, values: &Assignment) {
        self.inner.suggest(values);
    }

    fn add_statistics(&self, total: &mut Statistics) {
        total.add(&self.statistics);
        self.inner.add_statistics(total);
    }
}

/// Conjuncts that share variables with each other only.
#[derive(Default)]
struct Part {
    conjuncts: Vec<TermId>,
    variables: Vec<VarId>,
}

/// The conjuncts grouped so that different parts share no variable; parts, and conjuncts
/// inside a part, in order of first appearance.
fn parts(terms: &Terms, conjuncts: &[TermId]) -> Vec<Part> {
    let mut parent: Vec<usize> = (0..conjuncts.len()).collect();
    let mut owner: FxHashMap<VarId, usize> = FxHashMap::default();
    for (position, &conjunct) in conjuncts.iter().enumerate() {
        for term in subterms_first(terms, [conjunct], |_| false) {
            if let Term::Var(variable) = terms.get(term) {
                let first = *owner.entry(*variable).or_insert(position);
                let (a, b) = (root(&mut parent, first), root(&mut parent, position));
                // The smaller position is the root, which keeps the order of appearance.
                parent[a.max(b)] = a.min(b);
            }
        }
    }
    let mut part_of: FxHashMap<usize, usize> = FxHashMap::default();
    let mut parts: Vec<Part> = Vec::new();
    for (position, &conjunct) in conjuncts.iter().enumerate() {
        let root = root(&mut parent, position);
        let part = *part_of.entry(root).or_insert_with(|| {
            parts.push(Part::default());
            parts.len() - 1
        });
        parts[part].conjuncts.push(conjunct);
    }
    for (variable, position) in owner {
        let root = root(&mut parent, position);
        parts[part_of[&root]].variables.push(variable);
    }
    parts
}

fn root(parent: &mut [usize], mut position: usize) -> usize {
    while parent[position] != position {
        parent[position] = parent[parent[position]];
        position = parent[position];
    }
    position
}
