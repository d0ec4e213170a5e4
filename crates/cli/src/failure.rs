//! How a command ends: exit codes, and what stops it early.

use std::io;
use std::path::{Path, PathBuf};

use heapwright_bench::BenchError;
use heapwright_files::{OutputError, reading};
use heapwright_sandbox::SandboxError;
use heapwright_solver::Reason;
use heapwright_spec::SpecError;
use heapwright_spec::questions::UnknownPredicate;
use heapwright_testgen::{Cause, Error, FileError, RequestError};

use crate::input::rejected;
use crate::interruption;
use crate::project;
use crate::usage::UsageError;

/// The outcome of a command that ran to its end. The numbers are part of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandStatus {
    /// Every question was answered; a checked heap satisfies its formula.
    Decided,
    /// Some question got the answer `unknown`, or a limit cut an enumeration.
    Unknown,
    /// A checked heap does not satisfy its formula, or a benchmark was answered wrongly.
    Refuted,
}

impl CommandStatus {
    /// What is decided before somebody ends a search is not all.
    pub fn unless_interrupted(self) -> CommandStatus {
        match self {
            CommandStatus::Decided if interruption::is_interrupted() => CommandStatus::Unknown,
            outcome => outcome,
        }
    }

    /// The exit code; 1 stands for bad input and 2 for a bad command line.
    pub fn code(self) -> i32 {
        match self {
            CommandStatus::Decided => 0,
            CommandStatus::Unknown => 3,
            CommandStatus::Refuted => 4,
        }
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
    /// There is no such predicate.
    #[error(transparent)]
    Predicate(#[from] UnknownPredicate),
    /// The command line asks for nothing that can be done.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// The words of a configuration and of the command line do not go together.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    /// A configuration file says something wrong.
    #[error("{}:{line}: {problem}", file.display())]
    Configuration {
        /// The file.
        file: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
    /// An input is well-formed and does not fit what is asked about it.
    #[error("{}: {source}", path.display())]
    Input {
        /// The input.
        path: PathBuf,
        /// The reason.
        source: Cause,
    },
    /// An output is not where outputs may be.
    #[error("nothing is written: {0}")]
    Unsafe(OutputError),
    /// Models cannot be listed.
    #[error("{0}")]
    Enumeration(Reason),
    /// There is no sandbox.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// Tests could not be generated.
    #[error(transparent)]
    Tests(Box<Error>),
    /// What was wrong with single targets.
    #[error("{}", .0.join("\n"))]
    Targets(Vec<String>),
    /// What `--verify` needs is missing, and cannot be fetched.
    #[error("{0}")]
    Setup(String),
    /// The messages of an editor cannot be read.
    #[error("the connection to the editor is broken: {0}")]
    Editor(#[from] heapwright_lsp::ProtocolError),
    /// A cluster cannot be used.
    #[cfg(feature = "cluster")]
    #[error(transparent)]
    Cluster(#[from] heapwright_cluster::ClusterError),
    /// There are no figures.
    #[error(transparent)]
    Bench(Box<BenchError>),
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Failure {
        rejected(error)
    }
}

impl From<heapwright_bench::BenchStatus> for CommandStatus {
    fn from(outcome: heapwright_bench::BenchStatus) -> CommandStatus {
        match outcome {
            heapwright_bench::BenchStatus::Decided => CommandStatus::Decided,
            heapwright_bench::BenchStatus::Unknown => CommandStatus::Unknown,
            heapwright_bench::BenchStatus::Refuted => CommandStatus::Refuted,
        }
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Failure {
        match error {
            BenchError::Output(error) => Failure::Output(error),
            BenchError::Tests(error) => error.into(),
            error => Failure::Bench(Box::new(error)),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Read { path, source } => Failure::Read { path, source },
            Error::Write { path, source } => Failure::Write { path, source },
            Error::Rejected(error) => rejected(error),
            error => Failure::Tests(Box::new(error)),
        }
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Failure {
        Error::from(error).into()
    }
}

impl Failure {
    /// An input does not fit what is asked about it.
    pub fn input(path: &Path, cause: impl Into<Cause>) -> Failure {
        Failure::Input {
            path: path.to_owned(),
            source: cause.into(),
        }
    }

    /// Whether the reader of our output went away, as `head` does when it has seen enough.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, Error> {
    reading::named(path).map_err(|source| Error::Read {
        path: path.to_owned(),
        source,
    })
}

/// The text of a file that was found in a folder, and not named by the user.
pub fn read_found(path: &Path, folder: &Path) -> Result<String, Error> {
    if project::leads_out(path, folder) {
        return Err(FileError::LeadsOutOfProject(path.to_owned()).into());
    }
    reading::regular(path).map_err(|source| Error::Read {
        path: path.to_owned(),
        source,
    })
}

/// Writes a file, replacing one that is there. Whatever happens meanwhile, there is either the
/// old file or the new one.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let real = output(path)?;
    heapwright_files::replace(&real, text).map_err(|source| Failure::Write {
        path: path.to_owned(),
        source,
    })
}

/// Makes sure that a folder exists.
pub fn create_folder(path: &Path) -> Result<(), Failure> {
    let real = output(path)?;
    std::fs::create_dir_all(real).map_err(|source| Failure::Write {
        path: path.to_owned(),
        source,
    })
}

/// Where a file or folder is written, without links if they could lead elsewhere.
fn output(path: &Path) -> Result<PathBuf, Failure> {
    project::output(path).map_err(|error| match error {
        OutputError::System(source) => Failure::Write {
            path: path.to_owned(),
            source,
        },
        error => Failure::Unsafe(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_named() {
        let missing = std::env::temp_dir().join("heapwright-no-such-folder/a.txt");
        let error = write(&missing, "text").expect_err("there is no folder");
        assert!(error.to_string().contains("a.txt"), "{error}");
    }
}
