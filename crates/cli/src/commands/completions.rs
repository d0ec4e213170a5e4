//! `completions`: what a shell needs to complete commands and options.

use std::io::Write;

use clap_complete::Shell;

use crate::failure::{CommandStatus, Failure};

/// Print completions for a shell
///
/// For bash: heapwright completions bash > ~/.local/share/bash-completion/completions/heapwright
#[derive(clap::Args)]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

/// Runs the command; `program` is the whole command line.
pub fn run(
    arguments: &Arguments,
    mut program: clap::Command,
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    // The generator panics where it cannot write, so it does not get the real output.
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, crate::NAME, &mut text);
    out.write_all(&text)?;
    Ok(CommandStatus::Decided)
}
