//! `run`: executes a program on an input, concretely.

use std::io::Write;
use std::path::{Path, PathBuf};

use heapwright_impl::{ImplProgram, read_program};
use heapwright_ir::machine::concrete::{Concrete, Names, Value, export_value};
use heapwright_ir::machine::{Budgets, Machine, MachineError, Outcome as RunOutcome};
use heapwright_ir::{FaultKind, Function, FunctionId, Position, Program, Reg};
use heapwright_logic::{Heap, Sort, Terms, Value as LogicValue, VarId, display_sort, read_heap};
use heapwright_spec::diagnostic::{Style, did_you_mean};

use crate::failure::{Failure, Outcome, read};
use crate::picture;

/// Run an ImpL program on an input and show what it made of it
///
/// The input is a heap with a stack, as `solve --json` and `enumerate --json` write them; a program
/// without inputs needs none.
#[derive(clap::Args)]
pub struct Arguments {
    /// A .impl file
    file: PathBuf,
    /// The procedure to call; without, the statements outside of procedures are executed
    #[arg(long = "proc", value_name = "NAME")]
    procedure: Option<String>,
    /// The input: {"stack": {"x": "#1"}, "objects": {"#1": {"class": "cons", "head": 1, "tail": null}}}
    #[arg(long, value_name = "HEAP.json")]
    input: Option<PathBuf>,
    /// Print the source lines that were executed
    #[arg(long)]
    trace: bool,
    /// The number of instructions after which the run is ended
    #[arg(long, value_name = "N", default_value_t = Budgets::default().steps)]
    steps: u64,
}

/// A variable that the caller sees: an input or an output.
struct Visible {
    name: String,
    register: Reg,
    sort: Sort,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let text = read(&arguments.file)?;
    let name = arguments.file.display().to_string();
    let read = read_program(&name, &text)
        .map_err(|error| Failure::Diagnostics(error.render(Style::Plain)))?;
    let (function, inputs, outputs) = target(arguments, &read)?;
    let program = &read.program;
    let (stack, heap) = input(arguments, program, &inputs)?;
    let broken = |error: MachineError| Failure::Unfit(format!("{name}: {error}"));
    let mut domain = Concrete::new(program).traced();
    let mut names = domain.import(&heap).map_err(broken)?;
    let args = import(&mut domain, &mut names, stack).map_err(broken)?;
    let budgets = Budgets {
        steps: arguments.steps,
        ..Budgets::default()
    };
    let mut machine = Machine::new(program, domain, budgets);
    let result = machine.run(function, args).map_err(broken)?;
    if arguments.trace {
        print_trace(program, &machine, out)?;
    }
    let (word, place, outcome) = describe(program, &result);
    writeln!(out, "{word}{}", at(program, place))?;
    let (heap, locations) = machine.domain.memory.export().map_err(broken)?;
    let mut roots = Vec::new();
    if let RunOutcome::Returned(Some(value)) = &result {
        roots.push((
            "result".to_owned(),
            export_value(&locations, *value).map_err(broken)?,
        ));
    }
    for output in outputs {
        if let Some(&value) = machine.last_value(output.register) {
            roots.push((
                output.name,
                export_value(&locations, value).map_err(broken)?,
            ));
        }
    }
    if !(roots.is_empty() && heap.cells.is_empty()) {
        let drawing = picture::draw(&program.definitions, &roots, &heap);
        write!(out, "{drawing}")?;
    }
    Ok(outcome)
}

/// The function to be run, its inputs and its outputs.
fn target(
    arguments: &Arguments,
    read: &ImplProgram,
) -> Result<(FunctionId, Vec<Visible>, Vec<Visible>), Failure> {
    let program = &read.program;
    let Some(wanted) = &arguments.procedure else {
        let Some(entry) = &read.entry else {
            return Err(Failure::Unfit(format!(
                "{} has procedures only; name one with --proc: {}",
                arguments.file.display(),
                names(program).join(", ")
            )));
        };
        let visible = |variable: &heapwright_impl::Variable| Visible {
            name: variable.name.clone(),
            register: variable.register,
            sort: variable.sort,
        };
        let inputs = entry.inputs.iter().map(visible).collect();
        return Ok((
            entry.function,
            inputs,
            entry.outputs.iter().map(visible).collect(),
        ));
    };
    let Some(id) = program.function_named(wanted) else {
        let known = names(program);
        let help = did_you_mean(wanted, known.iter().map(String::as_str));
        return Err(Failure::Unfit(format!(
            "there is no procedure `{wanted}`{}",
            help.map_or(String::new(), |help| format!("; {help}"))
        )));
    };
    Ok((
        id,
        params(program.function(id)),
        params(program.function(id)),
    ))
}

fn names(program: &Program) -> Vec<String> {
    program
        .functions
        .iter()
        .map(|function| function.name.clone())
        .collect()
}

