//! `run`: executes a program on an input, concretely; a generated test, too.

mod promised;
mod recorded;

use std::io::Write;
use std::path::{Path, PathBuf};

use heapwright_engine::{Input, Options, Outcome, Run, Subject, replay};
use heapwright_ir::machine::Budgets;
use heapwright_ir::{FunctionId, Program};
use heapwright_logic::{Heap, Sort, Value, display_sort};
use serde_json::Value as Json;

use crate::failure::{CommandStatus, Failure, read};
use crate::frontends::LABELS;
use crate::frontends::{
    Expectation, Loaded, RecordError, SpecificationChoice, meets, procedure_named, procedure_names,
};
use crate::host::Terminal;
use crate::usage::UsageError;
use heapwright_explain::{picture, source, words};
use heapwright_testgen::state;

/// Run an ImpL program on an input and show what it made of it
///
/// The input is a heap with a stack, as `solve --json` and `enumerate --json` write them; a program
/// without inputs needs none. A test that `generate --out` wrote is such a program, and its end is
/// compared with the one that it expects; where it names a postcondition, that is checked. With
/// --test, one test of a report of `generate --json` is run again, and the end compared with what
/// the report says.
#[derive(clap::Args)]
pub struct Arguments {
    /// A .impl file
    file: PathBuf,
    /// The procedure to call; without, the statements outside of procedures are executed
    #[arg(long = "proc", value_name = "NAME", conflicts_with = "test")]
    procedure: Option<String>,
    /// The input: {"stack": {"x": "#1"}, "objects": {"#1": {"class": "cons", "head": 1, "tail": null}}}
    #[arg(long, value_name = "HEAP.json", conflicts_with = "test")]
    input: Option<PathBuf>,
    /// A test of a report that `generate --json` wrote: REPORT.json#NAME
    #[arg(long, value_name = "REPORT.json#NAME")]
    test: Option<String>,
    /// Print the source lines that were executed
    #[arg(long)]
    trace: bool,
    /// The number of instructions after which the run is ended [default: 1000000; with --test, that
    /// of the report]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
}

