//! Why a program could not be run.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// There is no sandbox for tests.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The program is not installed.
    #[error(
        "--sandbox needs bubblewrap, and there is no `bwrap` on the PATH; install it (Debian, \
         Fedora, Arch: the package `bubblewrap`), or leave --sandbox out"
    )]
    Missing,
    /// The program is there, and does not work.
    #[error("--sandbox needs bubblewrap, and `bwrap` does not work here: {0}")]
    Useless(String),
}

/// A program could not be run; what it does is never an error.
#[derive(Debug, Error)]
pub enum ProcessError {
    /// A file or folder could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A program could not be started.
    #[error("cannot run {}: {error}", program.display())]
    Start {
        /// Which one.
        program: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl ProcessError {
    /// For `map_err`.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        |error| ProcessError::File { path, error }
    }
}
