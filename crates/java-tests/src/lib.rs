//! Tests for Java: the front end that connects class files, the engine and JUnit.
//!
//! [`JavaTests`] is Java as a front end of test generation. [`JavaProgram`] is the program under test:
//! class files, specifications, and the subjects that the engine explores.

mod apart;
mod cases;
mod class_search;
mod comparison;
mod compilation;
pub mod coverage;
mod emission;
mod explore;
mod failures;
mod frontend;
mod hints;
mod language;
mod observation;
mod program;
mod proposal;
mod reports;
mod scripts;
mod sent;
pub mod sequences;
mod signature;
mod sources;
mod specifications;
mod stored;
mod targets;
mod tried;
pub mod validity;
mod variation;
mod verification;

pub use cases::{Given, test_case};
pub use compilation::{Compiled, compile_and_run};
pub use explore::ExploredMethod;
pub use frontend::{Entry, JavaMethodTests, JavaOptions, JavaTests};
pub use language::JavaLanguage;
pub use program::JavaProgram;
pub use specifications::{Choice, Specifications};
