//! Unfolding: replacing predicate instances by their definitions.

use crate::definitions::{Definitions, Predicate};
use crate::symbolic_heap::{Instance, Substitution, SymbolicHeap};
use crate::term::Terms;

/// The definition of `instance`, one symbolic heap per disjunct, with the actual parameters
/// put in and the quantified variables renamed apart.
pub fn unfold_instance(
    terms: &mut Terms,
    definitions: &Definitions,
    instance: &Instance,
) -> Vec<SymbolicHeap> {
    let predicate = definitions.predicate(instance.predicate);
    (0..predicate.disjuncts.len())
        .map(|disjunct| unfold_with(terms, predicate, disjunct, instance))
        .collect()
}

/// One disjunct of the definition of `instance`.
pub fn unfold_with(
    terms: &mut Terms,
    predicate: &Predicate,
    disjunct: usize,
    instance: &Instance,
) -> SymbolicHeap {
    let substitution: Substitution = (predicate.params.iter().copied())
        .zip(instance.args.iter().copied())
        .collect();
    predicate.disjuncts[disjunct].instantiate(terms, &substitution)
}

/// Replaces the instance at position `at` by each of its disjuncts:
/// `unfold(Δ * P(t̄), P(t̄))` of CSF.
pub fn unfold_at(
    terms: &mut Terms,
    definitions: &Definitions,
    heap: &SymbolicHeap,
    at: usize,
) -> Vec<SymbolicHeap> {
    let mut rest = heap.clone();
    let instance = rest.instances.remove(at);
    unfold_instance(terms, definitions, &instance)
        .into_iter()
        .map(|body| rest.clone().star(body))
        .collect()
}

/// CSF's `unfold(Δ)`: the union, over the instances of Δ, of unfolding that one instance.
/// A base formula is returned as it is.
pub fn unfold_each(
    terms: &mut Terms,
    definitions: &Definitions,
    heap: &SymbolicHeap,
) -> Vec<SymbolicHeap> {
    if heap.is_base() {
        return vec![heap.clone()];
    }
    (0..heap.instances.len())
        .flat_map(|at| unfold_at(terms, definitions, heap, at))
        .collect()
}

/// JSF's `unfold(Δ)`: replaces *every* instance of Δ at once, which gives the product of their
/// disjuncts. A base formula is returned as it is.
pub fn unfold_all(
    terms: &mut Terms,
    definitions: &Definitions,
    heap: &SymbolicHeap,
) -> Vec<SymbolicHeap> {
    let mut frame = heap.clone();
    let instances = std::mem::take(&mut frame.instances);
    let mut product = vec![frame];
    for instance in &instances {
        product = (product.iter())
            .flat_map(|partial| {
                unfold_instance(terms, definitions, instance)
                    .into_iter()
                    .map(|body| partial.clone().star(body))
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    product
}

#[cfg(test)]
mod tests;
