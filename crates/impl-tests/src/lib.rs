//! Tests for ImpL: the front end that connects programs of the small language and the engine.

mod compare;
mod emission;
mod frontend;
mod loaded;
mod proposal;
mod recorded;

pub use compare::{differences, meets};
pub use emission::programs as test_programs;
pub use frontend::ImplTests;
pub use loaded::{Loaded, procedure_named, procedure_names};
pub use recorded::{RecordError, recorded_report, recorded_test};
