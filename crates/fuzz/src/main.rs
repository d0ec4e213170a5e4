//! `heapwright-fuzz`: a repeatable run of random and mutated texts.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;

use heapwright_fuzz::run::{Plan, run};
use heapwright_fuzz::subject::subject;
use heapwright_fuzz::texts::Examples;

/// Random and mutated texts against the readers and the solver
///
/// Exit code 0 means that nothing panicked and nothing hung.
#[derive(Parser)]
struct Arguments {
    /// How many texts
    #[arg(long, default_value_t = 20_000)]
    texts: u64,
    /// Determines every text
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first text; with --texts 1 it repeats one failure
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many texts at the same time; the texts do not depend on it
    #[arg(long)]
    jobs: Option<usize>,
    /// Seconds after which a text hangs; a text takes milliseconds, but the machine may be busy
    #[arg(long, default_value_t = 10.0, value_parser = positive)]
    limit: f64,
    /// Print each text before it is run, which finds the one that ends the process
    #[arg(long)]
    print: bool,
    /// Folders with example texts to mutate
    #[arg(default_values = ["library", "examples"])]
    examples: Vec<PathBuf>,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err("a positive number of seconds is needed".to_owned()),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let examples = match Examples::under(&arguments.examples) {
        Ok(examples) => examples,
        Err(error) => {
            eprintln!("cannot read the examples: {error}");
            return ExitCode::from(2);
        }
    };
    match fuzz(&arguments, Box::leak(Box::new(examples))) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cannot write: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs and reports; true if nothing went wrong.
fn fuzz(arguments: &Arguments, examples: &'static Examples) -> io::Result<bool> {
    let mut out = io::stdout();
    // Panics are part of the report; the default hook would print them in between.
    std::panic::set_hook(Box::new(|_| {}));
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let plan = Plan {
        seed: arguments.seed,
        first: arguments.first,
        count: arguments.texts,
        jobs: arguments.jobs.unwrap_or(cores).max(1),
        limit: Duration::from_secs_f64(arguments.limit),
        print: arguments.print,
    };
    let start = Instant::now();
    let report = run(&plan, examples, subject);
    let [rejected, accepted, decided, undecided] = report.fates;
    writeln!(
        out,
        "{} texts in {:.1} s (seed {}, {} examples): {rejected} rejected, {accepted} accepted, \
         {decided} solved and decided, {undecided} solved within the budget undecided",
        report.fates.iter().sum::<u64>(),
        start.elapsed().as_secs_f64(),
        plan.seed,
        examples.len(),
    )?;
    let (longest, index) = report.slowest;
    writeln!(out, "slowest: text {index}, {longest:.1?}")?;
    for failure in &report.failures {
        let (language, text) = examples.text(plan.seed, failure.index);
        writeln!(
            out,
            "\ntext {} ({language:?}): {}",
            failure.index, failure.reason
        )?;
        writeln!(
            out,
            "repeat with: heapwright-fuzz --seed {} --first {} --texts 1",
            plan.seed, failure.index
        )?;
        let shown: String = text.chars().take(3000).collect();
        writeln!(
            out,
            "{}",
            shown.escape_debug().to_string().replace("\\n", "\n")
        )?;
    }
    Ok(report.failures.is_empty())
}
