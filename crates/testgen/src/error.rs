//! What keeps tests from being generated.

use std::io;
use std::path::PathBuf;

use heapwright_spec::SpecError;

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
    /// What was asked for is not there, or cannot be tested; the text says what to do about it.
    #[error("{0}")]
    Unfit(String),
}
