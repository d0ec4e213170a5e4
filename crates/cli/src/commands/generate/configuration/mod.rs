//! `heapwright.toml`: what a project wants `generate` to do, so that the command alone does it.
//!
//! Keys are the options of the command by their long names, and `targets`; those that bound the
//! search may also stand in a table `[budgets]`. Paths are relative to the folder of the file.
//! What the command line says wins.

mod reader;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::Arguments;
use crate::failure::{Failure, read};
use reader::TARGETS;

/// The name of the file.
pub const FILE: &str = "heapwright.toml";

/// What is said where nothing says what is tested.
const NOTHING: &str = "what shall be tested? Name a TARGET (pkg.Class, pkg.Class#method or \
    FILE.impl), or write a heapwright.toml, which is neither in this folder nor in one above";

/// Pairs of options that exclude each other.
const EXCLUSIVE: [(&str, &str); 3] = [
    ("spec", "no-spec"),
    ("specs", "no-spec"),
    ("quiet", "verbose"),
];

impl Arguments {
    /// Adds what the configuration file says, if it is wanted: if one is named, or no target is.
    /// `words` is what stood behind `generate`.
    pub fn configured(&self, words: &[OsString]) -> Result<Arguments, Failure> {
        let file = match &self.config {
            Some(file) => Some(file.clone()),
            None => match (find(), self.targets.is_empty()) {
                (Some(file), true) => Some(file),
                (None, true) => return Err(Failure::Unfit(NOTHING.to_owned())),
                (Some(file), false) => {
                    self.mention(&file);
                    None
                }
                (None, false) => None,
            },
        };
        let Some(file) = file else {
            return Ok(self.clone());
        };
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let configuration = Configuration::read(&file, &read(&file)?, &folder)?;
        let given = matches(words).map_err(|error| Failure::Unfit(error.to_string()))?;
        let arguments = configuration.complete(&given, words)?;
        if arguments.targets.is_empty() {
            let file = file.display();
            let message = format!("{file} has no `{TARGETS}`; add some, or name a TARGET");
            return Err(Failure::Unfit(message));
        }
        Ok(arguments)
    }

    /// What a configuration file alone says.
    pub fn of_configuration(text: &str, folder: &Path) -> Result<Arguments, Failure> {
        let configuration = Configuration::read(&folder.join(FILE), text, folder)?;
        let given = matches(&[]).map_err(|error| Failure::Unfit(error.to_string()))?;
        configuration.complete(&given, &[])
    }

    /// Somebody at a terminal may believe that the file is read.
    fn mention(&self, file: &Path) {
        if !self.quiet && io::stderr().is_terminal() {
            let file = file.display();
            let _ = writeln!(
                io::stderr(),
                "{file} is not read, since a target is named; --config {file} reads it"
            );
        }
    }
}

/// The file in the current folder or the nearest one above it, relative to the current folder.
fn find() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut relative = PathBuf::new();
    for folder in here.ancestors() {
        if folder.join(FILE).is_file() {
            return Some(relative.join(FILE));
        }
        relative.push("..");
    }
    None
}

/// What a file says.
#[derive(Debug, Default)]
struct Configuration {
    /// Options with their words for the command line.
    options: Vec<(String, Vec<String>)>,
    targets: Vec<String>,
}

impl Configuration {
    /// The command line with what the file says in front.
    fn complete(&self, given: &ArgMatches, words: &[OsString]) -> Result<Arguments, Failure> {
        let command = command();
        let is_given = |long: &str| {
            let mut arguments = command.get_arguments();
            let known = arguments.find(|argument| argument.get_long() == Some(long));
            let source = known.and_then(|known| given.value_source(known.get_id().as_str()));
            source == Some(ValueSource::CommandLine)
        };
        let is_overruled = |long: &str| {
            let mut pairs = EXCLUSIVE.iter();
            is_given(long)
                || pairs.any(|&(one, other)| {
                    (one == long && is_given(other)) || (other == long && is_given(one))
                })
        };
        let options = self.options.iter();
        let options = options.filter(|(long, _)| !is_overruled(long));
        let mut line: Vec<OsString> = options
            .flat_map(|(_, words)| words.iter().map(OsString::from))
            .collect();
        line.extend(words.iter().cloned());
        if given.value_source("targets").is_none() {
            line.extend(self.targets.iter().map(OsString::from));
        }
        let unfit = |error: clap::Error| Failure::Unfit(error.to_string());
        let matches = matches(&line).map_err(unfit)?;
        Arguments::from_arg_matches(&matches).map_err(unfit)
    }
}

/// The command line, as its parser knows it.
fn command() -> Command {
    Arguments::augment_args(Command::new("heapwright generate"))
}

/// What words behind the name of the command say.
fn matches(words: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let name = OsString::from("generate");
    command().try_get_matches_from(std::iter::once(&name).chain(words))
}
