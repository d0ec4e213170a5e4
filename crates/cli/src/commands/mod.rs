//! The commands, one module each: arguments, then what is done with them.

pub mod cache;
pub mod check;
pub mod completions;
pub mod enumerate;
pub mod explain;
pub mod generate;
pub mod infer;
pub mod init;
pub mod lsp;
pub mod man;
pub mod merge;
pub mod run;
pub mod setup;
pub mod solve;
pub mod watch;
