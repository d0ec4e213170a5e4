//! A sequence as a test: played from the beginning, as the program itself would do it.
//!
//! What the search shares between sequences is not shared here, so that a test does exactly what
//! it says. The objects before the last call get names, which they keep.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::FunctionId;
use heapwright_ir::machine::concrete::{Concrete, Memory, Trace, Value, export_value};
use heapwright_ir::machine::{
    Address, Budgets, Edge, Machine, MachineError, MachineOutcome, ObjectId, Target,
};
use heapwright_logic::{Heap, Loc, Numbering, Value as LogicValue};

use super::environment::Stuck;
use super::state::{Ignored, State};
use super::{Argument, DataType, Sequence};
use crate::check::oracle::run_predicate;
use crate::check::replay::{Conditions, RECORDED, observed};
use crate::input::Input;
use crate::input::frame::content_sorts;
use crate::report::{Run, Verification};
use crate::subject::Subject;

/// What came of playing a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The receiver and the arguments of the last call, and what they lead to.
    pub input: Input,
    /// The last call.
    pub run: Run,
    /// What observers say afterwards, those that return a scalar and change nothing.
    pub observations: Vec<Observation>,
    /// The branches that the calls before the last one took.
    pub before: BTreeSet<Edge>,
}

/// What an observer says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// Index into the observers that were given.
    pub observer: usize,
    /// What it returned.
    pub value: LogicValue,
    /// The branches that it took.
    pub edges: BTreeSet<Edge>,
}

/// Plays a sequence whose last call is one of the subject's function. The program of the subject
/// has all functions that are needed. The sequence has been played so many times before, by the same
/// program.
///
/// Nothing if a call before the last one does not return.
pub fn play(
    subject: &Subject,
    data_type: &DataType,
    sequence: &Sequence,
    observers: &[FunctionId],
    budgets: Budgets,
    conditions: Conditions,
    repetitions: u64,
) -> Result<Option<Played>, MachineError> {
    let program = &subject.program;
    let domain = Concrete::new(program).watching(&subject.rules.shared);
    let mut domain = conditions.apply(domain);
    domain.trace = Some(Trace {
        limit: 0,
        ..Trace::default()
    });
    let mut machine = Machine::new(program, domain, budgets);
    for &function in &data_type.initialisers {
        machine.run(function, Vec::new())?;
    }
    // Static fields may be different when a test is not the first one to run.
    for _ in 0..repetitions {
        if let Some(values) = set_up(&mut machine, data_type, sequence)? {
            machine.run(subject.function, values)?;
        }
    }
    let Some(values) = set_up(&mut machine, data_type, sequence)? else {
        return Ok(None);
    };
    let Some(&receiver) = values.first() else {
        return Ok(None);
    };
    let memory = &mut machine.domain.memory;
    name(memory, &values)?;
    let (mut heap, names) = memory.export_reachable(values.iter().copied())?;
    settle(subject, &mut heap);
    let arguments = values.iter().map(|&value| export_value(&names, value));
    let input = Input {
        arguments: arguments.collect::<Result<_, _>>()?,
        heap,
        witness: None,
    };
    let before = machine.domain.trace.replace(Trace {
        limit: RECORDED,
        ..Trace::default()
    });
    let before = before.map_or_else(BTreeMap::new, |trace| trace.edges);
    let untouched = machine.domain.memory.clone();
    let ended = machine.run(subject.function, values.clone())?;
    let after = machine.domain.memory.clone();
    let (given, conditions) = (conditions, Conditions::default());
    let is_over = matches!(
        ended,
        MachineOutcome::Returned(_) | MachineOutcome::Threw { .. }
    );
    let mut run = observed(
        subject, &input, values, machine, &ended, budgets, conditions,
    )?;
    // Nothing is asked about an object that is not there any more.
    let is_there = match receiver {
        Value::Pointer(address) => matches!(after.target(address), Ok(Target::Object(_))),
        _ => false,
    };
    if let Some(invariant) = data_type.invariant.filter(|_| is_over && is_there) {
        let validity = |memory: &Memory| {
            let mut domain = Concrete::new(program);
            domain.memory = memory.clone();
            let mut machine = Machine::new(program, domain, budgets);
            run_predicate(program, &mut machine, invariant, vec![receiver]).ok()
        };
        // A predicate that meets what nobody knows says nothing.
        run.invariant = match validity(&untouched) {
            Some(Verification::Holds) => validity(&after),
            _ => None,
        };
    }
    let mut observations = Vec::new();
    for (index, &observer) in observers.iter().enumerate().filter(|_| is_there) {
        let domain = given.apply(Concrete::new(program));
        let said = observe(
            domain, subject, data_type, &after, receiver, observer, budgets,
        );
        if let Some((value, edges)) = said {
            observations.push(Observation {
                observer: index,
                value,
                edges,
            });
        }
    }
    Ok(Some(Played {
        input,
        run,
        observations,
        before: before.into_keys().collect(),
    }))
}

