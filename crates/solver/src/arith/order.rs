//! Subterms in an order in which every term comes after its own subterms.
//!
//! Passes over terms walk this list instead of recursing, because path conditions of long
//! loops are deeper than any call stack.

use heapwright_logic::{TermId, Terms};
use rustc_hash::FxHashSet;

/// The terms and all their subterms that `skip` does not leave out, subterms first.
///
/// Terms are hash-consed bottom-up, so the order of ids is such an order.
pub fn subterms_first(
    terms: &Terms,
    roots: impl IntoIterator<Item = TermId>,
    skip: impl Fn(TermId) -> bool,
) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut stack: Vec<TermId> = roots.into_iter().collect();
    while let Some(term) = stack.pop() {
        if !skip(term) && seen.insert(term) {
            stack.extend(terms.children(term));
        }
    }
    let mut order: Vec<_> = seen.into_iter().collect();
    order.sort_unstable();
    order
}
