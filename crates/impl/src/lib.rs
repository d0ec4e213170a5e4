//! The front end for ImpL, the small imperative language of the constraint-based paper.
//!
//! [`read_program`] takes a text to a [`heapwright_ir::Program`]: [`syntax`] makes a tree of it,
//! `check` finds out what the names mean and of which types they are, `lower` translates it.
//! [`printer`] turns a tree back into text. [`environment_of`] is what a specification needs to know
//! about a program. [`emit`] writes what a run did as a test.

mod check;
pub mod emit;
mod error;
mod lower;
pub mod printer;
mod program;
pub mod syntax;

pub use error::ImplError;
pub use program::{Entry, ImplProgram, Variable, environment_of, read_program};
