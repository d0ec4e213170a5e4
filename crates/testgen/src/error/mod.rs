//! What keeps tests from being generated.
//!
//! Every kind of problem has a variant with its data, and its words stand here and in the modules
//! below. What a language reports itself is kept as its cause.

mod file;
mod request;
mod sequence;
mod verification;

use std::io;
use std::path::PathBuf;

use heapwright_engine::{ExploreError, SubjectError};
use heapwright_spec::SpecError;

pub use file::FileError;
pub use request::{FunctionKind, RequestError};
pub use sequence::SequenceError;
pub use verification::VerificationError;

/// An error of a language, which only its front end knows by type.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A program or a specification has errors, each with its place.
    #[error(transparent)]
    Rejected(#[from] SpecError),
    /// A text could not be put together.
    #[error("a text could not be put together: {0}")]
    Format(#[from] std::fmt::Error),
    /// What was asked for is not there, or not possible.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A class has no sequences of calls.
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    /// A file is not read or written, for the sake of safety.
    #[error(transparent)]
    File(#[from] FileError),
    /// Tests could not be compiled or run.
    #[error(transparent)]
    Verification(#[from] VerificationError),
    /// A contract does not fit the function that it is for.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// Paths could not be explored.
    #[error(transparent)]
    Search(#[from] ExploreError),
    /// The code under test cannot be loaded, linked or translated.
    #[error(transparent)]
    Code(Cause),
    /// Other machines cannot be reached, or do not do what is needed.
    #[error("{0}")]
    Elsewhere(String),
    /// Tests cannot be written in the language.
    #[error("{}{source}", named(test.as_deref()))]
    Emission {
        /// The test, if it is a single one.
        test: Option<String>,
        /// The reason.
        source: Cause,
    },
}

impl Error {
    /// The code under test cannot be loaded, linked or translated.
    pub fn code(cause: impl Into<Cause>) -> Error {
        Error::Code(cause.into())
    }

    /// Whether this is about what was asked for, so that other targets can still be tested. Files
    /// that cannot be read or written and texts with errors end everything.
    pub fn spares_other_targets(&self) -> bool {
        match self {
            Error::Read { .. }
            | Error::Write { .. }
            | Error::Rejected(_)
            | Error::Format(_)
            | Error::Elsewhere(_) => false,
            Error::Request(_)
            | Error::Sequence(_)
            | Error::File(_)
            | Error::Verification(_)
            | Error::Subject(_)
            | Error::Search(_)
            | Error::Code(_)
            | Error::Emission { .. } => true,
        }
    }
}

fn named(test: Option<&str>) -> String {
    test.map_or(String::new(), |test| {
        format!("the test {test} cannot be written: ")
    })
}
