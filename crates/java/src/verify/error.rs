//! Why tests could not be verified.

use crate::classpath::ClassPathError;
use heapwright_sandbox::ProcessError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Something is missing that compiling and running tests needs.
#[derive(Debug, Error)]
pub enum ToolError {
    /// The JDK cannot be opened.
    #[error(transparent)]
    Jdk(#[from] ClassPathError),
    /// The JDK is too old for the tools.
    #[error("{} holds Java {version}; verifying tests needs Java {oldest} or newer", home.display())]
    OldJdk {
        /// Its folder.
        home: PathBuf,
        /// Its version.
        version: u16,
        /// The first version that would do.
        oldest: u16,
    },
    /// A runtime without a compiler.
    #[error("{} has no javac; verifying tests needs a JDK, not only a Java runtime", .0.display())]
    NoCompiler(PathBuf),
    /// JUnit or JaCoCo is missing.
    #[error("{} was not found; run `heapwright setup` to fetch it, or name the folder that has it with --tools", .0.display())]
    MissingTool(PathBuf),
    /// Nobody knows where the user's cache is.
    #[error(
        "neither XDG_CACHE_HOME nor HOME is set; name the folder of JUnit and JaCoCo with --tools"
    )]
    NoCache,
}

/// The verification itself failed; what tests do is never an error.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A file or folder could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A program could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// An entry of the class path cannot be written in one.
    #[error("the class path cannot have an entry like this: {0}")]
    ClassPath(#[from] std::env::JoinPathsError),
    /// The driver did not compile, which means that JUnit or JaCoCo has an unexpected version.
    #[error("the test driver does not compile with the JUnit and JaCoCo in {}; run `heapwright setup --fetch`:\n{output}", tools.display())]
    Driver {
        /// The folder of the tools.
        tools: PathBuf,
        /// What the compiler said.
        output: String,
    },
    /// The virtual machine or the driver failed outside of any test.
    #[error("the Java virtual machine failed before the tests ran: {0}")]
    Machine(String),
    /// The driver's report cannot be understood.
    #[error("the report of the test driver has an unexpected line: {0}")]
    Report(String),
}

/// The tools could not be fetched.
#[derive(Debug, Error)]
pub enum SetupError {
    /// A file or folder could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Maven could not be run.
    #[error("cannot run mvn: {0}")]
    Process(VerifyError),
    /// Maven ran, and failed or took too long.
    #[error("mvn could not fetch JUnit and JaCoCo; it said:\n{0}")]
    Maven(String),
}

impl SetupError {
    /// For `map_err`.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        |error| SetupError::File { path, error }
    }

    /// For `map_err`.
    pub(super) fn maven(error: VerifyError) -> Self {
        SetupError::Process(error)
    }
}

impl VerifyError {
    /// For `map_err`.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        |error| VerifyError::File { path, error }
    }
}
