//! Numbers in predicates: what can be said about an instance's integers without unfolding it.

pub mod combination;
pub mod completion;
pub mod counting;
mod differences;
mod propagate;
pub mod size_param;
mod summary;
mod zone;

pub use propagate::propagate;
pub use summary::{Summaries, Summary, zone_conjuncts};
pub use zone::Zone;
