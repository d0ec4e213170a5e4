//! The solver against brute force: random systems, and two naive ways to find their models.

pub mod compare;
pub mod generate;
pub mod isomorphism;
pub mod random;
pub mod satisfaction;
pub mod semantics;
pub mod shrink;
pub mod system;
pub mod unfolding;
