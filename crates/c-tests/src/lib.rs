//! C as a front end: functions of a source file in, a C program with their tests out.

mod coverage;
mod emission;
mod flags;
mod frontend;
mod language;
mod predicate;
mod proposal;
mod roles;
mod runner;
mod sequences;
mod unit;
mod verification;

pub use flags::CompileCommands;
pub use frontend::{COptions, CTests};
