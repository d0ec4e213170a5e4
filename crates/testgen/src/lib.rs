//! Generating tests, whatever the language: which tests are kept, what they are called, what they show
//! to be wrong, and what is said about all of it.
//!
//! A front end hands over programs of the core language; the engine explores them; this crate makes
//! [suites](Suite) of what it found, and turns them into plain data: [JSON](json), [reports](report),
//! [text](text).

pub mod agreement;
mod camel_case;
pub mod changes;
pub mod contradictions;
mod decisions;
pub mod domain;
pub mod elsewhere;
mod error;
pub mod file_names;
pub mod files;
pub mod findings;
mod frontend;
pub mod host;
pub mod json;
mod language;
pub mod listing;
pub mod mutants;
pub mod names;
pub mod observation;
pub mod overview;
mod pictures;
pub mod progress;
pub mod proposal;
pub mod reach;
pub mod report;
mod request;
pub mod scopes;
mod session;
mod shards;
mod side_by_side;
pub mod specified;
pub mod state;
mod store;
mod suite;
pub mod summary;
pub mod surroundings;
pub mod takers;
#[cfg(any(test, feature = "test-support"))]
pub mod test_support;
pub mod text;
mod units;
pub mod vocabulary;

pub use error::{
    Cause, Error, FileError, FunctionKind, RequestError, SequenceError, VerificationError,
};
pub use frontend::{
    Emitted, Event, Explored, ExploredTargets, Frontend, Search, SourceFile, Targets, Verified,
    Written,
};
pub use heapwright_files::temporary;
pub use language::{Language, Noun, Procedural};
pub use pictures::pictures;
pub use request::{Request, SequenceRequest, budgets};
pub use session::{Conclusion, Session, Tested};
pub use shards::{Shard, ShardError};
pub use store::{Store, Use};
pub use suite::{Counted, Kept, Selection, Suite, SuiteParts};
pub use units::{Findings, Searched, search};
