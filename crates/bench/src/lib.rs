//! Benchmarks: this project beside published figures, and its own speed.

mod c;
mod cover;
mod error;
mod examples;
mod files;
mod infer;
mod java_sources;
mod jpf;
mod korat;
mod ordinary;
mod papers;
mod published;
mod scale;
mod slcomp;
mod table;

use std::io::Write;

use clap::Subcommand;

pub use error::{BenchError, BenchStatus};

/// Run a benchmark and print the result, beside published figures where there are some
// A text for a benchmark here would take the place of that of its arguments.
#[allow(missing_docs)]
#[derive(Subcommand)]
pub enum Command {
    Slcomp(slcomp::Arguments),
    Korat(korat::Arguments),
    Examples(examples::Arguments),
    Papers(papers::Arguments),
    Jpf(jpf::Arguments),
    C(c::Arguments),
    Ordinary(ordinary::Arguments),
    Infer(infer::Arguments),
    Scale(scale::Arguments),
}

/// Runs one of them.
pub fn run(command: &Command, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    match command {
        Command::Slcomp(arguments) => slcomp::run(arguments, out),
        Command::Korat(arguments) => korat::run(arguments, out),
        Command::Examples(arguments) => examples::run(arguments, out),
        Command::Papers(arguments) => papers::run(arguments, out),
        Command::Jpf(arguments) => jpf::run(arguments, out),
        Command::C(arguments) => c::run(arguments, out),
        Command::Ordinary(arguments) => ordinary::run(arguments, out),
        Command::Infer(arguments) => infer::run(arguments, out),
        Command::Scale(arguments) => scale::run(arguments, out),
    }
}
