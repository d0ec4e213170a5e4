//! What is known about a program without running it: who calls whom, what calls write, which
//! branches there are, and which of them no heap takes.

pub mod call_graph;
pub mod coverage;
pub mod effects;
pub mod nullness;
pub mod overlap;
