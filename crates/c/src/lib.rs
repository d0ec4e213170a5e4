//! C: from source files to the core language, and from tests to C programs.
//!
//! clang reads the source ([`clang`]); its syntax tree ([`tree`]) becomes a program of the core
//! language ([`read_unit`]). A struct inside of another one is an object of its own there, of a
//! hidden class, and the two know each other: `&item->link` reads a field of the item, and
//! `container_of(link, struct item, link)` reads the field `outer` of the link. So the engine needs
//! no arithmetic on addresses for structures that are built into their elements.

pub mod clang;
pub mod emit;
pub mod error;
mod lower;
pub mod records;
pub mod tree;
pub mod types;
mod unit;

pub use error::CError;
pub use unit::{CUnit, environment_of, read_unit};
