//! Tools that are missing, and tests that do not compile or run.

use std::io;
use std::path::PathBuf;

use super::Cause;

/// Why tests could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerificationError {
    /// A tool is needed, and none of these is there.
    #[error("--verify needs {0}")]
    MissingTool(&'static str),
    /// The tools of the language are missing, do not fit, or failed.
    #[error(transparent)]
    Tools(Cause),
    /// A tool could not be started.
    #[error("{tool}: {source}")]
    Start {
        /// The tool.
        tool: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// There is no place for what is compiled.
    #[error("{}: {source}", file.display())]
    NoFolder {
        /// The file with the tests.
        file: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A test could not be started.
    #[error("a test cannot be run: {0}")]
    Run(#[source] io::Error),
    /// A program with tests fails, or is ended by a limit, before it says which ones it has.
    #[error(
        "a program with tests does not come to its tests (--verify-time, --verify-memory):\n{0}"
    )]
    NoTests(String),
    /// A file with a test cannot be read or run again.
    #[error("{}: {source}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: Cause,
    },
    /// A file does not compile in one of several ways.
    #[error("{} does not compile with {compiler}, which is a defect:\n{messages}", file.display())]
    FileBuild {
        /// The file.
        file: PathBuf,
        /// The compiler and how it was called.
        compiler: &'static str,
        /// What it said.
        messages: String,
    },
    /// Tests do not compile.
    #[error("the tests do not compile, which is a defect; please report it\n{messages}")]
    Build {
        /// What the compiler said.
        messages: String,
    },
    /// Tests were left out again and again, and the others still do not compile.
    #[error(
        "too many tests do not compile, which is a defect; please report it: {}",
        left_out.join(", ")
    )]
    ManyBuilds {
        /// The tests that were left out.
        left_out: Vec<String>,
    },
    /// The compiler did not end.
    #[error("the compiler did not end within {seconds} s; test fewer methods at once")]
    Timeout {
        /// The time that it had.
        seconds: u64,
    },
}
