//! What keeps a benchmark from running to its end, and what one shows.

use std::io;
use std::path::PathBuf;

use heapwright_solver::Reason;
use heapwright_testgen::Cause;

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
    /// Code cannot be loaded, explored, or run as tests.
    #[error(transparent)]
    Code(Cause),
    /// A folder has no files of a kind.
    #[error("{} has no {kind}", folder.display())]
    NoFiles {
        /// The folder.
        folder: PathBuf,
        /// What was looked for.
        kind: &'static str,
    },
    /// A file has no question in it.
    #[error("{} asks nothing: it has no check-sat", .0.display())]
    NoQuestion(PathBuf),
    /// A subject or something of it is not there.
    #[error("{whole} has no {part}")]
    Missing {
        /// Where it was looked for.
        whole: String,
        /// What was looked for.
        part: String,
    },
    /// There is no such subject.
    #[error("there is no subject `{0}`")]
    NoSubject(String),
    /// Models cannot be counted.
    #[error("{target}: {reason}")]
    Enumeration {
        /// The predicate.
        target: String,
        /// Why not.
        reason: Reason,
    },
    /// Subjects or tests do not compile: what the compiler says.
    #[error("{0}")]
    Compiler(String),
    /// The compiler cannot be started.
    #[error("javac cannot be run: {0}")]
    NoCompiler(io::Error),
    /// Maven cannot be started.
    #[error("mvn cannot be run: {0}")]
    NoMaven(io::Error),
    /// Maven could not fetch what is tested: what it says.
    #[error("Maven cannot fetch the libraries: {0}")]
    Maven(String),
    /// There are no tests to run.
    #[error("there is nothing to verify")]
    NothingToVerify,
    /// The domain of a parameter cannot be read.
    #[error("{0}")]
    Domain(String),
}

impl BenchError {
    /// Something is not there.
    pub fn missing(whole: &str, part: &str) -> BenchError {
        BenchError::Missing {
            whole: whole.to_owned(),
            part: part.to_owned(),
        }
    }

    /// Code cannot be loaded, explored, or run as tests.
    pub fn code(cause: impl Into<Cause>) -> BenchError {
        BenchError::Code(cause.into())
    }
}

impl From<heapwright_spec::SpecError> for BenchError {
    fn from(error: heapwright_spec::SpecError) -> BenchError {
        BenchError::Tests(error.into())
    }
}

/// What a benchmark shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BenchStatus {
    /// Everything is as it should be.
    Decided,
    /// Some question was not answered.
    Unknown,
    /// Something is wrong: an answer, a count, a test.
    Refuted,
}
