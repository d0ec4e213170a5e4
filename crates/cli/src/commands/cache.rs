//! `cache`: what is kept of earlier runs.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use heapwright_store::Statistics;

use crate::failure::{CommandStatus, Failure};
use crate::store::StoreArguments;

/// Show or clear the cache of earlier results
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
    /// The folder [default: HEAPWRIGHT_CACHE, or heapwright in the user's cache folder]
    #[arg(long, value_name = "DIR", global = true)]
    cache: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Action {
    /// Say where results are kept, and how many
    Stats,
    /// Remove all results
    Clear,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    let store = StoreArguments {
        cache: arguments.cache.clone(),
        ..StoreArguments::default()
    };
    let Some(folder) = store.folder() else {
        writeln!(out, "no results are kept")?;
        return Ok(CommandStatus::Decided);
    };
    let (verb, Statistics { entries, bytes }) = match arguments.action {
        Action::Stats => ("in", folder.statistics()),
        Action::Clear => ("removed from", folder.clear()?),
    };
    let size = bytes as f64 / f64::from(1 << 20);
    let place = folder.path().display();
    writeln!(out, "{entries} entries, {size:.1} MB, {verb} {place}")?;
    Ok(CommandStatus::Decided)
}
