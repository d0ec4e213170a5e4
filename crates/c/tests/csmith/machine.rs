//! `main` of a C file on the concrete machine.

use std::path::Path;

use heapwright_c::clang::Flags;
use heapwright_c::read_unit;
use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budget, Budgets, Machine, MachineOutcome};

/// How a program ended.
pub enum Ending {
    /// What it would print.
    Checksum(u32),
    /// It was stopped.
    OutOfSteps,
}

/// Steps that a program is given. What gcc's program does in a second is more than the machine does
/// in a minute.
const STEPS: u64 = 20_000_000;

/// Runs a program of csmith; an error says why it did not come to its end.
pub fn run(file: &Path, headers: &str) -> Result<Ending, String> {
    let flags = Flags::from_words(&["-I".to_owned(), headers.to_owned()]);
    let flags = flags.map_err(|error| error.to_string())?;
    let unit = read_unit(file, &flags).map_err(|error| error.to_string())?;
    let program = &unit.program;
    if let Err(problems) = heapwright_ir::verify(program) {
        let problems = problems.iter().map(ToString::to_string);
        return Err(problems.collect::<Vec<_>>().join("\n"));
    }
    let main = program.function_named("main").ok_or("there is no main")?;
    let params = program.function(main).params as usize;
    let budgets = Budgets {
        steps: STEPS,
        objects: 50_000_000,
        ..Budgets::default()
    };
    let mut machine = Machine::new(program, Concrete::new(program), budgets);
    let arguments = [Value::Int(1), Value::Null][..params].to_vec();
    match machine
        .run(main, arguments)
        .map_err(|error| error.to_string())?
    {
        MachineOutcome::Returned(_) => {}
        MachineOutcome::Fault { kind, position, .. } => {
            return Err(format!("fault: {} at line {}", kind.name(), position.line));
        }
        MachineOutcome::OutOfBudget {
            budget: Budget::Steps,
            ..
        } => return Ok(Ending::OutOfSteps),
        other => return Err(format!("{other:?}")),
    }
    let context = program.global_named("crc32_context");
    let object = context.and_then(|global| machine.domain.memory.global(global));
    let object = object.ok_or("there is no checksum")?;
    let object = machine.domain.memory.object(object);
    let object = object.map_err(|error| error.to_string())?;
    match object.contents.first() {
        Some(Value::Int(sum)) => Ok(Ending::Checksum((*sum as u32) ^ u32::MAX)),
        other => Err(format!("the checksum is {other:?}")),
    }
}