fn params(function: &Function) -> Vec<Visible> {
    (0..function.params)
        .map(|index| {
            let register = &function.registers[index as usize];
            Visible {
                name: register.name.clone().unwrap_or_else(|| format!("%{index}")),
                register: Reg(index),
                sort: register.sort,
            }
        })
        .collect()
}

/// The values of the inputs, and the heap that they refer to.
fn input(
    arguments: &Arguments,
    program: &Program,
    inputs: &[Visible],
) -> Result<(Vec<LogicValue>, Heap), Failure> {
    if inputs.is_empty() && arguments.input.is_none() {
        return Ok((Vec::new(), Heap::default()));
    }
    let wanted: Vec<String> = (inputs.iter())
        .map(|input| {
            format!(
                "{}: {}",
                input.name,
                display_sort(&program.definitions, input.sort)
            )
        })
        .collect();
    let Some(path) = &arguments.input else {
        return Err(Failure::Unfit(format!(
            "the program has inputs ({}); give them with --input HEAP.json",
            wanted.join(", ")
        )));
    };
    let mut terms = Terms::new();
    let variables: Vec<VarId> = (inputs.iter())
        .map(|input| terms.declare(&*input.name, input.sort))
        .collect();
    let lookup = |name: &str| {
        let position = inputs.iter().position(|input| input.name == name);
        position.map(|index| variables[index])
    };
    let unfit = |message: &dyn std::fmt::Display| {
        Failure::Unfit(format!("{}: {message}", Path::display(path)))
    };
    let (stack, heap) = read_heap(&terms, &program.definitions, &read(path)?, lookup)
        .map_err(|error| unfit(&error))?;
    let values = (variables.iter().zip(&wanted))
        .map(|(variable, wanted)| {
            let missing = || unfit(&format!("the stack has no value for {wanted}"));
            stack.get(variable).copied().ok_or_else(missing)
        })
        .collect::<Result<_, _>>()?;
    Ok((values, heap))
}

fn import(
    domain: &mut Concrete<'_>,
    names: &mut Names,
    values: Vec<LogicValue>,
) -> Result<Vec<Value>, MachineError> {
    values
        .into_iter()
        .map(|value| domain.import_value(names, value))
        .collect()
}

/// What happened, where, and what that means for the exit code.
fn describe(program: &Program, result: &RunOutcome<Value>) -> (String, Option<Position>, Outcome) {
    match result {
        RunOutcome::Returned(_) => ("returned".to_owned(), None, Outcome::Decided),
        RunOutcome::Threw {
            class, position, ..
        } => {
            let class = &program.definitions.class(*class).name;
            (format!("threw {class}"), Some(*position), Outcome::Refuted)
        }
        RunOutcome::Fault { kind, position, .. } => {
            (fault(*kind).to_owned(), Some(*position), Outcome::Refuted)
        }
        RunOutcome::AssumptionFailed { position, .. } => (
            "an assumption does not hold".to_owned(),
            Some(*position),
            Outcome::Decided,
        ),
        RunOutcome::OutOfBudget {
            budget, position, ..
        } => {
            let word = format!("out of budget ({budget:?})").to_lowercase();
            (word, Some(*position), Outcome::Unknown)
        }
    }
}

fn fault(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NullDereference => "null dereference",
        FaultKind::UseAfterFree => "use after free",
        FaultKind::InvalidFree => "invalid free",
        FaultKind::DivisionByZero => "division by zero",
        FaultKind::OutOfBounds => "index out of bounds",
        FaultKind::NegativeLength => "negative array length",
        FaultKind::BadCast => "bad cast",
        FaultKind::BadElement => "array element of another class",
        FaultKind::AssertionFailed => "assertion failed",
        FaultKind::StackOverflow => "stack overflow",
        FaultKind::NoSuchMethod => "no such method",
    }
}

fn at(program: &Program, position: Option<Position>) -> String {
    match position {
        Some(position) if position.line > 0 => {
            let file = program.files.get(position.file as usize);
            let name = file.map_or("", |file| &file.name);
            format!(" at {name}:{}:{}", position.line, position.column)
        }
        _ => String::new(),
    }
}

/// The source lines in the order of execution, consecutive repetitions once.
fn print_trace(
    program: &Program,
    machine: &Machine<'_, Concrete<'_>>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let points = machine.domain.trace.iter().flat_map(|trace| &trace.points);
    let mut last = None;
    for point in points {
        let position = point.position(program);
        let place = (position.file, position.line);
        if position.line == 0 || last == Some(place) {
            continue;
        }
        last = Some(place);
        let file = program.files.get(position.file as usize);
        let line = file.and_then(|file| file.text.lines().nth(position.line as usize - 1));
        writeln!(
            out,
            "{:>5}  {}",
            position.line,
            line.unwrap_or_default().trim_end()
        )?;
    }
    Ok(())
}
