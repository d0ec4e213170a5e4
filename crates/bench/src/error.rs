//! What keeps a benchmark from running to its end, and what one shows.

use std::io;
use std::path::PathBuf;

/// Why there are no figures.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The figures could not be written.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
    /// An input could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The input.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Tests could not be generated.
    #[error(transparent)]
    Tests(#[from] heapwright_testgen::Error),
    /// An input does not fit the benchmark.
    #[error("{0}")]
    Unfit(String),
}

impl From<heapwright_spec::SpecError> for BenchError {
    fn from(error: heapwright_spec::SpecError) -> BenchError {
        BenchError::Tests(error.into())
    }
}

/// What a benchmark shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything is as it should be.
    Decided,
    /// Some question was not answered.
    Unknown,
    /// Something is wrong: an answer, a count, a test.
    Refuted,
}
