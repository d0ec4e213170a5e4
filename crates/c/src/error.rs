//! What can be wrong with a C file.

use thiserror::Error;

/// Why a file cannot be tested.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CError {
    /// There is no clang.
    #[error("clang is needed to read C, and was not found: {0}. Debian's package is called clang")]
    NoClang(String),
    /// clang does not accept the file.
    #[error("clang does not accept {file}:\n{messages}")]
    Rejected {
        /// The file.
        file: String,
        /// What clang says.
        messages: String,
    },
    /// clang's output could not be read.
    #[error("clang's syntax tree of {file} cannot be read: {reason}")]
    Tree {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// Something that is not translated.
    #[error("{place}: {what} cannot be tested yet")]
    Unsupported {
        /// Where it stands.
        place: String,
        /// What it is.
        what: String,
    },
    /// A contract in a comment that belongs to nothing.
    #[error("{place}: this contract stands in front of no function that the file defines")]
    Contract {
        /// Where it stands.
        place: String,
    },
    /// An option that is not passed on to clang.
    #[error(
        "the flag {0} is not passed on to clang; those that are: -I, -isystem, -iquote, -include, -D, -U \
         (each with a value), -std=, -m and --target="
    )]
    Option(String),
    /// The flags of a file could not be read.
    #[error("no flags in {file}: {reason}")]
    CompileCommands {
        /// The `compile_commands.json`.
        file: String,
        /// Why.
        reason: String,
    },
}
