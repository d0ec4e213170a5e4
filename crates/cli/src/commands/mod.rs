//! The commands, one module each: arguments, then what is done with them.

pub mod check;
pub mod enumerate;
pub mod explain;
pub mod generate;
pub mod init;
pub mod run;
pub mod solve;
