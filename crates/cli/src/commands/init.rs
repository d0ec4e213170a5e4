//! `init`: a first specification for a class or struct, proposed from its fields.

use std::io::Write;
use std::path::PathBuf;

use super::generate::ClassPathArguments;
use crate::failure::{self, CommandStatus, Failure};
use crate::frontends;
use crate::usage::UsageError;

/// Propose a specification for a class or struct, from its fields
///
/// The proposal says which heaps are valid: lists, lists in both directions, trees, with parents,
/// headers and counted nodes, as far as fields, names and code tell. It is a text with comments,
/// made to be read and corrected.
#[derive(clap::Args)]
pub struct Arguments {
    /// What to describe: pkg.Class, FILE.c, FILE.c#STRUCT, FILE.impl or FILE.impl#CLASS
    pub target: String,
    #[command(flatten)]
    pub class_path: ClassPathArguments,
    /// Write the proposal into a new file [default: to standard output]
    #[arg(long, short, value_name = "FILE.sl")]
    pub out: Option<PathBuf>,
    /// With --out: replace a file that is there [default: no]
    #[arg(long)]
    force: bool,
    /// For C: flags for clang, after those of the build: -I, -D, -std=, ... [default: none]
    #[arg(last = true, value_name = "FLAG")]
    pub flags: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    if let Some(file) = arguments.out.as_ref().filter(|file| file.exists())
        && !arguments.force
    {
        return Err(UsageError::Exists(file.clone()).into());
    }
    let text = frontends::propose(arguments)?;
    match &arguments.out {
        Some(file) => {
            failure::write(file, &text)?;
            writeln!(out, "wrote {}", file.display())?;
        }
        None => write!(out, "{text}")?,
    }
    Ok(CommandStatus::Decided)
}
