//! C: from source files to the core language, and from tests to C programs.
//!
//! clang reads the source ([`clang`], [`read`]); its typed tree ([`ast`]) becomes a program of the
//! core language ([`read_unit`]). A struct inside of another one is an object of its own there, of
//! a hidden class, and the memory knows where it lies: so formulas and inputs can speak of it, and
//! a pointer may still go from one to the other by arithmetic.

pub mod ast;
pub mod clang;
pub mod contracts;
pub mod emit;
pub mod error;
mod lower;
pub mod read;
mod unit;
pub mod visit;

pub use error::CError;
pub use lower::classes::{scalar_name, short as short_name};
pub use lower::{Entry, InputGlobal, plain_name};
pub use unit::{CUnit, element_sort, environment_of, read_unit, statics};
