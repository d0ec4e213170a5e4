//! Shape: everything about a heap but its numbers.

mod arguments;
mod base_pair;
mod bits;
mod constraints;
mod fixed_point;
mod join;
mod relation;

pub use arguments::{Arguments, ParamSet};
pub use base_pair::BasePair;
pub use bits::Bits;
pub use constraints::{Conflict, Constraints, NIL, Node};
pub use fixed_point::{BasePairs, Detail, Limits, PredicatePairs, Production};
pub use join::{Join, Source};
pub use relation::Relation;
