//! The command line: reads the arguments, runs one command, turns its end into an exit code.

mod answers;
mod bench;
mod commands;
mod failure;
mod input;
mod library;
mod limits;
mod models;
mod picture;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::{Failure, Outcome};

/// Separation logic for linked data: solve, check, enumerate and explain specifications.
#[derive(Parser)]
#[command(version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  every question was answered; a checked heap satisfies its formula
  1  an input cannot be read or has errors
  2  the command line has errors
  3  some question was answered `unknown`, or a limit was reached
  4  a checked heap does not satisfy its formula; a program ran into a fault; a benchmark was
     answered wrongly";

#[derive(Subcommand)]
enum Command {
    Solve(commands::solve::Arguments),
    Check(commands::check::Arguments),
    Enumerate(commands::enumerate::Arguments),
    Explain(commands::explain::Arguments),
    Run(commands::run::Arguments),
    #[command(subcommand)]
    Bench(bench::Command),
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
        Command::Solve(arguments) => commands::solve::run(arguments, out),
        Command::Check(arguments) => commands::check::run(arguments, out),
        Command::Enumerate(arguments) => commands::enumerate::run(arguments, out),
        Command::Explain(arguments) => commands::explain::run(arguments, out),
        Command::Run(arguments) => commands::run::run(arguments, out),
        Command::Bench(command) => bench::run(command, out),
    }
}
