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

pub use answer::{Answer, Reason, Verdict};
pub use numeric::completion::TableLimits;
pub use occupancy::Occupancy;
pub use solver::{Config, QuestionLimits, Solver};
