//! What the tests of the machine share: programs in their text form, run concretely.

// Each test binary uses its own part.
#![allow(dead_code)]

use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budgets, Machine, MachineError, MachineOutcome};
use heapwright_ir::{FaultKind, FunctionId, Program, parse, verify};

/// Reads and verifies a program.
pub fn program(text: &str) -> Program {
    let program = unverified(text);
    if let Err(error) = verify(&program) {
        panic!("{error:?}");
    }
    program
}

/// Reads a program that the verifier may reject.
pub fn unverified(text: &str) -> Program {
    // Positions need a file.
    parse(&format!("file \"test\"\n{text}")).unwrap_or_else(|error| panic!("{error}"))
}

pub fn function(program: &Program, name: &str) -> FunctionId {
    program.function_named(name).expect("a function")
}

/// Runs `main`.
pub fn run(program: &Program, args: &[Value]) -> MachineOutcome<Value> {
    run_within(program, args, Budgets::default())
}

pub fn run_within(program: &Program, args: &[Value], budgets: Budgets) -> MachineOutcome<Value> {
    try_run(program, args, budgets).unwrap_or_else(|error| panic!("{error}"))
}

pub fn try_run(
    program: &Program,
    args: &[Value],
    budgets: Budgets,
) -> Result<MachineOutcome<Value>, MachineError> {
    let mut machine = Machine::new(program, Concrete::new(program), budgets);
    machine.run(function(program, "main"), args.to_vec())
}

pub fn int(value: i128) -> Value {
    Value::Int(value)
}

pub fn returned(value: Value) -> MachineOutcome<Value> {
    MachineOutcome::Returned(Some(value))
}

/// The kind and line of a fault that ended the program.
pub fn fault(outcome: &MachineOutcome<Value>) -> Option<(FaultKind, u32)> {
    match outcome {
        MachineOutcome::Fault { kind, position, .. } => Some((*kind, position.line)),
        _ => None,
    }
}

/// The class, origin and line of an exception that left the program.
pub fn threw(
    program: &Program,
    outcome: &MachineOutcome<Value>,
) -> Option<(String, Option<FaultKind>, u32)> {
    match outcome {
        MachineOutcome::Threw {
            class,
            fault,
            position,
            ..
        } => {
            let name = program.definitions.class(*class).name.clone();
            Some((name, *fault, position.line))
        }
        _ => None,
    }
}

pub fn bool(value: bool) -> Value {
    Value::Bool(value)
}
