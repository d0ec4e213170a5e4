//! How a command ends: exit codes, and what stops it early.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The outcome of a command that ran to its end. The numbers are part of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every question was answered; a checked heap satisfies its formula.
    Decided,
    /// Some question got the answer `unknown`, or a limit cut an enumeration.
    Unknown,
    /// A checked heap does not satisfy its formula, or a benchmark was answered wrongly.
    Refuted,
}

impl Outcome {
    /// The exit code; 1 stands for bad input and 2 for a bad command line.
    pub fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Outcome::Decided => 0,
            Outcome::Unknown => 3,
            Outcome::Refuted => 4,
        })
    }
}

/// What keeps a command from running to its end.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Standard output could not be written.
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
    /// A result could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Problems in the text of an input, rendered with their places.
    #[error("{0}")]
    Diagnostics(String),
    /// An input that is well-formed but does not fit the question.
    #[error("{0}")]
    Unfit(String),
}

impl Failure {
    /// Whether the reader of our output went away, as `head` does when it has seen enough.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|source| Failure::Read {
        path: path.to_owned(),
        source,
    })
}

/// Writes a file, replacing one that is there.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|source| Failure::Write {
        path: path.to_owned(),
        source,
    })
}

/// Makes sure that a folder exists.
pub fn create_folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|source| Failure::Write {
        path: path.to_owned(),
        source,
    })
}
