//! Disjuncts with the same spatial part are tried as one.
//!
//! An AVL tree is often defined with one disjunct per balance of a node, all with the same cells
//! and instances. Choosing among them before the subtrees are parsed would be guessing; so the
//! common spatial part is matched once, and their pure parts become one disjunction that is
//! decided when the heights are known.

use rustc_hash::FxHashMap;

use crate::definitions::PredId;
use crate::sort::ClassId;
use crate::symbolic_heap::SymbolicHeap;
use crate::term::{Term, TermId, Terms, VarId};

/// Disjuncts whose spatial parts are the same up to renaming of quantified variables.
pub(super) struct Shape {
    /// Which disjuncts, the first one standing for all.
    pub members: Vec<Member>,
}

/// A disjunct of a shape.
pub(super) struct Member {
    pub disjunct: usize,
    /// For its quantified variables that occur in the spatial part: the variable of the first
    /// member that they correspond to.
    pub corresponds: FxHashMap<VarId, VarId>,
}

/// A spatial part in a form that can be compared.
#[derive(PartialEq, Eq, Hash)]
enum Token {
    PointsTo(ClassId),
    Instance(PredId),
    /// The n-th quantified variable, by first occurrence, with its sort.
    Quantified(usize, crate::sort::Sort),
    /// Anything that is no quantified variable.
    Term(TermId),
}

/// Groups the disjuncts of a formula or predicate by their spatial part.
pub(super) fn shapes(terms: &Terms, disjuncts: &[SymbolicHeap]) -> Vec<Shape> {
    let mut by_key: indexmap::IndexMap<Vec<Token>, Vec<(usize, Vec<VarId>)>> =
        indexmap::IndexMap::new();
    for (index, disjunct) in disjuncts.iter().enumerate() {
        let (mut key, order) = spatial_key(terms, disjunct);
        if !correspondence_is_complete(terms, disjunct) {
            // A quantified variable inside a compound term has no place in the
            // correspondence: such a disjunct stays alone.
            key.push(Token::Quantified(
                usize::MAX - index,
                crate::sort::Sort::Bool,
            ));
        }
        by_key.entry(key).or_default().push((index, order));
    }
    (by_key.into_values())
        .map(|group| {
            let first = group[0].1.clone();
            let members = group.into_iter().map(|(disjunct, order)| Member {
                disjunct,
                corresponds: order.into_iter().zip(first.iter().copied()).collect(),
            });
            Shape {
                members: members.collect(),
            }
        })
        .collect()
}

/// The key, and the quantified variables in order of first occurrence.
fn spatial_key(terms: &Terms, heap: &SymbolicHeap) -> (Vec<Token>, Vec<VarId>) {
    let mut key = Vec::new();
    let mut order = Vec::new();
    let mut token = |term: TermId| match terms.get(term) {
        Term::Var(variable) if heap.exists.contains(variable) => {
            let position = order.iter().position(|known| known == variable);
            let position = position.unwrap_or_else(|| {
                order.push(*variable);
                order.len() - 1
            });
            Token::Quantified(position, terms.variable(*variable).sort)
        }
        _ => Token::Term(term),
    };
    for cell in &heap.points_to {
        key.push(Token::PointsTo(cell.class));
        key.push(token(cell.source));
        key.extend(cell.fields.iter().map(|&field| token(field)));
    }
    for instance in &heap.instances {
        key.push(Token::Instance(instance.predicate));
        key.extend(instance.args.iter().map(|&argument| token(argument)));
    }
    (key, order)
}

/// Whether no quantified variable hides inside a compound term of the spatial part.
fn correspondence_is_complete(terms: &Terms, heap: &SymbolicHeap) -> bool {
    let mut inside = indexmap::IndexSet::<VarId>::new();
    let fields = heap.points_to.iter().flat_map(|cell| &cell.fields);
    let arguments = heap.instances.iter().flat_map(|instance| &instance.args);
    for &term in fields.chain(arguments) {
        if terms.as_var(term).is_none() {
            terms.collect_variables(term, &mut inside);
        }
    }
    !inside.iter().any(|variable| heap.exists.contains(variable))
}
