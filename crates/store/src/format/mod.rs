//! Plain data as bytes.
//!
//! Types say what they consist of by serde's traits; this format adds one thing. The id of a class, a
//! function, a global or a source file is the position in a table of one program, and another program
//! has the same things at other positions. So [`encode`] tells which ids it came by, for whoever writes
//! down what they are called, and [`decode`] asks which id stands for which in the program at hand.
//!
//! The format has no version and no names: entries are found by keys that the version of the tool is
//! a part of. Reading trusts nothing: a length that the rest of the bytes cannot hold is an error, and
//! nothing is allocated for it.

mod reading;
mod writing;

use std::collections::BTreeSet;
use std::fmt;

use thiserror::Error;

pub use reading::decode;
pub use writing::encode;

/// What an id stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IdKind {
    /// A class.
    Class,
    /// A function.
    Function,
    /// A global.
    Global,
    /// A source file.
    File,
}

impl IdKind {
    /// The kind of ids that a type of one field holds.
    fn of_newtype(name: &str) -> Option<IdKind> {
        match name {
            "ClassId" => Some(IdKind::Class),
            "FunctionId" => Some(IdKind::Function),
            "GlobalId" => Some(IdKind::Global),
            _ => None,
        }
    }

    /// The kind of the id that a struct begins with.
    fn of_struct(name: &str) -> Option<IdKind> {
        (name == "Position").then_some(IdKind::File)
    }
}

/// Ids of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ids {
    /// All of them by kind.
    pub used: BTreeSet<(IdKind, u32)>,
}

/// What keeps data from being written or read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormatError {
    /// The bytes end too early, or go on behind the end.
    #[error("the bytes end too early or too late")]
    Length,
    /// A tag that nothing has.
    #[error("no value looks like that")]
    Value,
    /// An id that the program at hand has nothing for.
    #[error("no {0:?} has this name any more")]
    UnknownId(IdKind),
    /// The format has nothing for what the type asks.
    #[error("not part of the format: {0}")]
    Unsupported(&'static str),
    /// What the type itself says.
    #[error("{0}")]
    Data(String),
}

impl serde::ser::Error for FormatError {
    fn custom<T: fmt::Display>(message: T) -> FormatError {
        FormatError::Data(message.to_string())
    }
}

impl serde::de::Error for FormatError {
    fn custom<T: fmt::Display>(message: T) -> FormatError {
        FormatError::Data(message.to_string())
    }
}

#[cfg(test)]
mod tests;