/// Memory that nobody has given a value has no value that could be shown: zero stands for it.
fn settle(subject: &Subject, heap: &mut Heap) {
    if !subject.program.manual_memory {
        return;
    }
    for cell in heap.cells.values_mut() {
        let sorts = content_sorts(&subject.program, cell);
        for (value, sort) in cell.fields.iter_mut().zip(sorts) {
            if !value.has_sort(sort) {
                *value = LogicValue::default_of(sort);
            }
        }
    }
}

/// Names everything that values lead to, in the order in which it is reached: names must not depend
/// on what else there is.
pub(crate) fn name(memory: &mut Memory, values: &[Value]) -> Result<(), MachineError> {
    let mut numbering: Numbering<ObjectId> = Numbering::default();
    let meet = |numbering: &mut Numbering<ObjectId>, values: &[Value]| {
        for value in values {
            if let Value::Pointer(Address { object, .. }) = value {
                numbering.meet(*object);
            }
        }
    };
    meet(&mut numbering, values);
    let mut last = 0;
    while let Some(object) = numbering.take_next() {
        let object = memory.object_mut(object)?;
        if object.origin.is_none() && !object.freed {
            last += 1;
            object.origin = Some(Loc(last));
            meet(&mut numbering, &object.contents);
        }
    }
    Ok(())
}

/// Does all calls but the last one; gives the receiver and the arguments of that. Nothing if a call
/// does not return.
fn set_up(
    machine: &mut Machine<'_, Concrete<'_>>,
    data_type: &DataType,
    sequence: &Sequence,
) -> Result<Option<Vec<Value>>, MachineError> {
    let Some((last, before)) = sequence.calls.split_last() else {
        return Ok(None);
    };
    let Some(constructor) = data_type.constructors.get(sequence.start.operation) else {
        return Ok(None);
    };
    let receiver = match constructor.gives {
        true => {
            let arguments = all_made(machine, &sequence.start.arguments)?;
            let Some(arguments) = arguments else {
                return Ok(None);
            };
            match machine.run(constructor.function, arguments)? {
                MachineOutcome::Returned(Some(given @ Value::Pointer(_))) => given,
                _ => return Ok(None),
            }
        }
        false => Value::object(machine.domain.new_object(data_type.class)?),
    };
    let start =
        (!constructor.gives).then_some(Some((constructor.function, &sequence.start.arguments)));
    let calls = before.iter().map(|call| {
        let operation = data_type.operations.get(call.operation)?;
        Some((operation.function, &call.arguments))
    });
    for call in start.into_iter().chain(calls) {
        let Some((function, arguments)) = call else {
            return Ok(None);
        };
        let Some(values) = values(machine, receiver, arguments)? else {
            return Ok(None);
        };
        if !matches!(machine.run(function, values)?, MachineOutcome::Returned(_)) {
            return Ok(None);
        }
    }
    values(machine, receiver, &last.arguments)
}

fn values(
    machine: &mut Machine<'_, Concrete<'_>>,
    receiver: Value,
    arguments: &[Argument],
) -> Result<Option<Vec<Value>>, MachineError> {
    let made = all_made(machine, arguments)?;
    Ok(made.map(|made| std::iter::once(receiver).chain(made).collect()))
}

/// The values of arguments; `None` if one cannot be made.
fn all_made(
    machine: &mut Machine<'_, Concrete<'_>>,
    arguments: &[Argument],
) -> Result<Option<Vec<Value>>, MachineError> {
    let mut values = Vec::new();
    for argument in arguments {
        match argument.make(machine) {
            Ok(value) => values.push(value),
            Err(Stuck::Machine(error)) => return Err(error),
            Err(Stuck::Missing | Stuck::NoArgument) => return Ok(None),
        }
    }
    Ok(Some(values))
}

/// What an observer returns in an environment, if it changes nothing.
fn observe(
    mut domain: Concrete<'_>,
    subject: &Subject,
    data_type: &DataType,
    memory: &Memory,
    receiver: Value,
    observer: FunctionId,
    budgets: Budgets,
) -> Option<(LogicValue, BTreeSet<Edge>)> {
    let program = &subject.program;
    domain.memory = memory.clone();
    domain.trace = Some(Trace {
        limit: 0,
        ..Trace::default()
    });
    let mut machine = Machine::new(program, domain, budgets);
    let Ok(MachineOutcome::Returned(Some(value))) = machine.run(observer, vec![receiver]) else {
        return None;
    };
    let mut ignored = Ignored::new(&data_type.ignored);
    let nothing = Memory::default();
    let mut state = |memory: &Memory| {
        let state = State::capture(program, &mut ignored, &nothing, memory, receiver);
        state.key(program, &mut ignored)
    };
    let is_pure = state(memory) == state(&machine.domain.memory);
    let value = match value {
        Value::Bool(value) if is_pure => LogicValue::Bool(value),
        Value::Int(value) if is_pure => LogicValue::Int(value),
        _ => return None,
    };
    let trace = machine.domain.trace.take().unwrap_or_default();
    Some((value, trace.edges.into_keys().collect()))
}
