//! The commands, one module each: arguments, then what is done with them.

pub mod check;
pub mod completions;
pub mod enumerate;
pub mod explain;
pub mod generate;
pub mod init;
pub mod lsp;
pub mod man;
pub mod run;
pub mod setup;
pub mod solve;
