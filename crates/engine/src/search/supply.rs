//! Programs that grow while they are explored.
//!
//! A front end need not translate everything that a program could call: it supplies what runs
//! turn out to need. Ids never change when a program grows, and functions that exist stay as they
//! are, so everything that a search has found out remains true.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_ir::FunctionId;

use crate::subject::Subject;

/// Gives a search what its runs turn out to need.
pub trait Supplier {
    /// Runs have called functions whose code is not there. Returns the subject as it is with the
    /// code of more functions, or `None` if there is nothing to add. A function whose code is still
    /// not there in the new subject ends the paths that lead to it.
    fn supply(&mut self, functions: &BTreeSet<FunctionId>) -> Option<Arc<Subject>>;
}

/// For programs that are complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NothingMore;

impl Supplier for NothingMore {
    fn supply(&mut self, _: &BTreeSet<FunctionId>) -> Option<Arc<Subject>> {
        None
    }
}
