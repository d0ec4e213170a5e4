//! `merge`: the parts of a run, joined.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::Parser;

use super::generate;
use crate::failure::{CommandStatus, Failure};
use crate::usage::UsageError;

/// Join the results of `generate --shard K/N --results DIR`
///
/// Say what the parts were generated with, but for --shard and --results, and what is to be written:
/// heapwright merge part1 part2 -- 'org.example.*' -c classes --out tests --report report. Java
/// methods are not searched for: the output is that of one run, and what no part has is told.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folders with the results
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// What `generate` is to do
    #[arg(last = true, value_name = "ARGUMENT", required = true)]
    arguments: Vec<OsString>,
}

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    arguments: generate::Arguments,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    if let Some(missing) = arguments.folders.iter().find(|folder| !folder.is_dir()) {
        return Err(UsageError::NoResults(missing.clone()).into());
    }
    let name = OsString::from("generate");
    let line = Line::try_parse_from(std::iter::once(&name).chain(&arguments.arguments));
    let mut line = line.unwrap_or_else(|error| error.exit()).arguments;
    line.store.merged.clone_from(&arguments.folders);
    generate::run(&line, &arguments.arguments, out)
}
