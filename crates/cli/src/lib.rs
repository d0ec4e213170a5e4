//! The command line: reads the arguments, runs one command, turns its end into an exit code.
//!
//! A library, so that the fuzzer can run commands inside of its own process.

#[cfg(feature = "cluster")]
mod cluster;
mod commands;
mod failure;
mod frontends;
mod host;
mod input;

mod interruption;

mod limits;
mod project;
mod store;

mod ticker;
mod usage;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use clap::{CommandFactory, Parser, Subcommand};

use failure::{CommandStatus, Failure};

/// The name of the program.
const NAME: &str = "heapwright";

/// Tests for code that works on linked data, and the separation logic that they come from.
#[derive(Parser)]
#[command(name = NAME, version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  every question was answered; a checked heap satisfies its formula; no test found a fault
  1  an input cannot be read or has errors
  2  the command line has errors
  3  some question was answered `unknown`, or a limit was reached
  4  a checked heap does not satisfy its formula; a program ran into a fault; a test found a fault,
     a leak or a violated postcondition, or behaves differently than recorded; no input reaches a
     line; a benchmark was answered wrongly";

#[derive(Subcommand)]
enum Command {
    Generate(Box<commands::generate::Arguments>),
    Watch(Box<commands::watch::Arguments>),
    Infer(commands::infer::Arguments),
    Init(commands::init::Arguments),
    Solve(commands::solve::Arguments),
    Check(commands::check::Arguments),
    Enumerate(commands::enumerate::Arguments),
    Explain(commands::explain::Arguments),
    Run(commands::run::Arguments),
    Merge(commands::merge::Arguments),
    Cache(commands::cache::Arguments),
    #[cfg(feature = "cluster")]
    Worker(heapwright_cluster::WorkerArguments),
    #[command(subcommand)]
    Bench(heapwright_bench::Command),
    Lsp(commands::lsp::Arguments),
    Setup(commands::setup::Arguments),
    Completions(commands::completions::Arguments),
    Man(commands::man::Arguments),
}

/// Runs the command that the arguments of the process name.
pub fn main() -> ! {
    let arguments = Arguments::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let words: Vec<OsString> = std::env::args_os().skip(2).collect();
    let result = run(&arguments.command, &words, &mut out);
    // What was written before a failure is part of the answer.
    let result = result.and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    let code = match result {
        Ok(outcome) => outcome.code(),
        Err(failure) if failure.is_broken_pipe() => 0,
        Err(failure) => {
            let _ = out.flush();
            let _ = writeln!(io::stderr(), "{}", failure);
            1
        }
    };
    interruption::end(code)
}

/// Runs a command in this process: the words are those behind the name of the program. Gives
/// what it would have said had it failed.
pub fn execute(words: &[&str], out: &mut dyn Write) -> Result<(), String> {
    let line = std::iter::once(NAME).chain(words.iter().copied());
    let arguments = Arguments::try_parse_from(line).map_err(|error| error.to_string())?;
    let words: Vec<OsString> = words.iter().skip(1).map(OsString::from).collect();
    let ended = run(&arguments.command, &words, out);
    ended.map(|_| ()).map_err(|failure| failure.to_string())
}

/// Reads the text of a configuration file for `generate`, as one in this folder.
pub fn check_configuration(text: &str, folder: &Path) -> Result<(), String> {
    let read = commands::generate::Arguments::of_configuration(text, folder);
    read.map(|_| ()).map_err(|failure| failure.to_string())
}

/// `words` is what stands behind the name of the command.
fn run(
    command: &Command,
    words: &[OsString],
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    match command {
        Command::Generate(arguments) => commands::generate::run(arguments, words, out),
        Command::Watch(arguments) => commands::watch::run(arguments, words, out),
        Command::Infer(arguments) => commands::infer::run(arguments, out),
        Command::Init(arguments) => commands::init::run(arguments, out),
        Command::Solve(arguments) => commands::solve::run(arguments, out),
        Command::Check(arguments) => commands::check::run(arguments, out),
        Command::Enumerate(arguments) => commands::enumerate::run(arguments, out),
        Command::Explain(arguments) => commands::explain::run(arguments, out),
        Command::Run(arguments) => commands::run::run(arguments, out),
        Command::Merge(arguments) => commands::merge::run(arguments, out),
        Command::Cache(arguments) => commands::cache::run(arguments, out),
        #[cfg(feature = "cluster")]
        Command::Worker(arguments) => cluster::work(arguments),
        Command::Lsp(arguments) => commands::lsp::run(arguments, out),
        Command::Setup(arguments) => commands::setup::run(arguments, out),
        Command::Bench(command) => Ok(heapwright_bench::run(command, out)?.into()),
        Command::Completions(arguments) => {
            commands::completions::run(arguments, Arguments::command(), out)
        }
        Command::Man(arguments) => commands::man::run(arguments, Arguments::command(), out),
    }
}
