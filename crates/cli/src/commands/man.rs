//! `man`: pages of the manual, from the same texts as `--help`.

use std::io::Write;
use std::path::PathBuf;

use clap_mangen::Man;
use heapwright_spec::diagnostic::did_you_mean;

use crate::failure::{self, CommandStatus, Failure};
use crate::usage::UsageError;

/// Print a page of the manual, or write all of them
///
/// To read one: heapwright man generate | man -l -
#[derive(clap::Args)]
pub struct Arguments {
    /// The command, for the page about it [default: the page about all of them]
    #[arg(conflicts_with = "out")]
    command: Option<String>,
    /// Write all pages into a folder, such as ~/.local/share/man/man1 [default: not written]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command; `program` is the whole command line.
pub fn run(
    arguments: &Arguments,
    program: clap::Command,
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    let pages = pages(program)?;
    if let Some(folder) = &arguments.out {
        failure::create_folder(folder)?;
        for (name, text) in &pages {
            failure::write(&folder.join(format!("{name}.1")), text)?;
        }
        writeln!(out, "wrote {} pages into {}", pages.len(), folder.display())?;
        return Ok(CommandStatus::Decided);
    }
    let wanted = match &arguments.command {
        Some(command) => format!("{}-{command}", crate::NAME),
        None => crate::NAME.to_owned(),
    };
    let page = pages.iter().find(|(name, _)| *name == wanted);
    let Some((_, text)) = page else {
        let command = arguments.command.as_deref().unwrap_or_default();
        let known = pages.iter().map(|(name, _)| name.as_str());
        let known = known.filter_map(|name| name.strip_prefix(crate::NAME)?.strip_prefix('-'));
        let help = did_you_mean(command, known).map_or(String::new(), |help| format!("; {help}"));
        return Err(UsageError::NoCommand(command.to_owned(), help).into());
    };
    write!(out, "{text}")?;
    Ok(CommandStatus::Decided)
}

/// All pages by name: `heapwright`, `heapwright-generate`, `heapwright-bench-korat`.
fn pages(program: clap::Command) -> Result<Vec<(String, String)>, Failure> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    let mut waiting = vec![program];
    while let Some(command) = waiting.pop() {
        waiting.extend(command.get_subcommands().cloned());
        let name = command.get_display_name().unwrap_or(command.get_name());
        let name = name.to_owned();
        let mut text = Vec::new();
        Man::new(command).render(&mut text)?;
        pages.push((name, String::from_utf8_lossy(&text).into_owned()));
    }
    pages.sort();
    Ok(pages)
}
