//! The command line: reads the arguments, runs one command, turns its end into an exit code.

mod answers;
mod bench;
mod commands;
mod compact;
mod condition;
mod contradiction;
mod failure;
mod input;
mod interruption;
mod java;
mod json_text;
mod library;
mod limits;
mod meaning;
mod models;
mod picture;
mod source;
mod state;
mod target;
mod temporary;
mod words;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use failure::{Failure, Outcome};

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
    Init(commands::init::Arguments),
    Solve(commands::solve::Arguments),
    Check(commands::check::Arguments),
    Enumerate(commands::enumerate::Arguments),
    Explain(commands::explain::Arguments),
    Run(commands::run::Arguments),
    #[command(subcommand)]
    Bench(bench::Command),
    Completions(commands::completions::Arguments),
    Man(commands::man::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let result = run(&arguments.command, &mut out);
    // What was written before a failure is part of the answer.
    let result = result.and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match result {
        Ok(outcome) => outcome.code(),
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = out.flush();
            let _ = writeln!(io::stderr(), "{}", failure);
            ExitCode::from(1)
        }
    }
}

fn run(command: &Command, out: &mut dyn Write) -> Result<Outcome, Failure> {
    match command {
        Command::Generate(arguments) => commands::generate::run(arguments, out),
        Command::Init(arguments) => commands::init::run(arguments, out),
        Command::Solve(arguments) => commands::solve::run(arguments, out),
        Command::Check(arguments) => commands::check::run(arguments, out),
        Command::Enumerate(arguments) => commands::enumerate::run(arguments, out),
        Command::Explain(arguments) => commands::explain::run(arguments, out),
        Command::Run(arguments) => commands::run::run(arguments, out),
        Command::Bench(command) => bench::run(command, out),
        Command::Completions(arguments) => {
            commands::completions::run(arguments, Arguments::command(), out)
        }
        Command::Man(arguments) => commands::man::run(arguments, Arguments::command(), out),
    }
}