impl Arguments {
    fn budgets(&self, recorded: Option<u64>) -> Budgets {
        let mut budgets = Budgets::default();
        budgets.steps = self.steps.or(recorded).unwrap_or(budgets.steps);
        budgets
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    if let Some(test) = &arguments.test {
        return recorded::run(arguments, test, out);
    }
    crate::project::trust_beside(&arguments.file);
    let loaded = Loaded::read(&arguments.file, &SpecificationChoice::None, &Terminal)?;
    let subject = loaded.subject(function(arguments, &loaded)?)?;
    let input = input(arguments, &subject)?;
    let files = &loaded.read.program.files;
    let text = files.first().map_or("", |file| &file.text);
    let expectation =
        Expectation::read(text).map_err(|error| Failure::input(&arguments.file, error))?;
    // A run that does not end has to get as far as it got when the test was generated.
    let steps = match expectation {
        Some(Expectation::OutOfBudget(_)) => Some(Options::default().budgets.steps),
        _ => None,
    };
    let run = execute(arguments, &subject, &input, arguments.budgets(steps))?;
    print(arguments, &subject, &run, out)?;
    match expectation {
        Some(expected) => {
            let met = meets(expected, &run.outcome);
            if met && let Some(outcome) = promised::check(arguments, text, out)? {
                return Ok(outcome);
            }
            let word = if met { "as expected" } else { "expected" };
            writeln!(out, "{word}: {expected}")?;
            Ok(if met {
                CommandStatus::Decided
            } else {
                CommandStatus::Refuted
            })
        }
        // What a test sets up for itself it need not free, so leaks count in programs only.
        None => {
            print_leaks(&run, out)?;
            Ok(meaning(&run))
        }
    }
}

fn print_leaks(run: &Run, out: &mut dyn Write) -> Result<(), Failure> {
    if !run.leaks.is_empty() {
        let objects = words::count(run.leaks.len() as u64, "object", "objects");
        let names: Vec<String> = run.leaks.iter().map(ToString::to_string).collect();
        writeln!(out, "leak of {objects}: {}", names.join(", "))?;
    }
    Ok(())
}

/// What the end of a run means for the exit code.
fn meaning(run: &Run) -> CommandStatus {
    match run.outcome {
        Outcome::Threw { .. } | Outcome::Fault { .. } => CommandStatus::Refuted,
        Outcome::OutOfBudget { .. } => CommandStatus::Unknown,
        Outcome::Returned | Outcome::AssumptionFailed { .. } if run.leaks.is_empty() => {
            CommandStatus::Decided
        }
        Outcome::Returned | Outcome::AssumptionFailed { .. } => CommandStatus::Refuted,
    }
}

fn execute(
    arguments: &Arguments,
    subject: &Subject,
    input: &Input,
    budgets: Budgets,
) -> Result<Run, Failure> {
    replay(subject, input, budgets).map_err(|error| Failure::input(&arguments.file, error))
}

/// The path if it was asked for, how the run ended, and the heap that it left.
fn print(
    arguments: &Arguments,
    subject: &Subject,
    run: &Run,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let program = &subject.program;
    if arguments.trace {
        for &position in &run.lines {
            let line = source::line(program, position);
            writeln!(out, "{:>5}  {line}", position.line)?;
        }
    }
    writeln!(out, "{}", words::outcome_at(program, &run.outcome))?;
    let roots = run.roots();
    if !(roots.is_empty() && run.heap.cells.is_empty()) {
        let drawing = picture::draw(LABELS, &program.definitions, &roots, &run.heap);
        write!(out, "{drawing}")?;
    }
    Ok(())
}

/// The function to be run.
fn function(arguments: &Arguments, loaded: &Loaded) -> Result<FunctionId, Failure> {
    let program = &loaded.read.program;
    match (&arguments.procedure, &loaded.read.entry) {
        (Some(name), _) => Ok(procedure_named(program, name)?),
        (None, Some(entry)) => Ok(entry.function),
        (None, None) => {
            let names = procedure_names(program).into_iter().map(str::to_owned);
            Err(UsageError::WhichProcedure(arguments.file.clone(), names.collect()).into())
        }
    }
}

/// The values of the inputs, and the heap that they refer to.
fn input(arguments: &Arguments, subject: &Subject) -> Result<Input, Failure> {
    let names = sorts(subject);
    if names.is_empty() && arguments.input.is_none() {
        return Ok(Input::default());
    }
    let program = &subject.program;
    let Some(path) = &arguments.input else {
        let wanted: Vec<String> = names.iter().map(|name| typed(program, name)).collect();
        return Err(UsageError::NoInput(wanted).into());
    };
    let text = read(path)?;
    let json: Json = serde_json::from_str(&text)
        .map_err(|error| Failure::input(path, RecordError::Json(error)))?;
    read_input(program, &names, &json, path)
}

/// The parameters with their sorts.
fn sorts(subject: &Subject) -> Vec<(String, Sort)> {
    let inputs = subject.inputs.iter();
    inputs
        .map(|input| (input.name.clone(), input.sort))
        .collect()
}

fn typed(program: &Program, (name, sort): &(String, Sort)) -> String {
    format!("{name}: {}", display_sort(&program.definitions, *sort))
}

/// An input from JSON, in which every parameter has a value.
fn read_input(
    program: &Program,
    names: &[(String, Sort)],
    json: &Json,
    path: &Path,
) -> Result<Input, Failure> {
    let (values, heap): (Vec<Option<Value>>, Heap) =
        state::from_json(&program.definitions, names, json)
            .map_err(|error| Failure::input(path, error))?;
    let arguments = (values.into_iter().zip(names))
        .map(|(value, name)| {
            let missing = || RecordError::NoValue(typed(program, name));
            value.ok_or_else(|| Failure::input(path, missing()))
        })
        .collect::<Result<_, _>>()?;
    Ok(Input {
        arguments,
        heap,
        witness: None,
    })
}
