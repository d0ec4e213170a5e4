//! Class files and jars: examples of them, where their parts are, and what is done with them.

pub mod class_map;
pub mod project;
pub mod seeds;
