//! What a configuration file says: the options of a command as words for its command line.
//!
//! A file is read against the command that it is for, as `clap` knows it, so there is no second list
//! of options. [`guard`] says what the file of a project may not say, and where the paths in it may
//! lead. Nothing is read or written here but the text that is handed over, and links on the way of
//! a path.

mod command_line;
pub mod guard;
mod reader;

pub use command_line::deciding;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

/// The key for what is tested.
pub const TARGETS: &str = "targets";

/// Pairs of options that exclude each other.
const EXCLUSIVE: [(&str, &str); 4] = [
    ("spec", "no-spec"),
    ("specs", "no-spec"),
    ("spec", "specs"),
    ("quiet", "verbose"),
];

/// A mistake in a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

/// What a file says.
#[derive(Debug, Default)]
pub struct Configuration {
    /// The file.
    pub file: PathBuf,
    /// The options.
    pub options: Vec<Setting>,
    /// What is tested.
    pub targets: Setting,
}

/// What a key says.
#[derive(Debug, Default)]
pub struct Setting {
    /// The long name of the option.
    pub long: String,
    /// Its words for the command line.
    pub words: Vec<String>,
    /// The line of the key.
    pub line: usize,
    /// The files and folders that it names.
    pub paths: Vec<PathBuf>,
}

impl Configuration {
    /// What of the file counts where other options were said before.
    pub fn used(&self, said: &BTreeSet<String>) -> Vec<&Setting> {
        let is_overruled = |long: &str| {
            let mut pairs = EXCLUSIVE.iter();
            said.contains(long)
                || pairs.any(|&(one, other)| {
                    (one == long && said.contains(other)) || (other == long && said.contains(one))
                })
        };
        let options = self.options.iter();
        options
            .filter(|setting| !is_overruled(&setting.long))
            .collect()
    }
}

impl Setting {
    /// The words for the command line.
    pub fn words(&self) -> impl Iterator<Item = OsString> + '_ {
        self.words.iter().map(OsString::from)
    }
}
