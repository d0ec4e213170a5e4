//! Code of others, run under limits: in a sandbox, for some time, with some memory.
//!
//! Tests run the code under test, which may be anybody's. Front ends start it through this crate,
//! whatever the language. [`memory`] watches over this process itself.

mod bubblewrap;
mod error;
pub mod memory;
mod process;

pub use bubblewrap::Sandbox;
pub use error::{ProcessError, SandboxError};
pub use process::run;

/// What keeps tests from doing harm.
#[derive(Debug, Clone, Default)]
pub struct Confinement {
    /// The sandbox that tests run in, if they run in one.
    pub sandbox: Option<Sandbox>,
    /// Megabytes of memory; the language decides where this is missing.
    pub memory: Option<u32>,
}
