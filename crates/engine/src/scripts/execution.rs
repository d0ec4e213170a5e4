//! Runs of scripts.

use std::hash::{Hash, Hasher};

use heapwright_ir::machine::concrete::{Concrete, Trace, Value};
use heapwright_ir::machine::{Address, Edge, Machine, MachineOutcome};
use heapwright_ir::{FunctionId, Program};
use heapwright_logic::ClassId;
use rustc_hash::FxHasher;

use super::{Callee, Catalogue, Operand, Operation, Script, Statement};
use crate::sequences::{Argument, Stuck};

/// What a statement did.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The function that was called, if one was.
    pub function: Option<FunctionId>,
    /// The class of the first operand, if that is an object.
    pub receiver: Option<ClassId>,
    /// The branches that it took in the code under test.
    pub edges: Vec<Edge>,
    /// Equal for calls that take the same branches of the code under test and end alike.
    pub path: u64,
    /// The class of the object that it gave.
    pub class: Option<ClassId>,
}

/// What a script did.
#[derive(Clone, Debug, Default)]
pub(super) struct Execution {
    /// The statements that were executed.
    pub steps: Vec<Step>,
    /// Whether the last of them threw an exception: what would follow was not executed.
    pub threw: bool,
    /// Whether every statement could be executed.
    pub is_sound: bool,
}

/// Executes the statements of a script one after the other. `values` are what they gave.
pub(super) fn run(
    machine: &mut Machine<'_, Concrete<'_>>,
    program: &Program,
    catalogue: &Catalogue,
    script: &Script,
    values: &mut Vec<Value>,
    mut make: impl FnMut(&mut Machine<'_, Concrete<'_>>, &Argument) -> Result<Value, Stuck>,
) -> Result<Execution, Stuck> {
    let mut execution = Execution::default();
    for statement in &script.statements {
        let operands = operands(machine, statement, values, &mut make)?;
        let Some(operation) = catalogue.operation(statement.operation) else {
            return Ok(execution);
        };
        let Some(call) = prepare(machine, program, catalogue, operation, operands)? else {
            return Ok(execution);
        };
        let (function, given, result) = match call {
            Prepared::Made(value) => {
                values.push(value);
                execution.steps.push(Step {
                    function: None,
                    receiver: None,
                    edges: Vec::new(),
                    path: 0,
                    class: class_of(machine, value),
                });
                continue;
            }
            Prepared::Call(function, given, result) => (function, given, result),
        };
        let receiver = given.first().and_then(|&first| class_of(machine, first));
        machine.domain.trace = Some(Trace {
            limit: TRAIL,
            ..Trace::default()
        });
        let ended = machine.run(function, given)?;
        let trace = machine.domain.trace.take().unwrap_or_default();
        let is_tested = |edge: &&Edge| catalogue.tested.contains(&edge.function);
        let edges: Vec<Edge> = (trace.edges.keys().filter(is_tested)).copied().collect();
        let mut hasher = FxHasher::default();
        for edge in trace.trail.iter().filter(is_tested) {
            edge.hash(&mut hasher);
        }
        let value = match &ended {
            MachineOutcome::Returned(value) => value.or(result).unwrap_or(Value::Null),
            MachineOutcome::Threw { class, .. } => {
                class.0.hash(&mut hasher);
                execution.threw = true;
                Value::Null
            }
            _ => return Ok(execution),
        };
        let value = result.unwrap_or(value);
        values.push(value);
        execution.steps.push(Step {
            function: Some(function),
            receiver,
            edges,
            path: hasher.finish(),
            class: class_of(machine, value),
        });
        if execution.threw {
            break;
        }
    }
    execution.is_sound = true;
    Ok(execution)
}

/// Edges of a call that are kept in order.
const TRAIL: usize = 5_000;

/// A statement whose operands are known.
pub(super) enum Prepared {
    /// It calls nothing.
    Made(Value),
    /// It calls a function; a constructor gives the object whatever it returns.
    Call(FunctionId, Vec<Value>, Option<Value>),
}

/// The values of the operands of a statement.
pub(super) fn operands(
    machine: &mut Machine<'_, Concrete<'_>>,
    statement: &Statement,
    values: &[Value],
    make: &mut impl FnMut(&mut Machine<'_, Concrete<'_>>, &Argument) -> Result<Value, Stuck>,
) -> Result<Vec<Value>, Stuck> {
    let mut operands = Vec::new();
    for operand in &statement.operands {
        operands.push(match operand {
            Operand::Variable(index) => {
                let known = values.get(*index as usize).copied();
                known.ok_or(Stuck::NoArgument)?
            }
            Operand::Literal(argument) => make(machine, argument)?,
        });
    }
    Ok(operands)
}

/// What a statement calls. `None` if it cannot be called on such operands: its receiver is null, or
/// an object is of another class than the parameter.
pub(super) fn prepare(
    machine: &mut Machine<'_, Concrete<'_>>,
    program: &Program,
    catalogue: &Catalogue,
    operation: &Operation,
    mut operands: Vec<Value>,
) -> Result<Option<Prepared>, Stuck> {
    let is_open = matches!(operation.callee, Callee::Array(_));
    for (index, &operand) in operands.iter().enumerate() {
        let place = if is_open { 0 } else { index };
        let parameter = operation.parameters.get(place);
        let wanted = parameter.and_then(|&ty| catalogue.ty(ty)?.class);
        if let (Some(wanted), Some(class)) = (wanted, class_of(machine, operand))
            && !program.is_subtype(class, wanted)
        {
            return Ok(None);
        }
    }
    Ok(match &operation.callee {
        Callee::New(class, constructor) => {
            let object = Value::object(machine.domain.new_object(*class)?);
            operands.insert(0, object);
            Some(Prepared::Call(*constructor, operands, Some(object)))
        }
        Callee::Static(function) => Some(Prepared::Call(*function, operands, None)),
        Callee::Virtual(name) => {
            let receiver = operands.first().copied().unwrap_or(Value::Null);
            let class = class_of(machine, receiver);
            let info = class.and_then(|class| program.classes.get(class.index()));
            let function = info.and_then(|info| info.methods.get(name)).copied();
            function.map(|function| Prepared::Call(function, operands, None))
        }
        Callee::Array(class) => {
            let array = machine.domain.new_array(*class, operands.len() as u32)?;
            let place = machine.domain.memory.object_mut(array)?;
            place.contents = operands;
            Some(Prepared::Made(Value::object(array)))
        }
        Callee::Object(class) => {
            let object = machine.domain.new_object(*class)?;
            let place = machine.domain.memory.object_mut(object)?;
            for (content, operand) in place.contents.iter_mut().zip(operands) {
                *content = operand;
            }
            Some(Prepared::Made(Value::object(object)))
        }
    })
}

/// The class of an object.
pub(super) fn class_of(machine: &Machine<'_, Concrete<'_>>, value: Value) -> Option<ClassId> {
    match value {
        Value::Pointer(Address { object, .. }) => {
            let object = machine.domain.memory.object(object).ok()?;
            Some(object.class)
        }
        _ => None,
    }
}
