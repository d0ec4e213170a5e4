//! Satisfiability of symbolic heaps, with models.

pub mod arith;
