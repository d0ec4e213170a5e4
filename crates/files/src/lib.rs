//! Files among the files of other people.
//!
//! The tool is run in repositories that somebody else wrote. [`reading`] reads what may be a pipe, a
//! device or far too large; [`replace`] writes so that a file is whole at any moment; [`Project`]
//! says where a project ends, and with that what may be quoted and where outputs stay;
//! [`configured`] is what the configuration file of a project may name. [`temporary`] has folders
//! that go away by themselves; [`watching`] sees which files have changed.

pub mod configured;
mod plain;
mod project;
pub mod reading;
mod replacing;
pub mod temporary;
pub mod watching;

pub use plain::plain;
pub use project::{OutputError, Project, resolve};
pub use replacing::replace;
