//! Satisfiability of symbolic heaps, with models.

mod answer;
pub mod arith;
pub mod asking;
mod candidate;
pub mod enumerate;
pub mod model;
pub mod numeric;
mod occupancy;
pub mod rules;
mod search;
pub mod shape;
mod solver;

/// The version of the backend for arithmetic, which is the library that is there: another one may
/// find other models.
pub fn backend_version() -> &'static str {
    z3::full_version()
}

pub use answer::{Answer, Reason, Verdict};
pub use numeric::completion::TableLimits;
pub use occupancy::Occupancy;
pub use solver::{Config, QuestionLimits, Solver};
