//! Brute force for the completeness of the engine: random programs, all small inputs, and the
//! paths that these take. Nothing here knows the engine.

pub mod heaps;
pub mod paths;
pub mod program;
pub mod recorder;
pub mod sample;
mod self_test;
pub mod specifications;
